import { parseStretch, type Stretch } from "./parse-stretch.ts";
import type { Segment } from "./segment.ts";
import { readPiece, type SpoolFiles } from "./spool-files.ts";

const PIECE_BYTES = 1024 * 1024;
const PIECE_GROWTH = 4;
/** More than a segment of ours ever has. */
const MAX_PIECE_BYTES = 64 * 1024 * 1024;

/** Reads the next stretch of a segment from disk: a piece, or a larger one until the stretch is whole. */
export async function readStretch(files: SpoolFiles, segment: Segment): Promise<Stretch> {
	const stretch = await read(files, segment);
	if (stretch.damage.length === 0) return stretch;
	// The second look shows whether the bytes are wrong, or were only read wrongly.
	const again = await read(files, segment);
	return again.damage.length < stretch.damage.length ? again : stretch;
}

async function read(files: SpoolFiles, segment: Segment): Promise<Stretch> {
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
