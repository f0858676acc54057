import { texts } from "../../lib/language.ts";
import type { Attempt } from "./queries.ts";

/** Why a call failed. */
type Fault = NonNullable<Attempt["error_type"]>;

const t = texts({
	en: {
		answered: (status: number) => `Your server responded ${status}.`,
		statuses: {
			auth: "It rejected the request. Check the endpoint's headers and your signature verification.",
			missing: "Nothing found at this path. Check the endpoint's URL.",
			gone: "410 means “gone”, so the endpoint was disabled.",
			busy: "It is busy and asked us to wait.",
			broken: "It failed to process the event. Check your server's log.",
			other: "Only responses from 200 to 299 count as received.",
		},
		faults: {
			redirect: "Redirects are not followed. Use the final URL.",
			timeout: "No response within 30 seconds. Respond first, then process the event.",
			dns: "Unknown host name. Check the URL for typos.",
			connection: "The connection failed: the server is down, a firewall blocks it, or it was interrupted.",
			tls: "Your server's certificate was not accepted: it has expired, has another name or an incomplete chain.",
			blocked_address: "Addresses in private networks are not allowed.",
		},
	},
	es: {
		answered: (status: number) => `Tu servidor respondió ${status}.`,
		statuses: {
			auth: "Rechazó la petición. Revisa las cabeceras del destino y tu verificación de la firma.",
			missing: "No hay nada en esa ruta. Revisa la URL del destino.",
			gone: "410 significa «ya no existe», así que el destino se desactivó.",
			busy: "Está ocupado y pidió esperar.",
			broken: "No pudo procesar el evento. Revisa el registro de tu servidor.",
			other: "Solo las respuestas de 200 a 299 cuentan como recibidas.",
		},
		faults: {
			redirect: "No se siguen redirecciones. Usa la URL final.",
			timeout: "Sin respuesta en 30 segundos. Responde primero y procesa el evento después.",
			dns: "Nombre de servidor desconocido. Revisa la URL.",
			connection: "La conexión falló: el servidor no responde, un cortafuegos la bloquea o se interrumpió.",
			tls: "No se aceptó el certificado de tu servidor: ha caducado, es de otro nombre o su cadena está incompleta.",
			blocked_address: "No se permiten direcciones de redes privadas.",
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

/** Reason and remedy of a failed call; undefined for a successful one. */
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
