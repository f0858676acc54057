import { readdirSync, readlinkSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Service } from "../faults/service.ts";
import { residentMegabytes } from "../support/process-figures.ts";

/** Measured values at one time that may grow. */
export interface Sample {
	readonly seconds: number;
	/** Resident megabytes of the main process and of the event store. */
	readonly mainMegabytes: number;
	readonly storeMegabytes: number;
	/** Open file descriptors of the main process and of the event store. */
	readonly mainFiles: number;
	readonly storeFiles: number;
	/** Those of the event store for each folder that it has some open in: parts come and go, each with a file a column. */
	readonly storeFilesAFolder: number;
	/** Those of the event store that are of files which were removed. */
	readonly storeRemovedFiles: number;
	/** Files below the data directory apart from the events, and their megabytes. */
	readonly files: number;
	readonly fileMegabytes: number;
}

export function takeSample(dataDir: string, service: Pick<Service, "pid" | "storePid">, atMs: number): Sample {
	const store = service.storePid() ?? 0;
	// The engine makes and removes folders all the time.
	const besides = readdirSync(dataDir).filter((name) => name !== "events");
	const files = besides.flatMap((name) => filesOf(join(dataDir, name)));
	const open = openFiles(store);
	const folders = new Set(open.filter((path) => path.includes(`${dataDir}/events`)).map(dirname));
	const bytes = files.reduce((sum, path) => sum + sizeOf(path), 0);
	return {
		seconds: Math.round(atMs / 1000),
		mainMegabytes: residentMegabytes(service.pid),
		storeMegabytes: residentMegabytes(store),
		mainFiles: openFiles(service.pid).length,
		storeFiles: open.length,
		storeFilesAFolder: open.length / Math.max(1, folders.size),
		storeRemovedFiles: open.filter((path) => path.endsWith(REMOVED)).length,
		files: files.length,
		fileMegabytes: bytes / 1e6,
	};
}

/** The kernel's suffix on the name of an open deleted file. */
const REMOVED = " (deleted)";

/** The files that a process has open, by their names; empty for one that was closed meanwhile. */
const openFiles = (pid: number): string[] =>
	readdirSync(`/proc/${pid}/fd`).map((descriptor) => {
		try {
			return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
		} catch {
			return "";
		}
	});

function filesOf(path: string): string[] {
	if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return [path];
	const entries = readdirSync(path, { recursive: true, withFileTypes: true });
	return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
}

/** Segments go while they are looked at. */
function sizeOf(path: string): number {
	return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
