import { day, days, month } from "../../lib/format.ts";
import type { Stretch } from "./chart-points.ts";
import type { Step } from "./figures.ts";

const hourText = (hour: number) => `${String(hour).padStart(2, "0")}:00`;

/** A point's name below the chart; hours of several days are named by their day. */
export function shortName({ date, hour }: Stretch, step: Step, isOneDay: boolean): string {
	if (step === "hourly" && hour !== undefined) return isOneDay ? hourText(hour) : day(date);
	return step === "monthly" ? month(date) : day(date);
}

/** A point's whole name. */
export function longName({ date, until, hour }: Stretch, step: Step): string {
	if (step === "hourly" && hour !== undefined) return `${day(date, "long")}, ${hourText(hour)}`;
	if (step === "monthly") return month(date, "long");
	return step === "weekly" && until !== date ? days(date, until) : day(date, "long");
}
