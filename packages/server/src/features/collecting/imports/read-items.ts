import type { ImportDeps } from "./deps.ts";
import type { ImportedItem, ImportFormat, ImportSource } from "./formats/format.ts";
import { importFormats } from "./formats/index.ts";
import { type ImportRow, updateRunning } from "./store.ts";
import { storedFile } from "./stored-file.ts";
import { Superseded } from "./superseded.ts";

/** Milliseconds between two notes of how far the file is read. */
const TELL_EVERY_MS = 1000;
/** The rest is for the end. */
const MOST = 99;

/** The format of a source. */
export function formatOf(source: ImportSource): ImportFormat {
	const format = importFormats[source];
	if (format === undefined) throw new Error(`No format reads ${source}`);
	return format;
}

/**
 * Hands the items of an import's file on in the order of the file, and notes how far it is. Throws `Superseded` as soon as
 * another run works on the import, or none may.
 */
export async function readItems(
	deps: Pick<ImportDeps, "metadata" | "files" | "clock">,
	row: ImportRow,
	{ attempt, signal }: { readonly attempt: string; readonly signal: AbortSignal | undefined },
	take: (items: readonly ImportedItem[]) => Promise<void>,
): Promise<void> {
	let read = 0;
	const file = storedFile(deps, row, (bytes) => {
		read = bytes;
	});
	const columnMap = JSON.parse(row.column_map) as Record<string, string>;
	let told = deps.clock.monotonic();
	for await (const items of formatOf(row.source).read(file, { timezone: row.timezone, columnMap, signal })) {
		signal?.throwIfAborted();
		await take(items);
		if (deps.clock.monotonic() - told < TELL_EVERY_MS) continue;
		told = deps.clock.monotonic();
		const progress_percent = Math.min(MOST, Math.floor((100 * read) / Math.max(1, row.file_size_bytes)));
		if (!(await updateRunning(deps.metadata, row.import_id, attempt, { progress_percent }))) throw new Superseded();
	}
}
