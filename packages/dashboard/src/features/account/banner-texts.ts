import { texts } from "../../lib/language.ts";

/** Words of the lines above the screens: who acts as somebody else, and new versions. */
export const t = texts({
	en: {
		acting: (name: string) => `You act as ${name}`,
		actingUntil: (time: string) => `until ${time} at the latest`,
		stop: "Stop",
		newVersion: "A new version is ready.",
		reload: "Load it",
	},
	es: {
		acting: (name: string) => `Actúas como ${name}`,
		actingUntil: (time: string) => `como mucho hasta las ${time}`,
		stop: "Terminar",
		newVersion: "Hay una versión nueva.",
		reload: "Cargarla",
	},
});
