/** A map in the order in which its entries were last set, which finds the oldest one without a search. */
export class AgingMap<Key, Value> {
	readonly #entries = new Map<Key, Value>();
	// One iterator for good: a new one would walk over the gap of every entry deleted at the front, each time.
	#walk = this.#entries.entries();
	#front: [Key, Value] | undefined;

	get size(): number {
		return this.#entries.size;
	}

	keys(): IterableIterator<Key> {
		return this.#entries.keys();
	}

	entries(): IterableIterator<readonly [Key, Value]> {
		return this.#entries.entries();
	}

	get(key: Key): Value | undefined {
		return this.#entries.get(key);
	}

	set(key: Key, value: Value): void {
		this.delete(key);
		this.#entries.set(key, value);
	}

	delete(key: Key): void {
		if (this.#front?.[0] === key) this.#front = undefined;
		this.#entries.delete(key);
	}

	oldest(): readonly [Key, Value] | undefined {
		if (this.#front !== undefined || this.#entries.size === 0) return this.#front;
		let next = this.#walk.next();
		if (next.done) {
			this.#walk = this.#entries.entries();
			next = this.#walk.next();
		}
		this.#front = next.done ? undefined : next.value;
		return this.#front;
	}

	clear(): void {
		this.#entries.clear();
		this.#front = undefined;
	}
}
