import { eventColumns } from "../../../analytics/model/event-columns.ts";
import type { ImportDeps } from "./deps.ts";
import { refusePartitions } from "./quotas.ts";
import { type ReadWish, readApart } from "./read-apart.ts";
import { type ImportRow, updateRunning } from "./store.ts";
import { writeBesideHits } from "./write-beside-hits.ts";

/** Another run works on the import, or it was cancelled. */
export class Superseded extends Error {}

/** Milliseconds between two notes of how far the file is read. */
const TELL_EVERY_MS = 1000;
/** The rest is for the end. */
const MOST = 99;
const COLUMNS = Object.keys(eventColumns);

interface Run extends Pick<ReadWish, "done"> {
	readonly attempt: string;
	readonly signal: AbortSignal | undefined;
	readonly intake: NonNullable<ReadWish["intake"]>;
}

/**
 * Reads the file of an import, stores its rows where they are wanted, notes how far it is, and answers the report as JSON. Throws
 * `Superseded` as soon as another run works on the import, or none may; and as `readApart`.
 */
export async function readRows(deps: ImportDeps, row: ImportRow, { attempt, signal, ...wish }: Run): Promise<string> {
	const stop = new AbortController();
	const note = async (changes: Parameters<typeof updateRunning>[3]) => {
		if (!(await updateRunning(deps.metadata, row.import_id, attempt, changes))) throw new Superseded();
	};
	let read = 0;
	let noting = Promise.resolve();
	const stopNoting = deps.clock.every(TELL_EVERY_MS, () => {
		const progress_percent = Math.min(MOST, Math.floor((100 * read) / Math.max(1, row.file_size_bytes)));
		// A store that is away is found when the rows are to be noted.
		noting = noting
			.then(() => note({ progress_percent }))
			.catch((error: unknown) => {
				if (error instanceof Superseded) stop.abort(error);
			});
	});
	const reading = readApart(
		deps,
		{ ...fileOf(row), ...wish },
		{
			signal: signal === undefined ? stop.signal : AbortSignal.any([stop.signal, signal]),
			onBytes: (bytes) => {
				read = bytes;
			},
		},
	);
	let partitions = row.partitions;
	try {
		for (let next = await reading.next(); ; next = await reading.next()) {
			if (next.done === true) return JSON.stringify(next.value);
			const message = next.value;
			if (message.kind === "stored") await note({ batches_done: message.batches });
			else {
				if (message.months > partitions) {
					partitions = message.months;
					await refusePartitions(deps.metadata, row, partitions);
					await note({ partitions });
				}
				const deduplicationToken = `import-${row.import_id}-${message.token}`;
				await writeBesideHits(deps, () =>
					deps.eventStore.insert({ table: "events", columns: COLUMNS, tsv: message.tsv, deduplicationToken }),
				);
			}
		}
	} finally {
		stopNoting();
		await Promise.all([reading.return(undefined), noting]);
	}
}

const fileOf = (row: ImportRow): Pick<ReadWish, "source" | "file" | "context"> => ({
	source: row.source,
	file: { name: row.file_name, storedName: row.stored_name, bytes: row.file_size_bytes },
	context: { timezone: row.timezone, columnMap: JSON.parse(row.column_map) as Record<string, string> },
});
