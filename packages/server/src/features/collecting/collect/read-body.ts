import type { IncomingMessage } from "node:http";

/** What is read of a body at most. */
interface BodyLimits {
	readonly bytes: number;
	/** Pieces in which it may arrive: each of them costs as much as a short body does. */
	readonly pieces: number;
}

/**
 * Hands over the body of a request as text, or undefined as soon as it goes beyond a limit; what follows is not looked at.
 * The work grows with the bytes alone, in however small pieces they come.
 */
export function readBody(
	request: IncomingMessage,
	limits: BodyLimits,
	whole: (body: string | undefined) => void,
): void {
	let first: Buffer | undefined;
	let all: Buffer | undefined;
	let length = 0;
	let pieces = 0;
	let isOver = false;
	request.on("data", (piece: Buffer) => {
		if (isOver) return;
		pieces++;
		if (length + piece.length > limits.bytes || pieces > limits.pieces) {
			isOver = true;
			whole(undefined);
			return;
		}
		if (pieces === 1) first = piece;
		else {
			all ??= joinable(first, limits.bytes);
			piece.copy(all, length);
		}
		length += piece.length;
	});
	request.on("end", () => {
		if (!isOver) whole((all ?? first)?.toString("utf8", 0, length) ?? "");
	});
}

function joinable(first: Buffer | undefined, bytes: number): Buffer {
	const all = Buffer.allocUnsafe(bytes);
	first?.copy(all);
	return all;
}
