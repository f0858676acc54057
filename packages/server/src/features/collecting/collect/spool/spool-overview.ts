import { basename, join } from "node:path";
import { readJournal } from "./load-journal.ts";
import { listRefused, markRefused } from "./refused-folder.ts";
import { segmentsAmong } from "./segment.ts";
import { faultCode, machineFiles } from "./spool-files.ts";

/** Content of a spool, seen from outside of the service that owns it. */
export interface SpoolOverview {
	/** Bytes of hits that wait for the event store. */
	readonly waitingBytes: number;
	/** Names of the files in which they lie. */
	readonly waitingFiles: readonly string[];
	/** Files of rows that were set aside. */
	readonly refused: readonly {
		readonly file: string;
		readonly rows: number;
		readonly state: "refused" | "to be tried again" | "damaged";
	}[];
}

const spoolOf = (dataDir: string): string => join(dataDir, "spool");

/** Looks at the spool of a data directory; the service may be running. */
export async function spoolOverview(dataDir: string): Promise<SpoolOverview> {
	const directory = spoolOf(dataDir);
	const names = await machineFiles.list(directory).catch((error: unknown): string[] => {
		if (faultCode(error) === "ENOENT") return [];
		throw error;
	});
	const { entries } = await readJournal(machineFiles, directory);
	let waitingBytes = 0;
	const waitingFiles: string[] = [];
	for (const { path, id } of segmentsAmong(directory, names).segments) {
		const size = await machineFiles.size(path).catch(() => 0);
		const waiting = Math.max(0, size - (entries.done.get(id)?.offset ?? 0));
		waitingBytes += waiting;
		if (waiting > 0) waitingFiles.push(basename(path));
	}
	const refused = (await listRefused(machineFiles, directory)).map(({ name, kind, rows, isMarked }) => ({
		file: name,
		rows,
		state: kind === "damage" ? ("damaged" as const) : isMarked ? ("to be tried again" as const) : ("refused" as const),
	}));
	return { waitingBytes, waitingFiles, refused };
}

/** Asks the service that owns a data directory to try all refused rows again, now or at its next start: the number of files. */
export const retryAllRefused = (dataDir: string): Promise<number> => markRefused(machineFiles, spoolOf(dataDir));
