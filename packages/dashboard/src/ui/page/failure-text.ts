import type { Failure } from "../../lib/failure.ts";
import { texts } from "../../lib/language.ts";

const t = texts<Readonly<Record<string, string>>>({
	en: {
		offline: "Can't reach the server. Try again in a moment.",
		invalid_credentials: "Wrong email or password.",
		email_not_verified: "Your email address is not confirmed yet. Open the link in the email we sent you.",
		csrf_failed: "This page is out of date. Reload it and try again.",
		invalid_domain: "Enter a domain such as example.com.",
		rule_is_live: "Someone has activated this rule in the meantime. Reload the page before you edit it.",
		quota_exceeded: "You've reached your plan's limit.",
		service_unavailable: "The server is busy or restarting. Try again in a moment.",
		internal_error: "Something went wrong on the server. Try again, or contact the operator.",
	},
	es: {
		offline: "No hay conexión con el servidor. Inténtalo en un momento.",
		invalid_credentials: "Correo o contraseña incorrectos.",
		email_not_verified: "Confirma tu correo con el enlace que te enviamos.",
		csrf_failed: "Página desactualizada. Recárgala.",
		invalid_domain: "Introduce un dominio, como ejemplo.com.",
		rule_is_live: "La regla se acaba de activar. Recarga la página.",
		quota_exceeded: "Has alcanzado el límite de tu plan.",
		service_unavailable: "El servidor está ocupado. Inténtalo en un momento.",
		internal_error: "Error del servidor. Inténtalo de nuevo o avisa al operador.",
	},
});

/** Message of an error in the user's language if the dashboard has one, else that of the API. */
export const failureText = ({ code, message }: Pick<Failure, "code" | "message">): string => t[code] ?? message;
