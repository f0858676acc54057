import type { EventStore } from "../../packages/server/src/platform/event-store/event-store.ts";
import { openEventStore } from "../../packages/server/src/platform/event-store/open-event-store.ts";

const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** Opens the embedded store of a service that does not run, and closes it again. */
export async function withStore<Result>(
	dataDir: string,
	work: (store: EventStore) => Promise<Result>,
): Promise<Result> {
	const store = await openEventStore({ dataDir, log: silent });
	try {
		return await work(store);
	} finally {
		await store.close();
	}
}

/** Rows of a table and its bytes on disk, projections included. */
export function tableSizes(dataDir: string, table: string): Promise<{ rows: number; bytes: number }> {
	return withStore(dataDir, async (store) => {
		const [sizes] = await store.query<{ rows: number; bytes: number }>({
			sql: "SELECT sum(rows) AS rows, sum(bytes_on_disk) AS bytes FROM system.parts WHERE active AND database = currentDatabase() AND table = {table:String}",
			params: { table },
		});
		return sizes ?? { rows: 0, bytes: 0 };
	});
}
