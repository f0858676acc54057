import type { Values } from "./constants.ts";

/** Months are counted as 30 days. */
const MONTH_SECONDS = 30 * 86_400;

/** Traffic of a number of hits a month. */
export interface Traffic {
	readonly hitsAMonth: number;
	/** Hits a second. */
	readonly mean: number;
	/** Hits a second in the busiest hour of a weekday. */
	readonly busiest: number;
	/** Hits a second in a burst of that hour. */
	readonly peak: number;
	/** Reports a second in the busiest hour. */
	readonly reports: number;
	/** Visits that are kept at the same time in the busiest hour. */
	readonly visits: number;
	/** Click ids that are known at the same time. */
	readonly clickIds: number;
	/** Rows of twelve months. */
	readonly rowsAYear: number;
}

/** From hits a month to what the parts of an installation have to bear. */
export function trafficOf(hitsAMonth: number, of: Values): Traffic {
	const mean = hitsAMonth / MONTH_SECONDS;
	const busiest = mean * of.dailyPeak * of.weeklyPeak;
	const clickIdsADay = (hitsAMonth / 30 / of.hitsAVisit) * of.clickIdsAVisit;
	return {
		hitsAMonth,
		mean,
		busiest,
		peak: busiest * of.burst,
		reports: busiest * of.reportsAHit,
		visits: (busiest / of.hitsAVisit) * of.visitSeconds,
		clickIds: clickIdsADay * of.clickIdDays,
		rowsAYear: hitsAMonth * 12 * of.rowsAHit,
	};
}
