import { LruMap } from "../../../platform/lib/lru-map.ts";

/** Sites counted at a time, half of which are sure to be those asked for last. */
const SITES_KEPT = 20_000;

export interface ScriptRequestCount {
	readonly count: number;
	/** Milliseconds since the Unix epoch. */
	readonly lastAt: number;
}

/** Requests of each site's script since this process began, in memory. */
export class ScriptRequests {
	readonly #sites = new LruMap<string, ScriptRequestCount>(SITES_KEPT);

	#changed: Set<string> | undefined;

	add(siteId: string, now: number): void {
		this.#changed?.add(siteId);
		this.#sites.set(siteId, { count: (this.#sites.get(siteId)?.count ?? 0) + 1, lastAt: now });
	}

	/** The sites with requests since this was last asked; from the first time on. */
	takeChanged(): ReadonlySet<string> {
		const changed = this.#changed;
		this.#changed = new Set();
		return changed ?? new Set();
	}

	of(siteId: string): ScriptRequestCount | undefined {
		return this.#sites.get(siteId);
	}
}
