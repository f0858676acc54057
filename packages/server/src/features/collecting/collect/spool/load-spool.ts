import { existsSync } from "node:fs";
import { join } from "node:path";
import type { EventStore } from "../../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../../platform/lib/clock.ts";
import { within } from "../../../../platform/lib/within.ts";
import type { Log } from "../../../../platform/log/log.ts";
import { Loader } from "./loader.ts";
import { Spool } from "./spool.ts";

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
	const directory = join(dataDir, "spool");
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
