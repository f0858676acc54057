import type { Failure } from "../../lib/failure.ts";
import { texts } from "../../lib/language.ts";

const t = texts<Readonly<Record<string, string>>>({
	en: {
		offline: "The server cannot be reached. What you typed is still here: try again in a moment.",
		invalid_credentials: "E-mail or password is wrong.",
		email_not_verified: "Your e-mail address is not confirmed yet. Open the link in the mail that we sent you.",
		csrf_failed: "This page has grown old. Load it again and repeat.",
		invalid_domain: "That is no domain. Write it like this: example.com",
		rule_is_live: "Somebody has activated this rule meanwhile. Load the page again before you change it.",
		quota_exceeded: "Your plan has no room for another one.",
		service_unavailable: "The server is busy or being restarted. Try again in a moment.",
		internal_error: "Something went wrong on the server. Try again; if it stays so, tell whoever runs it.",
	},
	es: {
		offline: "No se puede conectar con el servidor. Lo que has escrito sigue aquí: inténtalo de nuevo en un momento.",
		invalid_credentials: "El correo o la contraseña no son correctos.",
		email_not_verified: "Aún no has confirmado tu correo. Abre el enlace del mensaje que te enviamos.",
		csrf_failed: "Esta página se ha quedado antigua. Vuelve a cargarla y repite.",
		invalid_domain: "Eso no es un dominio. Escríbelo así: ejemplo.com",
		rule_is_live: "Alguien ha activado esta regla mientras tanto. Vuelve a cargar la página antes de cambiarla.",
		quota_exceeded: "Tu plan no admite ninguno más.",
		service_unavailable: "El servidor está ocupado o reiniciándose. Inténtalo en un momento.",
		internal_error: "Algo ha fallado en el servidor. Inténtalo de nuevo; si sigue igual, avisa a quien lo gestiona.",
	},
});

/** What went wrong in the reader's language, where the dashboard has words for it; else in those of the API. */
export const failureText = ({ code, message }: Pick<Failure, "code" | "message">): string => t[code] ?? message;
