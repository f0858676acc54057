import type { FileContent } from "../../../analytics/query/files/file-content.ts";

/** Percent between two notes of the progress. */
const STEP = 5;
/** The rest is for the end: the file is stored, the link made. */
const MOST = 99;

/** The pieces of a file, with a note whenever another part of its rows has passed. */
export async function* withProgress(
	content: FileContent,
	estimatedRows: number,
	tell: (percent: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
	let told = 0;
	for await (const piece of content) {
		yield piece;
		const percent = Math.min(MOST, Math.floor((100 * (content.rows() ?? 0)) / Math.max(1, estimatedRows)));
		if (percent < told + STEP) continue;
		told = percent;
		await tell(percent);
	}
}
