import { LruMap } from "../../../platform/lib/lru-map.ts";
import { MinuteCounts } from "./minute-counts.ts";
import { RejectedOrigins } from "./rejected-origins.ts";
import type { RejectReason } from "./rejection.ts";

/** Sites counted at a time, half of which are sure to be those with the latest hits. */
const SITES_KEPT = 20_000;
const ORIGINS_SHOWN = 10;

interface SiteCounts {
	readonly accepted: MinuteCounts;
	readonly rejected: Map<RejectReason, MinuteCounts>;
}

interface RejectionWindow {
	readonly accepted: number;
	readonly rejected: number;
	readonly reasons: readonly {
		readonly reason: RejectReason;
		readonly count: number;
		readonly origins: readonly { readonly origin: string; readonly count: number }[];
	}[];
}

/**
 * Accepted and rejected hits a site and minute, of the last 24 hours, in memory: 6 kB a site, and as much again for each
 * reason that it saw.
 */
export class RejectionLog {
	readonly #sites = new LruMap<string, SiteCounts>(SITES_KEPT);
	readonly #origins = new RejectedOrigins();

	/** Counts an accepted hit. */
	accept(siteId: string, now: number): void {
		this.#site(siteId).accepted.add(now);
	}

	/** Counts a rejected hit under its reason and the origin of its page; `siteId` and `origin` are empty where they are unknown. */
	reject(siteId: string, reason: RejectReason, origin: string, now: number): void {
		const { rejected } = this.#site(siteId);
		let counts = rejected.get(reason);
		if (counts === undefined) {
			counts = new MinuteCounts();
			rejected.set(reason, counts);
		}
		counts.add(now);
		if (origin !== "") this.#origins.add(siteId, reason, origin, now);
	}

	/** Sums of the last `minutes` minutes: reasons and origins by falling count. */
	window(siteId: string, minutes: number, now: number): RejectionWindow {
		const site = this.#sites.get(siteId);
		if (site === undefined) return { accepted: 0, rejected: 0, reasons: [] };
		const reasons = [...site.rejected]
			.map(([reason, counts]) => ({
				reason,
				count: counts.sum(minutes, now),
				origins: byFallingCount(
					[...this.#origins.sums(siteId, reason, minutes, now)].map(([origin, count]) => ({ origin, count })),
					({ origin }) => origin,
				).slice(0, ORIGINS_SHOWN),
			}))
			.filter(({ count }) => count > 0);
		return {
			accepted: site.accepted.sum(minutes, now),
			rejected: reasons.reduce((sum, { count }) => sum + count, 0),
			reasons: byFallingCount(reasons, ({ reason }) => reason),
		};
	}

	/** Takes back what was counted of a site in the minutes of which this is true of their first millisecond. */
	forget(siteId: string, isForgotten: (minuteAt: number) => boolean): void {
		const site = this.#sites.get(siteId);
		if (site === undefined) return;
		for (const counts of [site.accepted, ...site.rejected.values()]) counts.forget(isForgotten);
		this.#origins.forget(siteId, isForgotten);
	}

	#site(siteId: string): SiteCounts {
		const known = this.#sites.get(siteId);
		if (known !== undefined) return known;
		const fresh: SiteCounts = { accepted: new MinuteCounts(), rejected: new Map() };
		this.#sites.set(siteId, fresh);
		return fresh;
	}
}

function byFallingCount<Counted extends { readonly count: number }>(
	list: readonly Counted[],
	name: (counted: Counted) => string,
): Counted[] {
	return list.toSorted((a, b) => b.count - a.count || (name(a) < name(b) ? -1 : 1));
}
