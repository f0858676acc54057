import { fork } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { openEventStore } from "../../src/platform/event-store/open-event-store.ts";
import { newDirectory } from "./new-directory.ts";
import { silentLog } from "./test-store.ts";

/** An engine that is reached over TCP, as a ClickHouse server is, and has a disk for backups, `backups`. */
export async function clickHouseWithDisk() {
	const dataDir = newDirectory();
	const disk = join(dataDir, "backups");
	mkdirSync(disk);
	const child = fork(join(import.meta.dirname, "clickhouse-engine.ts"), [join(dataDir, "events"), disk, "secret"]);
	const [{ port }] = (await once(child, "message")) as [{ readonly port: number }];
	const url = `http://default:secret@127.0.0.1:${port}`;
	const store = await openEventStore({ clickhouseUrl: url, dataDir, log: silentLog });
	return {
		url,
		/** Directory of the disk. */
		disk,
		store,
		async empty(): Promise<void> {
			const sql = "SELECT name FROM system.tables WHERE database = currentDatabase()";
			for (const { name } of await store.query<{ name: string }>({ sql }))
				await store.command(`DROP TABLE ${name} SYNC`);
		},
		async close(): Promise<void> {
			await store.close();
			child.disconnect();
			await once(child, "exit");
		},
	};
}
