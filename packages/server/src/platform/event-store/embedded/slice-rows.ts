const LINE_FEED = 0x0a;

/** The most that one slice may hold. */
export interface SliceLimits {
	readonly rows: number;
	/** A single row may be longer. */
	readonly bytes: number;
}

/** Cuts line-delimited rows into slices, without copying; the same rows always give the same slices. */
export function sliceRows(body: Buffer, limits: SliceLimits): Buffer[] {
	const slices: Buffer[] = [];
	let start = 0;
	let end = 0;
	let rows = 0;
	while (end < body.length) {
		const lineFeed = body.indexOf(LINE_FEED, end);
		const next = lineFeed === -1 ? body.length : lineFeed + 1;
		if (rows > 0 && (rows === limits.rows || next - start > limits.bytes)) {
			slices.push(body.subarray(start, end));
			start = end;
			rows = 0;
		}
		end = next;
		rows++;
	}
	if (start < body.length) slices.push(body.subarray(start));
	return slices;
}
