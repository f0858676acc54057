import { HOUR_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { RejectionWindow } from "../../tenancy/sites/index.ts";
import { LOST_AMOUNT } from "./hit.ts";

export type ByMinute = Record<number, number>;

/** Hits of an hour by what became of them, by the minute of the hour. */
export interface HourCounts {
	readonly accepted: ByMinute;
	readonly rejected: Partial<Record<string, ByMinute>>;
	readonly origins: Partial<Record<string, Record<string, ByMinute>>>;
}

/** Counts of an hour, counted from the Unix epoch. */
interface CountedHour {
	readonly hour: number;
	readonly counts: HourCounts;
}

const ORIGINS_SHOWN = 10;

/** Counts of some hours within the last minutes, that of `now` included, as they are shown: reasons and origins by falling count. */
export function windowOf(hours: readonly CountedHour[], minutes: number, now: number): RejectionWindow {
	const last = Math.floor(now / MINUTE_MS);
	const rejected = new Map<string, number>();
	const origins = new Map<string, Map<string, number>>();
	let accepted = 0;
	for (const { hour, counts } of hours) {
		const first = (hour * HOUR_MS) / MINUTE_MS;
		const sum = (byMinute: ByMinute = {}) => {
			let hits = 0;
			for (const [minute, count] of Object.entries(byMinute)) {
				const at = first + Number(minute);
				if (at <= last && at > last - minutes) hits += count;
			}
			return hits;
		};
		accepted += sum(counts.accepted);
		for (const [reason, byMinute] of Object.entries(counts.rejected)) add(rejected, reason, sum(byMinute));
		for (const [reason, ofReason] of Object.entries(counts.origins)) {
			const known = origins.get(reason) ?? new Map<string, number>();
			origins.set(reason, known);
			for (const [origin, byMinute] of Object.entries(ofReason ?? {})) add(known, origin, sum(byMinute));
		}
	}
	const reasons = byFallingCount(rejected).map(([reason, count]) => {
		const first = byFallingCount(origins.get(reason) ?? []).slice(0, ORIGINS_SHOWN);
		const shown = first.map(([origin, hits]) => ({ origin, count: hits }));
		return { reason, count, ...(reason === LOST_AMOUNT && { counted: true as const }), origins: shown };
	});
	return {
		accepted,
		rejected: reasons.reduce((sum, { count, counted }) => sum + (counted ? 0 : count), 0),
		reasons,
	};
}

/** Names that were not counted within the time are omitted. */
function add(counts: Map<string, number>, name: string, count: number): void {
	if (count > 0) counts.set(name, (counts.get(name) ?? 0) + count);
}

const byFallingCount = (counts: Iterable<[string, number]>): [string, number][] =>
	[...counts].sort(([name, count], [otherName, other]) => other - count || (name < otherName ? -1 : 1));
