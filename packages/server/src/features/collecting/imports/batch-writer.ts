import { eventColumns } from "../../../analytics/model/event-columns.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";

interface Target {
	readonly store: Pick<EventStore, "insert">;
	readonly importId: string;
	/** Batches that are in the store already: they are made again and not sent. */
	readonly done: number;
	/** Told when so many batches are in the store. */
	readonly onStored: (batches: number) => Promise<void>;
}

/** Items of a batch: a number that nothing but the file decides, so that a repetition makes the same batches. */
const ITEMS = 20_000;
const FIRST_BYTES = 4 * 1024 * 1024;
const COLUMNS = Object.keys(eventColumns);

/** Collects the lines of an import and stores them in batches; one batch is stored while the next is made. */
export class BatchWriter {
	readonly #target: Target;
	/** By year: a statement may not write to the partitions of more than a hundred months. */
	#filling = new Map<string, LineBuffer>();
	#spare: LineBuffer[] = [];
	#items = 0;
	#batch = 0;
	#storing: Promise<void> = Promise.resolve();

	constructor(target: Target) {
		this.#target = target;
	}

	/** Adds a line to the batch at hand. */
	add(line: string, date: string): void {
		if (this.#batch < this.#target.done) return;
		const year = date.slice(0, 4);
		let lines = this.#filling.get(year);
		if (lines === undefined) {
			lines = this.#spare.pop() ?? new LineBuffer();
			this.#filling.set(year, lines);
		}
		lines.add(line);
	}

	/** Another item was taken; true when the batch is full: `flush` before the next one. */
	countItem(): boolean {
		return ++this.#items === ITEMS;
	}

	/** Sends the batch on its way; waits only while an earlier one still is. */
	async flush(): Promise<void> {
		await this.#storing;
		this.#items = 0;
		const batch = this.#batch++;
		if (batch < this.#target.done) return;
		const filled = this.#filling;
		this.#filling = new Map();
		this.#storing = this.#store(batch, filled);
		// A failure surfaces when the next batch waits.
		this.#storing.catch(() => undefined);
	}

	/** Stores what is left. */
	async finish(): Promise<void> {
		await this.flush();
		await this.#storing;
	}

	async #store(batch: number, filled: ReadonlyMap<string, LineBuffer>): Promise<void> {
		const { store, importId, onStored } = this.#target;
		for (const [year, lines] of filled) {
			const deduplicationToken = `import-${importId}-${batch}-${year}`;
			await store.insert({ table: "events", columns: COLUMNS, tsv: lines.bytes, deduplicationToken });
			lines.clear();
			if (this.#spare.length < 2) this.#spare.push(lines);
		}
		await onStored(batch + 1);
	}
}

/** Lines as bytes at once: as strings, a batch of them would keep the garbage collector busy half of the time. */
class LineBuffer {
	#bytes = Buffer.allocUnsafe(FIRST_BYTES);
	#length = 0;

	get bytes(): Uint8Array {
		return this.#bytes.subarray(0, this.#length);
	}

	add(line: string): void {
		const most = line.length * 3;
		if (this.#length + most > this.#bytes.length) {
			const larger = Buffer.allocUnsafe(this.#bytes.length * 2 + most);
			this.#bytes.copy(larger, 0, 0, this.#length);
			this.#bytes = larger;
		}
		this.#length += this.#bytes.write(line, this.#length);
	}

	clear(): void {
		this.#length = 0;
	}
}
