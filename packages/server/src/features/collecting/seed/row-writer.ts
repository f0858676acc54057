import type { EventStore } from "../../../platform/event-store/event-store.ts";

interface Target {
	readonly table: string;
	readonly columns: readonly string[];
	/** Names this run, so that a batch that is sent twice is stored once. */
	readonly run: string;
}

const BATCH_BYTES = 16 * 1024 * 1024;
/** Room that a batch keeps for one more visit. */
const LARGEST_VISIT = 64 * 1024;

/** Collects lines and stores them in batches; one batch is stored while the next is made. */
export class RowWriter {
	readonly #store: EventStore;
	readonly #target: Target;
	// Lines go into bytes at once: as strings, a batch of them would keep the garbage collector busy half of the time.
	#filling = Buffer.allocUnsafe(BATCH_BYTES);
	#spare = Buffer.allocUnsafe(BATCH_BYTES);
	#length = 0;
	#batch = 0;
	#storing: Promise<void> = Promise.resolve();
	/** Rows added so far. */
	rows = 0;

	constructor(store: EventStore, target: Target) {
		this.#store = store;
		this.#target = target;
	}

	/** True when the lines so far make a batch: `flush` before the next one is added. */
	get isFull(): boolean {
		return this.#length > BATCH_BYTES - LARGEST_VISIT;
	}

	/** Adds one TabSeparated line. */
	add(line: string): void {
		this.#length += this.#filling.write(line, this.#length);
		this.rows++;
	}

	/** Sends the lines so far on their way; waits only while an earlier batch still is. */
	async flush(): Promise<void> {
		await this.#storing;
		if (this.#length === 0) return;
		const tsv = this.#filling.subarray(0, this.#length);
		[this.#filling, this.#spare] = [this.#spare, this.#filling];
		this.#length = 0;
		const { table, columns, run } = this.#target;
		this.#storing = this.#store.insert({
			table,
			columns,
			tsv,
			deduplicationToken: `${run}-${table}-${this.#batch++}`,
		});
		// A failure surfaces when the next batch waits.
		this.#storing.catch(() => undefined);
	}

	/** Stores what is left. */
	async finish(): Promise<void> {
		await this.flush();
		await this.#storing;
	}
}
