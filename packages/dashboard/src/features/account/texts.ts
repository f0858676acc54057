import { texts } from "../../lib/language.ts";

/** Words on the reader and what stands around all screens. */
export const t = texts({
	en: {
		account: "Account",
		search: "Search",
		sites: "All sites",
		offline: "You are offline. Figures are those of the last answer.",
		unreachable: "The server does not answer. Figures are those of the last answer; they go on by themselves.",
	},
	es: {
		account: "Cuenta",
		search: "Buscar",
		sites: "Todos los sitios",
		offline: "Sin conexión. Las cifras son las de la última respuesta.",
		unreachable: "El servidor no responde. Las cifras son las de la última respuesta; se actualizarán solas.",
	},
});
