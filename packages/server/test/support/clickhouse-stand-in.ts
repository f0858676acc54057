import assert from "node:assert/strict";
import { join } from "node:path";
import { publishedAddress } from "../../src/platform/event-store/embedded/published-address.ts";
import { openTestStore } from "./test-store.ts";
import { unsteadyServer } from "./unsteady-server.ts";

/** An embedded engine that is reached over TCP, as a ClickHouse server is. */
export async function clickHouseStandIn() {
	const { store, dataDir, remove } = await openTestStore();
	const { address } = publishedAddress(join(dataDir, "events-run")).read() ?? assert.fail("the engine does not run");
	const server = await unsteadyServer(address.socketPath ?? assert.fail("the engine has no socket"));
	await server.comeBack();
	const reached = new URL(address.url);
	reached.host = `127.0.0.1:${server.port}`;
	return {
		url: reached.href,
		/** Between its clients and the engine. */
		server,
		/** The engine itself, whatever the server does. */
		store,
		async empty(): Promise<void> {
			const sql = "SELECT name FROM system.tables WHERE database = currentDatabase()";
			for (const { name } of await store.query<{ name: string }>({ sql }))
				await store.command(`DROP TABLE ${name} SYNC`);
		},
		async close(): Promise<void> {
			await server.close();
			await remove();
		},
	};
}
