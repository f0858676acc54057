import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EventStore } from "../../src/platform/event-store/event-store.ts";
import { openEventStore } from "../../src/platform/event-store/open-event-store.ts";
import type { Log } from "../../src/platform/log/log.ts";

/** A log that keeps nothing. */
export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** An embedded store on a new directory of its own, with both removed by `remove`. */
export interface TestStore {
	readonly store: EventStore & { readonly childPid: () => number | undefined };
	readonly dataDir: string;
	remove(): Promise<void>;
}

/** Opens an embedded store for tests. */
export async function openTestStore(options: { memoryBytes?: number } = {}): Promise<TestStore> {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-events-"));
	const store = await openEventStore({ dataDir, log: silentLog, ...options });
	return {
		store,
		dataDir,
		async remove() {
			await store.close();
			rmSync(dataDir, { recursive: true, force: true });
		},
	};
}

/** Repeats `check` until it no longer throws; its last error when it still does after `withinMs`. */
export async function eventually(check: () => Promise<void>, withinMs = 10_000): Promise<void> {
	const deadline = performance.now() + withinMs;
	for (;;) {
		try {
			return await check();
		} catch (error) {
			if (performance.now() > deadline) throw error;
			await new Promise((resolve) => setTimeout(resolve, 20));
		}
	}
}
