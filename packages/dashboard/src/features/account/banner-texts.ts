import { texts } from "../../lib/language.ts";

/** Texts of the banners above the screens: impersonation and new versions. */
export const t = texts({
	en: {
		acting: (name: string) => `Impersonating ${name}`,
		actingUntil: (time: string) => `until ${time} at the latest`,
		stop: "Stop",
		newVersion: "A new version is available.",
		reload: "Reload",
	},
	es: {
		acting: (name: string) => `Actúas como ${name}`,
		actingUntil: (time: string) => `como mucho hasta las ${time}`,
		stop: "Terminar",
		newVersion: "Hay una versión nueva.",
		reload: "Recargar",
	},
});
