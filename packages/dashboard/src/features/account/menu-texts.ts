import { texts } from "../../lib/language.ts";

/** Words of what the menu of the reader opens. */
export const t = texts({
	en: {
		account: "Account",
		organizations: "Organizations",
		developers: "For developers",
		language: "Language",
		theme: "Appearance",
		themes: { system: "System", light: "Light", dark: "Dark" },
		admin: "Administration",
		help: "Help",
		reference: "API reference",
		keys: "Keyboard shortcuts",
		signOut: "Sign out",
		signOutFailed: "Couldn't sign out. Try again.",
	},
	es: {
		account: "Cuenta",
		organizations: "Organizaciones",
		developers: "Para desarrolladores",
		language: "Idioma",
		theme: "Aspecto",
		themes: { system: "Sistema", light: "Claro", dark: "Oscuro" },
		admin: "Administración",
		help: "Ayuda (en inglés)",
		reference: "Referencia de la API",
		keys: "Atajos de teclado",
		signOut: "Cerrar sesión",
		signOutFailed: "No se ha podido cerrar la sesión. Inténtalo de nuevo.",
	},
});
