import { crc32 } from "node:zlib";

/** Rows of one group commit: all of it is in the spool, or nothing. */
export interface SpoolRecord {
	/** Where in the segment it begins. */
	readonly at: number;
	/** Records of one step go into the event store together. */
	readonly step: number;
	/** TabSeparated rows of the `events` table. */
	readonly events: Uint8Array;
	readonly botHits: Uint8Array;
	/** Rows in both. */
	readonly rows: number;
	readonly length: number;
}

/** `cut` is a whole header whose rows are incomplete, `spoiled` one whose rows differ. */
type Found =
	| { readonly kind: "record"; readonly record: SpoolRecord }
	| { readonly kind: "spoiled"; readonly length: number }
	| { readonly kind: "cut" }
	| { readonly kind: "nothing" };

const MAGIC = Buffer.from("FFR2");
const HEAD_CHECKSUM = 20;
const BODY_CHECKSUM = 24;
/** Magic, step, two lengths, row count, CRC-32 of these, CRC-32 of the rows. */
export const HEADER_LENGTH = 28;

/** Checksums begin with the segment's random name: no bytes of a visitor or of another file can look like a record. */
export const saltOf = (segmentId: string): number => crc32(segmentId);

/** Fills in the header of a record whose rows stand behind it already. */
export function sealRecord(
	bytes: Buffer,
	salt: number,
	of: { readonly step: number; readonly eventsLength: number; readonly rows: number },
): void {
	bytes.set(MAGIC, 0);
	bytes.writeUInt32BE(of.step, 4);
	bytes.writeUInt32BE(of.eventsLength, 8);
	bytes.writeUInt32BE(bytes.length - HEADER_LENGTH - of.eventsLength, 12);
	bytes.writeUInt32BE(of.rows, 16);
	bytes.writeUInt32BE(crc32(bytes.subarray(0, HEAD_CHECKSUM), salt), HEAD_CHECKSUM);
	bytes.writeUInt32BE(crc32(bytes.subarray(HEADER_LENGTH), salt), BODY_CHECKSUM);
}

/** The parts of sealed bytes, without looking at the checksums; `at` is where they stand in the segment. */
export function openRecord(bytes: Buffer, at: number): SpoolRecord {
	const eventsEnd = HEADER_LENGTH + bytes.readUInt32BE(8);
	return {
		at,
		step: bytes.readUInt32BE(4),
		events: bytes.subarray(HEADER_LENGTH, eventsEnd),
		botHits: bytes.subarray(eventsEnd),
		rows: bytes.readUInt32BE(16),
		length: bytes.length,
	};
}

/** Parses at `offset` of bytes that begin at `base` in their segment. */
export function findRecord(bytes: Buffer, offset: number, base: number, salt: number): Found {
	if (!hasHeader(bytes, offset, salt)) return { kind: "nothing" };
	const length = HEADER_LENGTH + bytes.readUInt32BE(offset + 8) + bytes.readUInt32BE(offset + 12);
	if (offset + length > bytes.length) return { kind: "cut" };
	const whole = bytes.subarray(offset, offset + length);
	const isIntact = crc32(whole.subarray(HEADER_LENGTH), salt) === whole.readUInt32BE(BODY_CHECKSUM);
	return isIntact ? { kind: "record", record: openRecord(whole, base + offset) } : { kind: "spoiled", length };
}

/** Where the next header from `offset` on stands; -1 where there is none. */
export function nextHeader(bytes: Buffer, offset: number, salt: number): number {
	for (let at = bytes.indexOf(MAGIC, offset); at !== -1; at = bytes.indexOf(MAGIC, at + 1))
		if (hasHeader(bytes, at, salt)) return at;
	return -1;
}

const hasHeader = (bytes: Buffer, at: number, salt: number): boolean =>
	at + HEADER_LENGTH <= bytes.length &&
	bytes.compare(MAGIC, 0, MAGIC.length, at, at + MAGIC.length) === 0 &&
	crc32(bytes.subarray(at, at + HEAD_CHECKSUM), salt) === bytes.readUInt32BE(at + HEAD_CHECKSUM);

const SLAB_BYTES = 1024 * 1024;
/** UTF-8 takes at most three bytes for a unit of a JavaScript string. */
const BYTES_PER_UNIT = 3;

/** Takes rows as they come, so that nothing is joined when a record is committed. Finished records are never written over. */
export class RecordBuffer {
	#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
	#start = 0;
	#end = HEADER_LENGTH;

	get length(): number {
		return this.#end - this.#start - HEADER_LENGTH;
	}

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
