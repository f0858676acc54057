import { hash } from "node:crypto";
import { CLICK_ID_DAYS } from "./session-store.ts";

const DAY_MS = 86_400_000;
/** At about 50 bytes each; beyond, the oldest days are forgotten first. */
const MAX_CLICK_IDS = 2_000_000;

/** Digest of a click id on a site, 52 bits. */
export function clickIdDigest(siteId: string, clickId: string): number {
	return Number.parseInt(hash("sha1", `${siteId}\n${clickId}`, "hex").slice(0, 13), 16);
}

/** Click ids of the last 30 days, as digests in one set a day. */
export class ClickIdMemory {
	readonly #days = new Map<number, Set<number>>();
	#size = 0;

	/** True when the id was added in the last 30 days. */
	has(digest: number, now: number): boolean {
		const oldest = Math.floor(now / DAY_MS) - CLICK_ID_DAYS;
		for (const [day, digests] of this.#days) if (day > oldest && digests.has(digest)) return true;
		return false;
	}

	/** Adds an id as of the day of `now`. */
	add(digest: number, now: number): void {
		const today = Math.floor(now / DAY_MS);
		const digests = this.#days.get(today) ?? this.#open(today);
		if (digests.has(digest)) return;
		digests.add(digest);
		this.#size++;
		if (this.#size > MAX_CLICK_IDS) this.#forgetOldest();
	}

	/** Removes an id that was added on the day of `now`. */
	remove(digest: number, now: number): void {
		if (this.#days.get(Math.floor(now / DAY_MS))?.delete(digest)) this.#size--;
	}

	#open(day: number): Set<number> {
		const digests = new Set<number>();
		this.#days.set(day, digests);
		for (const [old, { size }] of this.#days) {
			if (old > day - CLICK_ID_DAYS) continue;
			this.#days.delete(old);
			this.#size -= size;
		}
		return digests;
	}

	#forgetOldest(): void {
		const oldest = Math.min(...this.#days.keys());
		this.#size -= this.#days.get(oldest)?.size ?? 0;
		this.#days.delete(oldest);
	}
}
