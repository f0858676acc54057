import { monthStart, weekStart } from "../../../../analytics/query/question/periods.ts";
import type { Settings } from "../settings/settings-store.ts";

/** The hour of the site's clock at which sites are looked at. */
const MORNING = 6;

/** What is done in the morning of a site, with the day as of which each was done last; empty = never. */
export interface Done {
	readonly analysed_day: string;
	readonly week: string;
	readonly month: string;
}

/** The day of the last morning of a site; its clocks decide, so that a change of theirs moves no morning. */
export const lastMorning = (timezone: string, nowMs: number): Temporal.PlainDate =>
	Temporal.Instant.fromEpochMilliseconds(nowMs)
		.toZonedDateTimeISO(timezone)
		.toPlainDateTime()
		.subtract({ hours: MORNING })
		.toPlainDate();

/** What is to be done as of a day, and what it will have been done for. What was missed is made up for once. */
export function dueOn(day: Temporal.PlainDate, { analysisFrequency }: Settings, done: Done): Partial<Done> {
	if (analysisFrequency === "manual") return {};
	const from = (analysisFrequency === "daily" ? day : weekStart(day)).toString();
	const [week, month] = [weekStart(day).toString(), monthStart(day).toString()];
	return {
		...(done.analysed_day < from && { analysed_day: day.toString() }),
		...(done.week < week && { week }),
		...(done.month < month && { month }),
	};
}
