import { createRandom } from "../../packages/server/src/features/collecting/seed/random.ts";
import type { Values } from "./constants.ts";

const SECONDS = 60;

/** How hits reach the disk. */
export interface Commits {
	/** Hits that one commit makes durable. */
	readonly hits: number;
	/** Milliseconds from a hit's arrival to its answer, on average. */
	readonly waitMs: number;
	/** Milliseconds that the last hit of a minute waited for the processor: it grows without end where there are too many. */
	readonly lastQueueMs: number;
}

/**
 * A minute of one collector, hit by hit: the processor handles one after the other, and hits that are ready while the
 * disk is busy form the next group, which is committed as soon as the disk is free.
 */
export function commitsOf(of: Values, hitsASecond: number, costUs: number, seed = 1): Commits {
	const random = createRandom(seed);
	let [at, ready, hits, groups, waited] = [0, 0, 0, 0, 0];
	let diskFree = 0;
	let group: number[] = [];
	const commit = (from: number) => {
		diskFree = Math.max(from, diskFree) + of.commitMs;
		for (const arrived of group) waited += diskFree - arrived;
		groups++;
		group = [];
	};
	while (at < SECONDS * 1000) {
		at += random.exponential(1000 / hitsASecond);
		ready = Math.max(ready, at) + costUs / 1000;
		const [earliest] = group;
		// The group was committed when the disk became free, if this hit was not ready by then.
		if (earliest !== undefined && ready > diskFree) commit(diskFree);
		group.push(at);
		hits++;
		if (ready > diskFree) commit(ready);
	}
	return { hits: hits / groups, waitMs: waited / (hits - group.length), lastQueueMs: ready - at };
}
