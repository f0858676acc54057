import { crc32 } from "node:zlib";

/** Rows of one group commit: all of it is in the spool, or nothing. */
export interface SpoolRecord {
	/** TabSeparated rows of the `events` table. */
	readonly events: Uint8Array;
	/** TabSeparated rows of the `bot_hits` table. */
	readonly botHits: Uint8Array;
	/** Rows in both. */
	readonly rows: number;
	/** Bytes that the record takes in the file. */
	readonly length: number;
}

const MAGIC = 0x46_46_52_31;
const HEADER_LENGTH = 20;

const checksum = (bytes: Buffer) => crc32(bytes.subarray(HEADER_LENGTH), crc32(bytes.subarray(0, HEADER_LENGTH - 4)));

/** Header (magic, two lengths, row count, CRC-32 over the rest), then the rows of both tables. */
export function encodeSpoolRecord(events: string, botHits: string, rows: number): Buffer {
	const eventsLength = Buffer.byteLength(events);
	const botHitsLength = Buffer.byteLength(botHits);
	const bytes = Buffer.allocUnsafe(HEADER_LENGTH + eventsLength + botHitsLength);
	bytes.writeUInt32BE(MAGIC, 0);
	bytes.writeUInt32BE(eventsLength, 4);
	bytes.writeUInt32BE(botHitsLength, 8);
	bytes.writeUInt32BE(rows, 12);
	bytes.write(events, HEADER_LENGTH);
	bytes.write(botHits, HEADER_LENGTH + eventsLength);
	bytes.writeUInt32BE(checksum(bytes), 16);
	return bytes;
}

/** The record that begins at `offset`; undefined where none stands whole and intact. */
function decodeSpoolRecord(bytes: Buffer, offset: number): SpoolRecord | undefined {
	if (offset + HEADER_LENGTH > bytes.length || bytes.readUInt32BE(offset) !== MAGIC) return undefined;
	const eventsEnd = offset + HEADER_LENGTH + bytes.readUInt32BE(offset + 4);
	const end = eventsEnd + bytes.readUInt32BE(offset + 8);
	if (end > bytes.length) return undefined;
	const whole = bytes.subarray(offset, end);
	if (checksum(whole) !== bytes.readUInt32BE(offset + 16)) return undefined;
	return {
		events: bytes.subarray(offset + HEADER_LENGTH, eventsEnd),
		botHits: bytes.subarray(eventsEnd, end),
		rows: bytes.readUInt32BE(offset + 12),
		length: end - offset,
	};
}

/** All intact records from `offset` on, up to the first that is not. */
export function* decodeSpoolRecords(bytes: Buffer, offset = 0): Generator<SpoolRecord> {
	for (let at = offset; ; ) {
		const record = decodeSpoolRecord(bytes, at);
		if (record === undefined) return;
		yield record;
		at += record.length;
	}
}
