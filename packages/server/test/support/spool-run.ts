import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { Loader } from "../../src/features/collecting/collect/spool/loader.ts";
import { Spool } from "../../src/features/collecting/collect/spool/spool.ts";
import type { SpoolFiles } from "../../src/features/collecting/collect/spool/spool-files.ts";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import type { Clock } from "../../src/platform/lib/clock.ts";
import type { Log } from "../../src/platform/log/log.ts";
import { fastClock } from "./test-clock.ts";
import { silentLog } from "./test-store.ts";

/** Makes an empty directory at each call; all are removed after the tests of the file. */
export function freshDirectories(): () => string {
	const root = mkdtempSync(join(tmpdir(), "footfall-spool-"));
	after(() => rmSync(root, { recursive: true }));
	return () => mkdtempSync(join(root, "run-"));
}

interface SpoolRunOptions {
	readonly directory: string;
	readonly store: Pick<EventStore, "insert">;
	readonly files?: SpoolFiles;
	readonly log?: Log;
	/** One for which time passes faster when absent. */
	readonly clock?: Clock;
}

/** A spool with its loader, as a collector runs them. */
export async function runSpool({ directory, store, files, log = silentLog, clock = fastClock }: SpoolRunOptions) {
	const spool = await Spool.open({ directory, maxBytes: 1e9, clock, log, ...(files && { files }) });
	const stored: (ReadonlySet<string> | "all")[] = [];
	let next = Promise.withResolvers<void>();
	const loader = new Loader({
		spool,
		store,
		clock,
		log,
		onStored: (sites) => {
			stored.push(sites);
			next.resolve();
			next = Promise.withResolvers();
		},
	});
	loader.start();
	return {
		spool,
		loader,
		/** Calls of `onStored`. */
		stored,
		/** Resolves when rows have gone into the event store the next time. */
		nextStored: () => next.promise,
		/** Resolves when the rows are durable. */
		append: (events: string, botHits = "", site = "site") =>
			new Promise<void>((resolve, reject) => {
				const rows = `${events}${botHits}`.split("\n").length - 1;
				spool.append(site, events, botHits, rows, (error) => (error === undefined ? resolve() : reject(error)));
			}),
		/** Resolves when the event store has everything. */
		drain: async () => {
			do await loader.flush();
			while (!loader.isDrained);
		},
		close: async () => {
			await loader.stop();
			await spool.close();
		},
		/** Ends like a crash, without a last write; its open handles stay. */
		abandon: () => loader.stop(),
	};
}
