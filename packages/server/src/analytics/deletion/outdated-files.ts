import { ServiceError } from "../../platform/errors/service-error.ts";
import type { DeletingDeps } from "./delete-rows.ts";

/**
 * The event store's clock, in whole seconds since the Unix epoch: files replaced until now hold rows deleted before.
 */
export async function engineSeconds({ eventStore }: Pick<DeletingDeps, "eventStore">): Promise<number> {
	const [row] = await eventStore.query<{ now: number }>({ sql: "SELECT toUnixTimestamp(now()) AS now" });
	return row?.now ?? 0;
}

/**
 * How many files of rows the engine replaced until a moment of its clock and has not removed yet: it keeps them for some
 * minutes, for the case of a power cut. None where the server does not tell.
 */
export async function outdatedFiles(
	{ eventStore, cluster }: Pick<DeletingDeps, "eventStore" | "cluster">,
	until: number,
): Promise<number> {
	const parts = cluster === undefined ? "system.parts" : "clusterAllReplicas({cluster:String}, system.parts)";
	const query = {
		sql: `SELECT count() AS files FROM ${parts}
WHERE database = currentDatabase() AND NOT active AND table IN ('events', 'events_local', 'bot_hits', 'bot_hits_local')
	AND toUnixTimestamp(remove_time) <= {until:UInt32} AND rows > 0`,
		params: cluster === undefined ? { until } : { until, cluster },
	};
	const [row] = await eventStore.query<{ files: number }>(query).catch((error: unknown) => {
		// A server that does not show its parts.
		if (error instanceof ServiceError && error.code === "database_error") return [];
		throw error;
	});
	return row?.files ?? 0;
}
