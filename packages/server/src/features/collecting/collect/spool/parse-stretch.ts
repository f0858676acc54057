import type { Segment } from "./segment.ts";
import { readPiece, type SpoolFiles } from "./spool-files.ts";
import { findRecord, HEADER_LENGTH, nextHeader, type SpoolRecord } from "./spool-record.ts";

/** Bytes that are no intact record any more. */
export interface Damage {
	readonly from: number;
	readonly bytes: Uint8Array;
}

/** A unit of loading: the records of one batch, and the damage before and between them. */
export interface Stretch {
	/** Undefined when there is nothing but damage. */
	readonly step: number | undefined;
	readonly records: readonly SpoolRecord[];
	readonly damage: readonly Damage[];
	/** Bytes at the end that are no whole record: of an unacknowledged write, or the remains after a disk failure. */
	readonly torn: number;
	readonly to: number;
}

/**
 * Parses a batch at the beginning of some bytes, which stand at `from` in their segment, perhaps at its end; undefined if it needs more bytes. Remains of an
 * unacknowledged write at the end are skipped and their length reported: a disk that loses the end of synced data
 * leaves the same. Anything else that is not intact is damage, as acknowledged rows may have been there.
 */
export function parseStretch(
	bytes: Buffer,
	{ from, salt, isEnd }: { readonly from: number; readonly salt: number; readonly isEnd: boolean },
): Stretch | undefined {
	const records: SpoolRecord[] = [];
	const damage: Damage[] = [];
	let torn = 0;
	const spoil = (start: number, end: number) => damage.push({ from: from + start, bytes: bytes.subarray(start, end) });
	let at = 0;
	while (at < bytes.length) {
		const found = findRecord(bytes, at, from, salt);
		if (found.kind === "record") {
			const [first] = records;
			if (first !== undefined && found.record.step !== first.step) break;
			records.push(found.record);
			at += found.record.length;
		} else if (found.kind === "spoiled") {
			spoil(at, at + found.length);
			at += found.length;
		} else {
			const next = found.kind === "cut" ? -1 : nextHeader(bytes, at + 1, salt);
			if (next === -1 && !isEnd) return undefined;
			if (next === -1 && (found.kind === "cut" || isTorn(bytes.subarray(at)))) torn = bytes.length - at;
			else if (next === -1) spoil(at, bytes.length);
			if (next !== -1) spoil(at, next);
			at = next === -1 ? bytes.length : next;
		}
	}
	if (at === bytes.length && !isEnd) return undefined;
	return { step: records[0]?.step, records, damage, torn, to: from + at };
}

/** A crash leaves less than a header, a power cut a stretch that was never written. */
const isTorn = (tail: Buffer): boolean => tail.length < HEADER_LENGTH || tail.every((byte) => byte === 0);

const PIECE_BYTES = 1024 * 1024;
const PIECE_GROWTH = 4;
/** More than a segment of ours ever has. */
const MAX_PIECE_BYTES = 64 * 1024 * 1024;

/** Reads the next stretch of a segment from disk: a piece, or a larger one until the stretch is whole. */
export async function readStretch(files: SpoolFiles, segment: Segment): Promise<Stretch> {
	const stretch = await readOnce(files, segment);
	if (stretch.damage.length === 0) return stretch;
	// The second look shows whether the bytes are wrong, or were only read wrongly.
	const again = await readOnce(files, segment);
	return again.damage.length < stretch.damage.length ? again : stretch;
}

async function readOnce(files: SpoolFiles, segment: Segment): Promise<Stretch> {
	const { path, salt, done: from, sealed } = segment;
	for (let piece = PIECE_BYTES; ; piece *= PIECE_GROWTH) {
		const to = Math.min(sealed, from + Math.min(piece, MAX_PIECE_BYTES));
		const bytes = await readPiece(files, path, from, to);
		const isEnd = to === sealed || bytes.length < to - from || piece >= MAX_PIECE_BYTES;
		const stretch = parseStretch(bytes, { from, salt, isEnd });
		if (stretch === undefined) continue;
		// A file that lost its end has nothing to wait for.
		const hasLost = bytes.length < to - from && stretch.to === from + bytes.length;
		return hasLost ? { ...stretch, torn: stretch.torn + sealed - stretch.to, to: sealed } : stretch;
	}
}
