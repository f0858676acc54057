import { texts } from "../../lib/language.ts";

/** Words of the badge alone, which is there before the screen that it leads to. */
export const t = texts({
	en: {
		now: (visits: string) => `${visits} now`,
		badge: (visits: string) => `${visits} now, open live view`,
	},
	es: {
		now: (visits: string) => `${visits} ahora`,
		badge: (visits: string) => `${visits} ahora, abrir en vivo`,
	},
});
