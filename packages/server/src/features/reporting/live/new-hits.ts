import type { LiveHit } from "../../../analytics/query/reports/live-figures.ts";

/** Most hits in one message. */
const MOST_TOLD = 20;

/** Hits that came since the last look. */
export interface NewHits {
	/** The latest, oldest first. */
	readonly told: readonly LiveHit[];
	/** How many more there were. */
	readonly skipped: number;
}

/** Tells the hits that were not there at the last look; the looks overlap, for rows are not stored in the order of time. */
export class HitTeller {
	/** How many hits are the same in everything, and when they were. */
	#known = new Map<number, { readonly count: number; readonly at: number }>();
	#hasLooked = false;

	/** New hits since a time; none at the first call. */
	look(hits: readonly LiveHit[], after: number): NewHits {
		const fresh: LiveHit[] = [];
		for (const [id, same] of Map.groupBy(hits, (hit) => hit.id)) {
			const known = this.#known.get(id)?.count ?? 0;
			fresh.push(...same.slice(known));
			this.#known.set(id, { count: Math.max(known, same.length), at: same[0]?.at ?? 0 });
		}
		// The next look goes no further back.
		for (const [id, { at }] of this.#known) if (at <= after) this.#known.delete(id);
		if (!this.#hasLooked) {
			this.#hasLooked = true;
			return { told: [], skipped: 0 };
		}
		const told = fresh.sort((a, b) => a.at - b.at).slice(-MOST_TOLD);
		return { told, skipped: fresh.length - told.length };
	}
}
