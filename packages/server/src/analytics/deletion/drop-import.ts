import { type DeletingDeps, quotedName } from "./delete-rows.ts";

/** Writers have been told to stop, so rows do not return more often while they are dropped. */
const MAX_ROUNDS = 5;

/** Drops the rows of an import, which has partitions of its own, so that no other row is touched. May be repeated. */
export async function dropImport(deps: DeletingDeps, siteId: string, importId: string): Promise<void> {
	const { eventStore, cluster } = deps;
	try {
		for (let round = 0; round < MAX_ROUNDS; round++) {
			const partitions = await eventStore.query<{ partition: string }>({
				sql: "SELECT DISTINCT _partition_id AS partition FROM events WHERE import_id = {importId:String}",
				params: { importId },
				settings: { optimize_use_projections: 0 },
			});
			if (partitions.length === 0) return;
			for (const { partition } of partitions) {
				const id = quotedName(partition);
				if (cluster === undefined) await eventStore.command(`ALTER TABLE events DROP PARTITION ID ${id}`);
				else {
					const on = "ALTER TABLE events_local ON CLUSTER {cluster:Identifier}";
					await eventStore.command(`${on} DROP PARTITION ID ${id}`, { cluster });
				}
			}
		}
	} finally {
		deps.revisions.bump(new Set([siteId]));
	}
	throw new Error("Rows of an import come as fast as they are dropped");
}
