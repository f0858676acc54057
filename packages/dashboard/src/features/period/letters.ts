import type { Period } from "../site/index.ts";

/** Keys that choose a period. */
export const letters: Readonly<Partial<Record<Period, string>>> = {
	today: "d",
	yesterday: "e",
	"7d": "w",
	"30d": "t",
	"90d": "n",
	this_month: "m",
	last_month: "p",
	this_year: "y",
	"12m": "l",
};
