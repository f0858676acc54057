/** S3 takes at most 10,000 parts of at least 5 MiB each. */
const FIRST_BYTES = 8 * 1024 * 1024;
const PARTS_OF_A_SIZE = 1_000;

/** Bytes of a part: 8 MiB at first, so that memory stays small, doubling every 1,000 parts, so that terabytes fit. */
const sizeOf = (part: number): number => FIRST_BYTES * 2 ** Math.floor(part / PARTS_OF_A_SIZE);

/** Pieces put together to the parts of an upload; at least one, which may be empty. */
export async function* inParts(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer<ArrayBuffer>> {
	let parts = 0;
	let waiting: Uint8Array[] = [];
	let bytes = 0;
	for await (const piece of pieces) {
		waiting.push(piece);
		bytes += piece.byteLength;
		if (bytes < sizeOf(parts)) continue;
		yield Buffer.concat(waiting);
		parts++;
		[waiting, bytes] = [[], 0];
	}
	if (bytes > 0 || parts === 0) yield Buffer.concat(waiting);
}
