import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEventStore } from "../../src/platform/event-store/open-event-store.ts";
import type { Log } from "../../src/platform/log/log.ts";

export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** An embedded store on a new directory of its own, with both removed by `remove`. */
export async function openTestStore(options: { memoryBytes?: number } = {}) {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-events-"));
	const openStore = () => openEventStore({ dataDir, log: silentLog, ...options });
	let store = await openStore();
	return {
		get store() {
			return store;
		},
		dataDir,
		async crash() {
			process.kill(store.childPid() ?? 0, "SIGKILL");
			await store.close();
			store = await openStore();
		},
		async remove() {
			await store.close();
			rmSync(dataDir, { recursive: true, force: true });
		},
	};
}
