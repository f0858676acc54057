import { HEADER_LENGTH } from "./spool-record.ts";

const SLAB_BYTES = 1024 * 1024;
/** UTF-8 takes at most three bytes for a unit of a JavaScript string. */
const BYTES_PER_UNIT = 3;

/**
 * Where rows are written as they come, one record behind the other, so that nothing has to be joined or measured when a
 * record is committed. Finished records stay valid: they are never written over.
 */
export class RecordBuffer {
	#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
	#start = 0;
	#end = HEADER_LENGTH;

	/** Bytes of rows in the record at hand. */
	get length(): number {
		return this.#end - this.#start - HEADER_LENGTH;
	}

	/** Adds text to the record at hand. */
	write(text: string): void {
		this.#reserve(text.length * BYTES_PER_UNIT);
		this.#end += this.#slab.write(text, this.#end);
	}

	/** Ends the record at hand and begins the next: the bytes, with the place of the header left open. */
	finish(): Buffer {
		const record = this.#slab.subarray(this.#start, this.#end);
		this.#start = this.#end;
		if (this.#start + HEADER_LENGTH > this.#slab.length) {
			this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
			this.#start = 0;
		}
		this.#end = this.#start + HEADER_LENGTH;
		return record;
	}

	#reserve(bytes: number): void {
		if (this.#end + bytes <= this.#slab.length) return;
		const used = this.#end - this.#start;
		const larger = Buffer.allocUnsafeSlow(Math.max(SLAB_BYTES, (used + bytes) * 2));
		this.#slab.copy(larger, 0, this.#start, this.#end);
		this.#slab = larger;
		this.#start = 0;
		this.#end = used;
	}
}
