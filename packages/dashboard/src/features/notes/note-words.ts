import type { Answer } from "../../api/client.ts";
import { day } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";

/** Something that was written beside a day. */
export type Note = Answer<"GET /annotations">[number];
export const kinds = ["note", "release", "campaign"] as const;

/** Words on notes. */
export const t = texts({
	en: {
		kinds: { note: "Note", release: "Release", campaign: "Campaign" },
		by: (name: string) => `by ${name}`,
	},
	es: {
		kinds: { note: "Nota", release: "Versión", campaign: "Campaña" },
		by: (name: string) => `de ${name}`,
	},
});

/** When it happened: `Fri, 20 Nov 2026, 09:00`. */
export const when = ({ date, hour }: Pick<Note, "date" | "hour">): string =>
	hour === null ? day(date, "long") : `${day(date, "long")}, ${hourText(hour)}`;

/** An hour of the clock, `09:00`. */
export const hourText = (hour: number): string => `${String(hour).padStart(2, "0")}:00`;
