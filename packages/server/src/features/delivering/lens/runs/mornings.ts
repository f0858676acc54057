import { monthStart, weekStart } from "../../../../analytics/query/question/periods.ts";
import type { Settings } from "../settings/settings-store.ts";

/** The hour of the site's clock at which sites are looked at. */
const MORNING = 6;

/** Tasks of a site's morning with the day of their last run; empty = never. */
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

/** Due tasks as of a day, and the day they will have run for. A missed run is made up for once. */
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
