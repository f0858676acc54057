import type { ReadMessage } from "./read-apart.ts";

interface Target {
	/** Batches that are in the store already: they are made again and not sent. */
	readonly done: number;
	/** Bytes of lines that are sent at the latest. */
	readonly mostBytes: number;
	/** Resolves when the next message may be made. */
	readonly send: (message: ReadMessage) => Promise<void>;
}

/** Items of a batch: a number that nothing but the file decides, so that a repetition makes the same batches. */
const ITEMS = 20_000;
const FIRST_BYTES = 64 * 1024;

/** Collects the lines of an import and sends them in batches; one is stored while the next is made. */
export class BatchWriter {
	readonly #target: Target;
	/** By year: a statement may not write to the partitions of more than a hundred months. */
	#years = new Map<string, LineBuffer>();
	#bytes = 0;
	#items = 0;
	#batch = 0;
	/** Parts of the batch that were sent because of their size. */
	#part = 0;
	/** The months of all lines, those of earlier batches included. */
	readonly #months = new Set<string>();
	#date = "";

	constructor(target: Target) {
		this.#target = target;
	}

	add(line: string, date: string): void {
		if (date !== this.#date) this.#months.add(date.slice(0, 7));
		this.#date = date;
		if (this.#batch < this.#target.done) return;
		const year = date.slice(0, 4);
		const lines = this.#years.get(year) ?? new LineBuffer();
		this.#years.set(year, lines);
		this.#bytes += lines.add(line);
	}

	/** Another item was taken; true when `flush` must be called before the next one. */
	countItem(): boolean {
		return ++this.#items === ITEMS || this.#bytes >= this.#target.mostBytes;
	}

	/** Sends the lines; waits only while earlier ones are being stored. */
	async flush(): Promise<void> {
		await this.#send();
		if (this.#items === ITEMS) await this.#complete();
	}

	async finish(): Promise<void> {
		await this.#send();
		await this.#complete();
	}

	async #send(): Promise<void> {
		const part = this.#part++ === 0 ? "" : `-${this.#part - 1}`;
		for (const [year, { bytes }] of this.#years) {
			const token = `${this.#batch}-${year}${part}`;
			await this.#target.send({ kind: "rows", token, tsv: bytes, months: this.#months.size });
		}
		this.#years = new Map();
		this.#bytes = 0;
	}

	async #complete(): Promise<void> {
		const batches = ++this.#batch;
		this.#items = 0;
		this.#part = 0;
		if (batches > this.#target.done) await this.#target.send({ kind: "stored", batches });
	}
}

/** Lines as bytes at once: as strings, a batch of them would keep the garbage collector busy half of the time. */
class LineBuffer {
	#bytes = Buffer.allocUnsafe(FIRST_BYTES);
	#length = 0;

	get bytes(): Uint8Array {
		return this.#bytes.subarray(0, this.#length);
	}

	/** The number of bytes that it takes. */
	add(line: string): number {
		const most = line.length * 3;
		if (this.#length + most > this.#bytes.length) {
			const larger = Buffer.allocUnsafe(this.#bytes.length * 2 + most);
			this.#bytes.copy(larger, 0, 0, this.#length);
			this.#bytes = larger;
		}
		const written = this.#bytes.write(line, this.#length);
		this.#length += written;
		return written;
	}
}
