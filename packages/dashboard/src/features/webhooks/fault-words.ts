import { texts } from "../../lib/language.ts";
import type { Attempt } from "./queries.ts";

/** Why a call failed. */
type Fault = NonNullable<Attempt["error_type"]>;

const t = texts({
	en: {
		answered: (status: number) => `Your server answered ${status}.`,
		statuses: {
			auth: "It refused the call: look at the headers of the endpoint, and at how the signature is checked.",
			missing: "Nothing is at this path: look at the address of the endpoint.",
			gone: "That means “never again”, so the endpoint was switched off.",
			busy: "It is busy and asked to wait.",
			broken: "It failed while it worked on the event: its own log says more.",
			other: "Only answers from 200 to 299 count as received.",
		},
		faults: {
			redirect: "It sends the call elsewhere, which is not followed: give the endpoint the address that it leads to.",
			timeout: "No answer came within 30 seconds. Answer first, and work on the event afterwards.",
			dns: "The name of the host is not known. Look for a slip in the address.",
			connection: "The connection failed: nothing listens there, a firewall stands between, or it was cut.",
			tls: "The certificate of your server is not accepted: it has run out, is of another name, or its chain is not whole.",
			blocked_address: "The address lies inside a network, and is not called.",
		},
	},
	es: {
		answered: (status: number) => `Tu servidor respondió ${status}.`,
		statuses: {
			auth: "Rechazó la llamada: mira las cabeceras del destino y cómo se comprueba la firma.",
			missing: "En esa ruta no hay nada: mira la dirección del destino.",
			gone: "Eso significa «nunca más», así que el destino se apagó.",
			busy: "Está ocupado y pidió esperar.",
			broken: "Falló mientras procesaba el evento: su propio registro dice más.",
			other: "Solo las respuestas de 200 a 299 cuentan como recibidas.",
		},
		faults: {
			redirect: "Envía la llamada a otro lugar y eso no se sigue: da al destino la dirección a la que lleva.",
			timeout: "No llegó respuesta en 30 segundos. Responde primero y procesa el evento después.",
			dns: "El nombre del servidor no existe. Busca un error en la dirección.",
			connection: "La conexión falló: allí nadie escucha, hay un cortafuegos en medio o se cortó.",
			tls: "El certificado de tu servidor no se acepta: ha caducado, es de otro nombre o su cadena no está completa.",
			blocked_address: "La dirección está dentro de una red y no se llama.",
		},
	},
});

function kindOf(status: number): keyof typeof t.statuses {
	if (status === 401 || status === 403) return "auth";
	if (status === 404 || status === 405) return "missing";
	if (status === 410) return "gone";
	if (status === 429 || status === 503) return "busy";
	return status >= 500 ? "broken" : "other";
}

/** Why a call failed, and what to do about it; undefined for one that did not. */
export function faultWords({
	error_type: fault,
	status,
}: {
	readonly error_type?: Fault | null | undefined;
	readonly status: number | null;
}): string | undefined {
	if (fault === null || fault === undefined) return undefined;
	const said = status === null ? "" : `${t.answered(status)} `;
	return `${said}${fault === "http_status" ? t.statuses[kindOf(status ?? 0)] : t.faults[fault]}`;
}
