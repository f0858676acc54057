/** Rows of one record, or a part of them. */
export interface Part {
	/** Where the record begins in its segment. */
	readonly at: number;
	/** Which of the record's rows of this table is the first here. */
	readonly first: number;
	/** Lines, each ended by a line feed. */
	readonly bytes: Uint8Array;
}

/** Rows of one table that go into the event store together, under one token. */
export interface Batch {
	readonly token: string;
	readonly parts: readonly Part[];
}

/** A place between two rows: before this row of the record that begins there. */
export interface Cut {
	readonly at: number;
	readonly row: number;
}

const LINE_FEED = 0x0a;

export function countLines(bytes: Uint8Array): number {
	let count = 0;
	for (let at = bytes.indexOf(LINE_FEED); at !== -1; at = bytes.indexOf(LINE_FEED, at + 1)) count++;
	return count;
}

/** The middle of a batch; undefined when it is a single row. */
export function middleOf({ parts }: Batch): Cut | undefined {
	const part = parts[Math.ceil(parts.length / 2)];
	if (part !== undefined) return { at: part.at, row: part.first };
	const [only] = parts;
	const rows = only === undefined ? 0 : countLines(only.bytes);
	return only === undefined || rows < 2 ? undefined : { at: only.at, row: only.first + Math.floor(rows / 2) };
}

/**
 * The rows before a cut and those behind it, under tokens made of the batch's own. Where the cut is noted, the halves are
 * the same in every run, also when a record between has been lost meanwhile; a half without rows is left out.
 */
export function halve({ token, parts }: Batch, cut: Cut): Batch[] {
	const before: Part[] = [];
	const behind: Part[] = [];
	for (const part of parts) {
		const cutAt = part.at === cut.at ? offsetOfLine(part.bytes, cut.row - part.first) : part.at < cut.at ? Infinity : 0;
		const [head, tail] = [part.bytes.subarray(0, cutAt), part.bytes.subarray(Math.min(cutAt, part.bytes.length))];
		if (head.length > 0) before.push({ ...part, bytes: head });
		if (tail.length > 0) behind.push({ at: part.at, first: head.length > 0 ? cut.row : part.first, bytes: tail });
	}
	return [
		{ token: `${token}.0`, parts: before },
		{ token: `${token}.1`, parts: behind },
	].filter((half) => half.parts.length > 0);
}

function offsetOfLine(bytes: Uint8Array, line: number): number {
	let offset = 0;
	for (let n = 0; n < line && offset < bytes.length; n++) {
		const end = bytes.indexOf(LINE_FEED, offset);
		offset = end === -1 ? bytes.length : end + 1;
	}
	return offset;
}
