import { texts } from "../../lib/language.ts";

/** Words of the badge alone, which is there before the screen that it leads to. */
export const t = texts({
	en: {
		now: (visits: string) => `${visits} now`,
		badge: (visits: string) => `${visits} now: to the live screen`,
	},
	es: {
		now: (visits: string) => `${visits} ahora`,
		badge: (visits: string) => `${visits} ahora: a la pantalla en vivo`,
	},
});
