import { texts } from "../../lib/language.ts";

/** Words on the reader and what stands around all screens. */
export const t = texts({
	en: {
		account: "Account",
		search: "Search",
		sites: "All sites",
		offline: "You're offline. Showing the last loaded figures.",
		unreachable: "The server isn't responding. Figures will refresh automatically.",
	},
	es: {
		account: "Cuenta",
		search: "Buscar",
		sites: "Todos los sitios",
		offline: "Sin conexión. Cifras de la última carga.",
		unreachable: "El servidor no responde. Las cifras se actualizan solas.",
	},
});
