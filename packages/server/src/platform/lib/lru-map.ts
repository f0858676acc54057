/**
 * A map with at most `capacity` entries that drops the least recently used ones. It keeps two generations of half the
 * capacity each. A full young generation becomes the old one, and the entries of the previous old one are dropped
 * unless they were read since. So a hit costs one map look-up, without the re-ordering of a strict LRU.
 */
export class LruMap<K, V extends {}> {
	readonly #half: number;
	#young = new Map<K, V>();
	#old = new Map<K, V>();

	/** `capacity`: most entries held at a time, at least 2. */
	constructor(capacity: number) {
		this.#half = Math.max(1, Math.floor(capacity / 2));
	}

	/** The value, which counts as used; undefined when unknown or forgotten. */
	get(key: K): V | undefined {
		const young = this.#young.get(key);
		if (young !== undefined) return young;
		const old = this.#old.get(key);
		if (old !== undefined) this.set(key, old);
		return old;
	}

	/** Stores a value as the most recent one. */
	set(key: K, value: V): void {
		if (this.#young.size >= this.#half && !this.#young.has(key)) {
			this.#old = this.#young;
			this.#young = new Map();
		}
		this.#young.set(key, value);
		this.#old.delete(key);
	}

	/** Number of entries held. */
	get size(): number {
		return this.#young.size + this.#old.size;
	}
}
