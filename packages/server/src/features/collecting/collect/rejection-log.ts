import type { RejectReason } from "./rejection.ts";

const MINUTE_MS = 60_000;
/** Longest window that can be asked for. */
const MINUTES_KEPT = 1440;
/** Distinct origins kept a site, reason and minute; the rest is counted without one. */
const ORIGINS_KEPT = 20;
const ORIGINS_SHOWN = 10;

interface Minute {
	accepted: number;
	readonly rejected: Map<RejectReason, Map<string, number>>;
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

/** Accepted and rejected hits a site and minute, of the last 24 hours, in memory. */
export class RejectionLog {
	readonly #sites = new Map<string, Map<number, Minute>>();

	/** Counts an accepted hit. */
	accept(siteId: string, now: number): void {
		this.#minute(siteId, now).accepted++;
	}

	/** Counts a rejected hit under its reason and the host that it came from; `siteId` is empty when no site is known. */
	reject(siteId: string, reason: RejectReason, origin: string, now: number): void {
		const { rejected } = this.#minute(siteId, now);
		const origins = rejected.get(reason) ?? new Map<string, number>();
		rejected.set(reason, origins);
		const key = origins.has(origin) || origins.size < ORIGINS_KEPT ? origin : "";
		origins.set(key, (origins.get(key) ?? 0) + 1);
	}

	/** Sums of the last `minutes` minutes: reasons and origins by falling count. */
	window(siteId: string, minutes: number, now: number): RejectionWindow {
		const since = Math.floor(now / MINUTE_MS) - minutes;
		let accepted = 0;
		const byReason = new Map<RejectReason, Map<string, number>>();
		for (const [minute, counts] of this.#sites.get(siteId) ?? []) {
			if (minute <= since) continue;
			accepted += counts.accepted;
			for (const [reason, origins] of counts.rejected) {
				const sums = byReason.get(reason) ?? new Map<string, number>();
				byReason.set(reason, sums);
				for (const [origin, count] of origins) sums.set(origin, (sums.get(origin) ?? 0) + count);
			}
		}
		const reasons = [...byReason].map(([reason, origins]) => ({
			reason,
			count: [...origins.values()].reduce((sum, count) => sum + count, 0),
			origins: [...origins]
				.map(([origin, count]) => ({ origin, count }))
				.filter(({ origin }) => origin !== "")
				.sort((a, b) => b.count - a.count || (a.origin < b.origin ? -1 : 1))
				.slice(0, ORIGINS_SHOWN),
		}));
		reasons.sort((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1));
		return { accepted, rejected: reasons.reduce((sum, { count }) => sum + count, 0), reasons };
	}

	#minute(siteId: string, now: number): Minute {
		const minutes = this.#sites.get(siteId) ?? new Map<number, Minute>();
		this.#sites.set(siteId, minutes);
		const key = Math.floor(now / MINUTE_MS);
		const known = minutes.get(key);
		if (known !== undefined) return known;
		for (const old of minutes.keys()) {
			if (old > key - MINUTES_KEPT) break;
			minutes.delete(old);
		}
		const fresh: Minute = { accepted: 0, rejected: new Map() };
		minutes.set(key, fresh);
		return fresh;
	}
}
