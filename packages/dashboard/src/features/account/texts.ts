import { texts } from "../../lib/language.ts";

/** Words on the reader and what stands around all screens. */
export const t = texts({
	en: {
		account: "Account",
		search: "Search",
		sites: "All sites",
		offline: "You're offline. Showing the last loaded figures.",
		unreachable: "The server isn't responding. Showing the last loaded figures; they'll refresh automatically.",
	},
	es: {
		account: "Cuenta",
		search: "Buscar",
		sites: "Todos los sitios",
		offline: "Sin conexión. Se muestran las últimas cifras cargadas.",
		unreachable: "El servidor no responde. Se muestran las últimas cifras cargadas; se actualizarán solas.",
	},
});
