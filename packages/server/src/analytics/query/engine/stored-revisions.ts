import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { createEventRevisions, type EventRevisions } from "./event-revisions.ts";

interface StoredRevisionsDeps {
	readonly eventStore: Pick<EventStore, "query">;
	readonly clock: Pick<Clock, "monotonic">;
	/** Name of the cluster that holds the tables; one server when absent. */
	readonly cluster?: string | undefined;
}

/** How much older than what is stored an answer from memory may be. */
const EVERY_MS = 1000;

// Parts get higher numbers with every insert, and a version with every mutation, but neither when they are merged.
const newest = (parts: string) => `SELECT toString(sum(cityHash64(place, newest, version))) AS revision
FROM (
SELECT (hostName(), database, table, partition_id) AS place,
	max(max_block_number) AS newest,
	maxIf(data_version, data_version > max_block_number) AS version
FROM ${parts}
WHERE active
	AND table IN ('events', 'events_local', 'bot_hits', 'bot_hits_local')
GROUP BY place
) AS places`;

/**
 * Revisions of a store that other processes write to as well: its list of parts, read at most once a second and one for all sites,
 * as a part holds rows of many; and this process's own changes by site, which count at once. A question that is not kept may read rows of after
 * that list: its answer is kept under the older revision, and so until the next list. Undefined if the store does not list its
 * parts.
 */
export function createStoredRevisions(deps: StoredRevisionsDeps): EventRevisions {
	const { eventStore, clock, cluster } = deps;
	const own = createEventRevisions();
	const parts = cluster === undefined ? "system.parts" : "clusterAllReplicas({cluster:String}, system.parts)";
	const query = { sql: newest(parts), params: cluster === undefined ? {} : { cluster } };
	let readAt = Number.NEGATIVE_INFINITY;
	let stored: Promise<string | undefined> = Promise.resolve(undefined);
	const read = () =>
		eventStore.query<{ revision: string }>(query).then(
			([row]) => row?.revision,
			() => undefined,
		);
	return {
		bump: own.bump,
		async of(sites) {
			if (clock.monotonic() - readAt >= EVERY_MS) {
				readAt = clock.monotonic();
				stored = read();
			}
			const revision = await stored;
			return revision === undefined ? undefined : `${own.of(sites)} ${revision}`;
		},
	};
}
