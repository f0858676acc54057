import { copyText } from "../../../analytics/attribution/page-address.ts";
import { HOUR_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import { LruMap } from "../../../platform/lib/lru-map.ts";
import type { RejectionWindow } from "../../tenancy/sites/index.ts";
import type { NotedReason } from "./hit.ts";
import { type ByMinute, type HourCounts, windowOf } from "./hour-counts.ts";

const HOUR_MINUTES = 60;
/** Hours that the longest window, of a day, touches. */
const HOURS_KEPT = 25;
/** Sites counted at a time, half of which are sure to be those with the latest hits. */
const SITES_KEPT = 20_000;
/** Distinct origins noted a site, reason and minute. */
const ORIGINS_KEPT = 20;
/** Distinct origins recorded a minute over all sites: invented host names must not fill the memory. */
const ORIGINS_A_MINUTE = 200;

/** Of a site and hour, by the minute of the hour. */
interface Hour {
	readonly accepted: Uint32Array;
	readonly rejected: Map<NotedReason, Rejected>;
}

interface Rejected {
	readonly counts: Uint32Array;
	/** By minute, then by origin; of many origins the first ones. */
	readonly origins: Map<number, Map<string, number>>;
}

const noHits = () => new Uint32Array(HOUR_MINUTES);
const minuteOf = (now: number): number => Math.floor(now / MINUTE_MS) % HOUR_MINUTES;

function count(counts: Uint32Array, now: number): void {
	const minute = minuteOf(now);
	counts[minute] = (counts[minute] ?? 0) + 1;
}

const byMinute = (counts: Uint32Array): ByMinute =>
	Object.fromEntries([...counts.entries()].filter(([, hits]) => hits > 0));

/** Accepted and rejected hits a site and minute, of the last 24 hours: 12 kB a site at most, and as much for each reason that it saw. */
export class RejectionLog {
	readonly #sites = new LruMap<string, Map<number, Hour>>(SITES_KEPT);
	/** Hours of all sites by when they were, so that those of sites without further hits end, too. */
	readonly #byHour = new Map<number, WeakRef<Map<number, Hour>>[]>();
	/** How many origins were noted first in each of the latest minutes, counted from the Unix epoch: some hits come late. */
	readonly #origins = new Map<number, number>();
	/** Sites with new counts, as long as somebody takes them; and the first hour in which there are some. */
	#changed: Map<string, number> | undefined;

	accept(siteId: string, now: number): void {
		count(this.#hour(siteId, now).accepted, now);
	}

	/** Counts a rejected hit, or an accepted one that lost its amount; `siteId` and `origin` are empty where they are unknown. */
	reject(siteId: string, reason: NotedReason, origin: string, now: number): void {
		const { rejected } = this.#hour(siteId, now);
		const of = rejected.get(reason) ?? { counts: noHits(), origins: new Map() };
		rejected.set(reason, of);
		count(of.counts, now);
		if (origin !== "") this.#noteOrigin(of, origin, now);
	}

	/** Sums of the last `minutes` minutes: reasons and origins by falling count. */
	window(siteId: string, minutes: number, now: number): RejectionWindow {
		const last = Math.floor(now / HOUR_MS);
		const hours = Array.from({ length: HOURS_KEPT }, (_, back) => last - back);
		const counted = hours.map((hour) => ({ hour, counts: this.hour(siteId, hour) }));
		return windowOf(counted, minutes, now);
	}

	/** Takes back what was counted of a site in the minutes of which this is true of their first millisecond. */
	forget(siteId: string, isForgotten: (minuteAt: number) => boolean): void {
		const hours = this.#sites.get(siteId);
		if (hours === undefined) return;
		for (const [hour, { accepted, rejected }] of hours) {
			for (let minute = 0; minute < HOUR_MINUTES; minute++) {
				if (!isForgotten(hour * HOUR_MS + minute * MINUTE_MS)) continue;
				accepted[minute] = 0;
				for (const { counts, origins } of rejected.values()) {
					counts[minute] = 0;
					origins.delete(minute);
				}
			}
		}
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
		const of = this.#sites.get(siteId)?.get(hour);
		const told: HourCounts = { accepted: of === undefined ? {} : byMinute(of.accepted), rejected: {}, origins: {} };
		for (const [reason, { counts, origins }] of of?.rejected ?? []) {
			if (counts.some((hits) => hits > 0)) told.rejected[reason] = byMinute(counts);
			if (origins.size === 0) continue;
			const byOrigin: Record<string, ByMinute> = {};
			for (const [minute, ofMinute] of origins) {
				for (const [origin, hits] of ofMinute) byOrigin[origin] = { ...byOrigin[origin], [minute]: hits };
			}
			told.origins[reason] = byOrigin;
		}
		return told;
	}

	/** The counts of a moment's hour, which are about to change. */
	#hour(siteId: string, now: number): Hour {
		const hour = Math.floor(now / HOUR_MS);
		const first = this.#changed?.get(siteId) ?? Number.POSITIVE_INFINITY;
		if (hour < first) this.#changed?.set(siteId, hour);
		const hours = this.#sites.get(siteId) ?? new Map<number, Hour>();
		const known = hours.get(hour);
		if (known !== undefined) return known;
		const fresh: Hour = { accepted: noHits(), rejected: new Map() };
		// Later ones too: the clock may have been far ahead.
		for (const [other, begun] of this.#byHour) {
			if (Math.abs(other - hour) < HOURS_KEPT) continue;
			for (const of of begun) of.deref()?.delete(other);
			this.#byHour.delete(other);
		}
		const begun = this.#byHour.get(hour) ?? [];
		begun.push(new WeakRef(hours));
		this.#byHour.set(hour, begun);
		hours.set(hour, fresh);
		this.#sites.set(siteId, hours);
		return fresh;
	}

	#noteOrigin({ origins }: Rejected, origin: string, now: number): void {
		const ofMinute = origins.get(minuteOf(now)) ?? new Map<string, number>();
		const hits = ofMinute.get(origin);
		if (hits === undefined) {
			const minute = Math.floor(now / MINUTE_MS);
			const noted = this.#origins.get(minute) ?? 0;
			if (ofMinute.size >= ORIGINS_KEPT || noted >= ORIGINS_A_MINUTE) return;
			this.#origins.set(minute, noted + 1);
			for (const other of this.#origins.keys())
				if (Math.abs(other - minute) >= HOUR_MINUTES) this.#origins.delete(other);
			origins.set(minuteOf(now), ofMinute);
		}
		ofMinute.set(hits === undefined ? copyText(origin) : origin, (hits ?? 0) + 1);
	}
}
