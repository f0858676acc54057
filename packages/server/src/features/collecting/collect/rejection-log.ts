import { copyText } from "../../../analytics/attribution/page-address.ts";
import { HOUR_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import { LruMap } from "../../../platform/lib/lru-map.ts";
import type { RejectionWindow } from "../../tenancy/sites/index.ts";
import { LOST_AMOUNT, type NotedReason } from "./hit.ts";

/** Longest window that can be asked for. */
const MINUTES_KEPT = 1440;

/** The minute of an instant, counted from the Unix epoch. */
const minuteOf = (now: number): number => Math.floor(now / MINUTE_MS);

/** Counts by the minute for a day, in 6 kB whatever is counted. */
class MinuteCounts {
	readonly #counts = new Uint32Array(MINUTES_KEPT);
	#latest = 0;

	add(now: number): void {
		const minute = minuteOf(now);
		if (minute > this.#latest) this.#clear(this.#latest + 1, minute);
		// The clock was far ahead and came back, so the counts are not of the last day.
		else if (minute <= this.#latest - MINUTES_KEPT) this.#clear(minute, minute + MINUTES_KEPT - 1, minute);
		this.#counts[minute % MINUTES_KEPT] = (this.#counts[minute % MINUTES_KEPT] ?? 0) + 1;
	}

	/** The sum of the last `minutes` minutes, that of `now` included. */
	sum(minutes: number, now: number): number {
		const last = Math.min(minuteOf(now), this.#latest);
		const first = Math.max(minuteOf(now) - minutes, this.#latest - MINUTES_KEPT) + 1;
		let sum = 0;
		for (let minute = first; minute <= last; minute++) sum += this.#counts[minute % MINUTES_KEPT] ?? 0;
		return sum;
	}

	/** The count of one minute, counted from the Unix epoch; 0 where it is not known any more. */
	at(minute: number): number {
		if (minute > this.#latest || minute <= this.#latest - MINUTES_KEPT) return 0;
		return this.#counts[minute % MINUTES_KEPT] ?? 0;
	}

	/** Takes back what was counted in the minutes of which this is true of their first millisecond. */
	forget(isForgotten: (minuteAt: number) => boolean): void {
		for (let minute = this.#latest - MINUTES_KEPT + 1; minute <= this.#latest; minute++) {
			if (isForgotten(minute * MINUTE_MS)) this.#counts[minute % MINUTES_KEPT] = 0;
		}
	}

	#clear(from: number, to: number, latest = to): void {
		if (to - from + 1 >= MINUTES_KEPT) this.#counts.fill(0);
		else for (let minute = from; minute <= to; minute++) this.#counts[minute % MINUTES_KEPT] = 0;
		this.#latest = latest;
	}
}

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
const keyOf = (siteId: string, reason: NotedReason) => `${siteId}\n${reason}`;

/** Where rejected hits came from, by the minute for a day; of many origins the first ones, so that memory is bounded. */
class RejectedOrigins {
	/** By place in a day, so that each minute takes the place of the one a day before. */
	readonly #minutes = new Map<number, Minute>();

	/** Counts a hit that came from this origin: scheme, host and port. */
	add(siteId: string, reason: NotedReason, origin: string, now: number): void {
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

	sums(siteId: string, reason: NotedReason, minutes: number, now: number): Map<string, number> {
		const sums = new Map<string, number>();
		const key = keyOf(siteId, reason);
		for (const { minute, counts } of this.#minutes.values()) {
			if (minute > minuteOf(now) || minute <= minuteOf(now) - minutes) continue;
			for (const [origin, count] of counts.get(key) ?? []) sums.set(origin, (sums.get(origin) ?? 0) + count);
		}
		return sums;
	}

	/** Counts by origin in one minute, counted from the Unix epoch. */
	at(siteId: string, reason: NotedReason, minute: number): ReadonlyMap<string, number> {
		const known = this.#minutes.get(minute % MINUTES_KEPT);
		return (known?.minute === minute ? known.counts.get(keyOf(siteId, reason)) : undefined) ?? NONE;
	}

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

/** Sites counted at a time, half of which are sure to be those with the latest hits. */
const SITES_KEPT = 20_000;
const ORIGINS_SHOWN = 10;
const HOUR_MINUTES = 60;

type ByMinute = Record<number, number>;

/** Hits of an hour by what became of them, by the minute of the hour. */
export interface HourCounts {
	readonly accepted: ByMinute;
	readonly rejected: Partial<Record<string, ByMinute>>;
	readonly origins: Partial<Record<string, Record<string, ByMinute>>>;
}

interface SiteCounts {
	readonly accepted: MinuteCounts;
	readonly rejected: Map<NotedReason, MinuteCounts>;
}

/** Accepted and rejected hits a site and minute, of the last 24 hours: 6 kB a site, and as much for each reason that it saw. */
export class RejectionLog {
	readonly #sites = new LruMap<string, SiteCounts>(SITES_KEPT);
	readonly #origins = new RejectedOrigins();
	/** Sites with new counts, as long as somebody takes them; and the first hour in which there are some. */
	#changed: Map<string, number> | undefined;

	accept(siteId: string, now: number): void {
		this.#site(siteId).accepted.add(now);
		this.#change(siteId, now);
	}

	/** Counts a rejected hit, or an accepted one that lost its amount; `siteId` and `origin` are empty where they are unknown. */
	reject(siteId: string, reason: NotedReason, origin: string, now: number): void {
		const { rejected } = this.#site(siteId);
		let counts = rejected.get(reason);
		if (counts === undefined) {
			counts = new MinuteCounts();
			rejected.set(reason, counts);
		}
		counts.add(now);
		this.#change(siteId, now);
		if (origin !== "") this.#origins.add(siteId, reason, origin, now);
	}

	/** Sums of the last `minutes` minutes: reasons and origins by falling count. */
	window(siteId: string, minutes: number, now: number): RejectionWindow {
		const site = this.#sites.get(siteId);
		if (site === undefined) return { accepted: 0, rejected: 0, reasons: [] };
		const reasons = [...site.rejected].map(([reason, counts]) => ({
			reason,
			count: counts.sum(minutes, now),
			origins: this.#origins.sums(siteId, reason, minutes, now),
		}));
		return windowOf(site.accepted.sum(minutes, now), reasons);
	}

	forget(siteId: string, isForgotten: (minuteAt: number) => boolean): void {
		const site = this.#sites.get(siteId);
		if (site === undefined) return;
		for (const counts of [site.accepted, ...site.rejected.values()]) counts.forget(isForgotten);
		this.#origins.forget(siteId, isForgotten);
		this.#changed?.set(siteId, 0);
	}

	/** The sites whose counts have changed since this was last asked, each with the first hour of a change; from the first time on. */
	takeChanged(): ReadonlyMap<string, number> {
		const changed = this.#changed;
		this.#changed = new Map();
		return changed ?? new Map();
	}

	/** Counts of a site in an hour, counted from the Unix epoch, by minute. */
	hour(siteId: string, hour: number): HourCounts {
		const site = this.#sites.get(siteId);
		const counts: HourCounts = { accepted: {}, rejected: {}, origins: {} };
		if (site === undefined) return counts;
		for (let minute = 0; minute < HOUR_MINUTES; minute++) {
			const at = hour * HOUR_MINUTES + minute;
			const accepted = site.accepted.at(at);
			if (accepted > 0) counts.accepted[minute] = accepted;
			for (const [reason, rejected] of site.rejected) {
				const count = rejected.at(at);
				if (count === 0) continue;
				counts.rejected[reason] = { ...counts.rejected[reason], [minute]: count };
				for (const [origin, hits] of this.#origins.at(siteId, reason, at)) {
					const origins = counts.origins[reason] ?? {};
					counts.origins[reason] = { ...origins, [origin]: { ...origins[origin], [minute]: hits } };
				}
			}
		}
		return counts;
	}

	#change(siteId: string, now: number): void {
		const hour = Math.floor(now / HOUR_MS);
		const first = this.#changed?.get(siteId) ?? Number.POSITIVE_INFINITY;
		if (hour < first) this.#changed?.set(siteId, hour);
	}

	#site(siteId: string): SiteCounts {
		const known = this.#sites.get(siteId);
		if (known !== undefined) return known;
		const fresh: SiteCounts = { accepted: new MinuteCounts(), rejected: new Map() };
		this.#sites.set(siteId, fresh);
		return fresh;
	}
}

/** A window as it is shown: reasons and origins by falling count. */
export function windowOf(
	accepted: number,
	counted: readonly {
		readonly reason: string;
		readonly count: number;
		readonly origins: ReadonlyMap<string, number>;
	}[],
): RejectionWindow {
	const reasons = counted
		.filter(({ count }) => count > 0)
		.map(({ reason, count, origins }) => {
			const shown = [...origins].map(([origin, hits]) => ({ origin, count: hits }));
			const first = byFallingCount(shown, ({ origin }) => origin).slice(0, ORIGINS_SHOWN);
			return { reason, count, ...(reason === LOST_AMOUNT && { counted: true as const }), origins: first };
		});
	return {
		accepted,
		rejected: reasons.reduce((sum, { count, counted }) => sum + (counted ? 0 : count), 0),
		reasons: byFallingCount(reasons, ({ reason }) => reason),
	};
}

function byFallingCount<Counted extends { readonly count: number }>(
	list: readonly Counted[],
	name: (counted: Counted) => string,
): Counted[] {
	return list.toSorted((a, b) => b.count - a.count || (name(a) < name(b) ? -1 : 1));
}
