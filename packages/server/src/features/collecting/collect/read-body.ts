import type { IncomingMessage } from "node:http";

/** Limits on reading a body. */
interface BodyLimits {
	readonly bytes: number;
	/** Pieces in which it may arrive: each of them costs as much as a short body does. */
	readonly pieces: number;
}

/**
 * Reads the body of a request as text; beyond a limit only its beginning, and the rest is discarded. The work is linear
 * in the bytes, however small the chunks are.
 */
export function readBody(
	request: IncomingMessage,
	limits: BodyLimits,
	take: (body: string, isCut: boolean) => void,
): void {
	let first: Buffer | undefined;
	let all: Buffer | undefined;
	let length = 0;
	let pieces = 0;
	let isCut = false;
	const text = () => (all ?? first)?.toString("utf8", 0, Math.min(length, limits.bytes)) ?? "";
	request.on("data", (piece: Buffer) => {
		if (isCut) return;
		pieces++;
		if (pieces === 1) first = piece;
		else {
			all ??= joinable(first, limits.bytes);
			// Bytes beyond the limit are dropped.
			piece.copy(all, length);
		}
		length += piece.length;
		if (length <= limits.bytes && pieces <= limits.pieces) return;
		isCut = true;
		take(text(), true);
	});
	request.on("end", () => {
		if (!isCut) take(text(), false);
	});
}

function joinable(first: Buffer | undefined, bytes: number): Buffer {
	const all = Buffer.allocUnsafe(bytes);
	first?.copy(all);
	return all;
}
