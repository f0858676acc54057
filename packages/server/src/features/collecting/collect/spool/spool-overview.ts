import { existsSync } from "node:fs";
import { basename, join } from "node:path";
import type { EventStore } from "../../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../../platform/lib/clock.ts";
import { within } from "../../../../platform/lib/within.ts";
import type { Log } from "../../../../platform/log/log.ts";
import { readJournal } from "./load-journal.ts";
import { Loader } from "./loader.ts";
import { listRefused, markRefused } from "./refused-folder.ts";
import { segmentsAmong } from "./segment.ts";
import { Spool } from "./spool.ts";
import { machineFiles, unlessMissing } from "./spool-files.ts";

const spoolOf = (dataDir: string): string => join(dataDir, "spool");

/** The spool of a data directory, also while the service runs: waiting bytes, their files, and files of rows that were set aside. */
export async function spoolOverview(dataDir: string) {
	const directory = spoolOf(dataDir);
	const names = await unlessMissing(machineFiles.list(directory), []);
	const { entries } = await readJournal(machineFiles, directory);
	let waitingBytes = 0;
	const waitingFiles: string[] = [];
	for (const { path, id } of segmentsAmong(directory, names).segments) {
		const size = await machineFiles.size(path).catch(() => 0);
		const waiting = Math.max(0, size - (entries.done.get(id)?.offset ?? 0));
		waitingBytes += waiting;
		if (waiting > 0) waitingFiles.push(basename(path));
	}
	const refused = (await listRefused(machineFiles, directory)).map(({ name, isDamage, rows, isMarked }) => ({
		file: name,
		rows,
		state: isDamage ? ("damaged" as const) : isMarked ? ("to be tried again" as const) : ("refused" as const),
	}));
	return { waitingBytes, waitingFiles, refused };
}

/** Asks the service that owns a data directory to try all refused rows again, now or at its next start: the number of files. */
export const retryAllRefused = (dataDir: string): Promise<number> => markRefused(machineFiles, spoolOf(dataDir));

const WITHIN_MS = 30 * 60_000;

interface LoadSpoolDeps {
	readonly dataDir: string;
	readonly store: Pick<EventStore, "insert">;
	readonly clock: Clock;
	readonly log: Log;
	/** Disk budget of the collector; nothing may exceed it. */
	readonly maxBytes: number;
}

/** Brings all that waits in the spool of a directory into the event store; only for who has the directory. Throws when it takes too long. */
export async function loadSpool({ dataDir, store, clock, log, maxBytes }: LoadSpoolDeps): Promise<void> {
	const directory = spoolOf(dataDir);
	if (!existsSync(directory)) return;
	const spool = await Spool.open({ directory, maxBytes, clock, log });
	const loader = new Loader({ spool, store, clock, log, onStored: () => undefined });
	try {
		loader.start();
		const loaded = await within(
			clock,
			WITHIN_MS,
			loader.hold().isStill.then(() => true),
		);
		if (loaded === undefined) throw new Error("The event store does not take the hits that wait in the spool");
	} finally {
		await loader.stop();
		await spool.close();
	}
}
