/** Pieces put together to larger ones of at least `bytesOf(index)` bytes each, the last excepted; at least one, which may be empty. */
export async function* gathered(pieces: AsyncIterable<Uint8Array>, bytesOf: (index: number) => number) {
	let count = 0;
	let waiting: Uint8Array[] = [];
	let bytes = 0;
	for await (const piece of pieces) {
		waiting.push(piece);
		bytes += piece.byteLength;
		if (bytes < bytesOf(count)) continue;
		yield Buffer.concat(waiting);
		count++;
		[waiting, bytes] = [[], 0];
	}
	if (bytes > 0 || count === 0) yield Buffer.concat(waiting);
}
