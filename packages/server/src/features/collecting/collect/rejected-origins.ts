import { copyText } from "../../../analytics/attribution/page-address.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { MINUTES_KEPT, minuteOf } from "./minute-counts.ts";
import type { RejectReason } from "./rejection.ts";

/** Distinct origins noted a site, reason and minute. */
const ORIGINS_KEPT = 20;
/** Distinct origins recorded a minute over all sites: invented host names must not fill the memory. */
const ORIGINS_A_MINUTE = 200;

interface Minute {
	readonly minute: number;
	/** By site and reason, then by origin. */
	readonly counts: Map<string, Map<string, number>>;
	size: number;
}

const NONE: ReadonlyMap<string, number> = new Map();
const keyOf = (siteId: string, reason: RejectReason) => `${siteId}\n${reason}`;

/** Where rejected hits came from, by the minute for a day; of many origins the first ones, so that memory is bounded. */
export class RejectedOrigins {
	/** By place in a day, so that each minute takes the place of the one a day before. */
	readonly #minutes = new Map<number, Minute>();

	/** Counts a hit that came from this origin: scheme, host and port. */
	add(siteId: string, reason: RejectReason, origin: string, now: number): void {
		const minute = this.#minute(minuteOf(now));
		const key = keyOf(siteId, reason);
		const known = minute.counts.get(key) ?? new Map<string, number>();
		const count = known.get(origin);
		if (count !== undefined) {
			known.set(origin, count + 1);
			return;
		}
		if (known.size >= ORIGINS_KEPT || minute.size >= ORIGINS_A_MINUTE) return;
		minute.size++;
		known.set(copyText(origin), 1);
		minute.counts.set(key, known);
	}

	/** Counts by origin in the last `minutes` minutes. */
	sums(siteId: string, reason: RejectReason, minutes: number, now: number): Map<string, number> {
		const sums = new Map<string, number>();
		const key = keyOf(siteId, reason);
		for (const { minute, counts } of this.#minutes.values()) {
			if (minute > minuteOf(now) || minute <= minuteOf(now) - minutes) continue;
			for (const [origin, count] of counts.get(key) ?? []) sums.set(origin, (sums.get(origin) ?? 0) + count);
		}
		return sums;
	}

	/** Counts by origin in one minute, counted from the Unix epoch. */
	at(siteId: string, reason: RejectReason, minute: number): ReadonlyMap<string, number> {
		const known = this.#minutes.get(minute % MINUTES_KEPT);
		return (known?.minute === minute ? known.counts.get(keyOf(siteId, reason)) : undefined) ?? NONE;
	}

	/** Takes back what was counted of a site in the minutes of which this is true of their first millisecond. */
	forget(siteId: string, isForgotten: (minuteAt: number) => boolean): void {
		for (const { minute, counts } of this.#minutes.values()) {
			if (!isForgotten(minute * MINUTE_MS)) continue;
			for (const key of counts.keys()) if (key.startsWith(`${siteId}\n`)) counts.delete(key);
		}
	}

	#minute(minute: number): Minute {
		const slot = minute % MINUTES_KEPT;
		const known = this.#minutes.get(slot);
		if (known?.minute === minute) return known;
		const fresh: Minute = { minute, counts: new Map(), size: 0 };
		this.#minutes.set(slot, fresh);
		return fresh;
	}
}
