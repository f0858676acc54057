import { Loader } from "../../src/features/collecting/collect/spool/loader.ts";
import { Spool } from "../../src/features/collecting/collect/spool/spool.ts";
import type { SpoolFiles } from "../../src/features/collecting/collect/spool/spool-files.ts";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import type { Clock } from "../../src/platform/lib/clock.ts";
import type { Log } from "../../src/platform/log/log.ts";
import { ModelStore } from "./model-store.ts";
import { newDirectory } from "./new-directory.ts";
import { fastClock } from "./test-clock.ts";
import { silentLog } from "./test-store.ts";

/** Makes an empty directory at each call. */
export const freshDirectories = () => newDirectory;

interface SpoolRunOptions {
	readonly directory: string;
	/** A model when absent. */
	readonly store?: Pick<EventStore, "insert">;
	readonly files?: SpoolFiles;
	readonly log?: Log;
	/** One for which time passes faster when absent. */
	readonly clock?: Clock;
}

/** A spool with its loader, as a collector runs them. */
export async function runSpool({ directory, store, files, log = silentLog, clock = fastClock }: SpoolRunOptions) {
	const spool = await Spool.open({ directory, maxBytes: 1e9, clock, log, ...(files && { files }) });
	const model = new ModelStore();
	const stored: (ReadonlySet<string> | "all")[] = [];
	let next = Promise.withResolvers<void>();
	const onStored = (sites: ReadonlySet<string> | "all") => {
		stored.push(sites);
		next.resolve();
		next = Promise.withResolvers();
	};
	const loader = new Loader({ spool, store: store ?? model, clock, log, onStored });
	loader.start();
	const close = async () => {
		await loader.stop();
		await spool.close();
	};
	return {
		spool,
		loader,
		/** The event store where none was given. */
		model,
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
		close,
		[Symbol.asyncDispose]: close,
		/** Ends like a crash, without a last write; its open handles stay. */
		abandon: () => loader.stop(),
	};
}
