import type { Values } from "./constants.ts";
import type { Deployment } from "./deployment.ts";

/** Inserts and questions may be ahead of the processors by so much before new inserts have to wait. */
const AHEAD_SECONDS = 1;

/** One machine of a shard; the others of the shard do the same. */
export interface Shard {
	/** Begins a second. */
	begin(isAway: boolean): void;
	isAway(): boolean;
	/** True when an insert is taken now. */
	takes(): boolean;
	insert(rows: number): void;
	/** Spends microseconds on questions; a shard that is away answers none. */
	answer(us: number): void;
	/** Ends a second: remaining processor time goes to merges. */
	merge(): void;
	/** Processor time used in the second. */
	readonly usedUs: number;
	/** Work that is not done yet. */
	readonly waitingUs: number;
}

/** A machine with so many cores that inserts, answers and merges what was inserted. */
export function createShard(of: Values, { nodeCores }: Deployment): Shard {
	const secondUs = nodeCores * 1e6;
	let [isAway, urgentUs, mergeUs, usedUs] = [false, 0, 0, 0];
	return {
		begin(away) {
			isAway = away;
			usedUs = 0;
		},
		isAway: () => isAway,
		takes: () => !isAway && urgentUs < AHEAD_SECONDS * secondUs,
		insert(rows) {
			urgentUs += of.insertUs + rows * of.rowUs;
			mergeUs += rows * of.rowUs * (of.laterMerges - 1);
		},
		answer(us) {
			if (!isAway) urgentUs += us;
		},
		merge() {
			if (isAway) return;
			const urgent = Math.min(urgentUs, secondUs);
			const merged = Math.min(mergeUs, secondUs - urgent);
			urgentUs -= urgent;
			mergeUs -= merged;
			usedUs = urgent + merged;
		},
		get usedUs() {
			return usedUs;
		},
		get waitingUs() {
			return urgentUs + mergeUs;
		},
	};
}
