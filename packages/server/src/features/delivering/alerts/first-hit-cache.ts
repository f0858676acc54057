import { firstHits } from "../../../analytics/query/reports/first-hits.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import type { SiteDirectory } from "../../tenancy/sites/index.ts";

/** An import may bring hits from before the first one. */
const KEPT_MS = 6 * HOUR_MS;

interface FirstHitDeps {
	readonly eventStore: EventStore;
	readonly sites: Pick<SiteDirectory, "get">;
}

/** When the sites were first visited. */
export class FirstHitCache {
	readonly #known = new Map<string, number>();
	#forgetsAt = 0;

	/** Moments by slug; sites without hits are asked for again each time. */
	async of(deps: FirstHitDeps, sites: readonly string[], nowMs: number) {
		if (nowMs >= this.#forgetsAt) {
			this.#known.clear();
			this.#forgetsAt = nowMs + KEPT_MS;
		}
		// Of sites whose data were deleted lately the first hit may be another one now.
		for (const site of sites) if (deps.sites.get(site)?.forgottenVisits.length !== 0) this.#known.delete(site);
		const unknown = sites.filter((site) => !this.#known.has(site));
		for (const [site, first] of await firstHits(deps, unknown)) this.#known.set(site, first);
		return this.#known as ReadonlyMap<string, number>;
	}
}
