const LINE_FEED = 0x0a;

/** Cuts line-delimited rows into slices of at most `rowsASlice` rows, without copying; the last row may lack its line feed. */
export function sliceRows(body: Buffer, rowsASlice: number): Buffer[] {
	const slices: Buffer[] = [];
	let start = 0;
	let rows = 0;
	let from = 0;
	for (;;) {
		const end = body.indexOf(LINE_FEED, from);
		if (end === -1) break;
		from = end + 1;
		rows++;
		if (rows === rowsASlice) {
			slices.push(body.subarray(start, from));
			start = from;
			rows = 0;
		}
	}
	if (start < body.length) slices.push(body.subarray(start));
	return slices;
}
