import { hash } from "node:crypto";
import { LruMap } from "../../../../platform/lib/lru-map.ts";
import { AgingMap } from "./aging-map.ts";

/** A click id counts as seen for this long after its last sight, ms. */
export const CLICK_ID_MS = 30 * 86_400_000;
/** A sight renews an earlier one only when it is this much younger, ms. */
export const RENEWAL_MS = 3_600_000;
/** Upper bound of an entry's size: its place in the map, which doubles as it grows, and two numbers. */
const ENTRY_BYTES = 150;
/** Ended ones that are dropped with each new one, so that they never pile up and no sweep is long. */
const SWEEP_STEP = 4;
/** A sight is undone within moments, or never. */
const UNDOABLE_RENEWALS = 10_000;

/** A sight of a click id: when it came, or that it did not count after all. */
export interface ClickIdSight {
	/** Absent in notes of the first releases, and in what memory hands over. */
	readonly siteId?: string | undefined;
	/** See {@link clickIdDigest}. */
	readonly digest: number;
	/** Receipt, ms. */
	readonly at: number;
	/** True when the hit that brought it could not be stored. */
	readonly isUndone: boolean;
}

/** Digest of a click id on a site, 52 bits. */
export function clickIdDigest(siteId: string, clickId: string): number {
	return Number.parseInt(hash("sha1", `${siteId}\n${clickId}`, "hex").slice(0, 13), 16);
}

export const sightOf = (siteId: string, clickId: string, at: number, isUndone = false): ClickIdSight => ({
	siteId,
	digest: clickIdDigest(siteId, clickId),
	at,
	isUndone,
});

/** Click ids of the last 30 days as digests with the time of their last sight; the longest unseen go first when it is full. */
export class ClickIdMemory {
	readonly #maxIds: number;
	readonly #lastSights = new AgingMap<number, number>();
	readonly #renewed = new LruMap<number, number>(UNDOABLE_RENEWALS);

	constructor(maxBytes: number) {
		this.#maxIds = Math.max(1, Math.floor(maxBytes / ENTRY_BYTES));
	}

	/** Ids held, some that were not seen for 30 days included. */
	get size(): number {
		return this.#lastSights.size;
	}

	*sights(): Generator<ClickIdSight> {
		for (const [digest, at] of this.#lastSights.entries()) yield { digest, at, isUndone: false };
	}

	has(digest: number, now: number): boolean {
		const last = this.#lastSights.get(digest);
		return last !== undefined && now - last < CLICK_ID_MS;
	}

	/** Notes a sight, or undoes it, so that the one before counts again; true when it is new: none of the hour before, or a later one, is known. */
	note({ digest, at, isUndone }: ClickIdSight): boolean {
		if (isUndone) this.#undo(digest, at);
		return !isUndone && this.add(digest, at);
	}

	add(digest: number, at: number): boolean {
		const last = this.#lastSights.get(digest);
		if (last !== undefined && at - last < RENEWAL_MS) return false;
		if (last !== undefined) this.#renewed.set(digest, last);
		this.#lastSights.set(digest, at);
		this.#makeRoom(at);
		return true;
	}

	#undo(digest: number, at: number): void {
		if (this.#lastSights.get(digest) !== at) return;
		const before = this.#renewed.get(digest);
		if (before !== undefined && before < at) this.#lastSights.set(digest, before);
		else this.#lastSights.delete(digest);
	}

	#makeRoom(now: number): void {
		for (let step = 0; ; step++) {
			const oldest = this.#lastSights.oldest();
			if (oldest === undefined) return;
			const isEnded = step < SWEEP_STEP && now - oldest[1] >= CLICK_ID_MS;
			if (!isEnded && this.#lastSights.size <= this.#maxIds) return;
			this.#lastSights.delete(oldest[0]);
		}
	}
}
