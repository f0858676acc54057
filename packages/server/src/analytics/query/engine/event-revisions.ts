import type { EventInsert, EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";

/** Slugs of the sites that something is about. */
export type Sites = readonly string[] | "all";

/** Tells whether what is stored may have changed since an answer was made. */
export interface EventRevisions {
	/** Rows of these sites were stored, changed or deleted. */
	bump(sites: ReadonlySet<string> | "all"): void;
	/** Changes when rows of one of these sites may have; undefined when that cannot be told. */
	of(sites: Sites): string | undefined | Promise<string | undefined>;
}

/** The revisions of a store that this process alone writes to. */
export function createEventRevisions(): EventRevisions {
	const bySite = new Map<string, number>();
	let latest = 0;
	let ofAll = 0;
	return {
		bump(sites) {
			latest += 1;
			if (sites === "all") ofAll = latest;
			else for (const site of sites) bySite.set(site, latest);
		},
		of: (sites) =>
			String(sites === "all" ? latest : sites.reduce((last, site) => Math.max(last, bySite.get(site) ?? 0), ofAll)),
	};
}

/** The store, whose revisions change with every insert and command, also with one that may have failed half-way. */
export function noteChanges<Store extends EventStore>(store: Store, revisions: Pick<EventRevisions, "bump">): Store {
	return {
		...store,
		insert: (insert: EventInsert) => store.insert(insert).finally(() => revisions.bump(sitesIn(insert))),
		command: (...command: Parameters<EventStore["command"]>) =>
			store.command(...command).finally(() => revisions.bump("all")),
	};
}

const [LINE_FEED, TAB] = [10, 9];

/** The sites of the rows: the first field of each, in which nothing is ever escaped. */
function sitesIn({ columns, tsv }: EventInsert): ReadonlySet<string> | "all" {
	if (columns[0] !== "site") return "all";
	const bytes = Buffer.from(tsv.buffer, tsv.byteOffset, tsv.byteLength);
	const sites = new Set<string>();
	for (let start = 0; start < bytes.length; start = endOf(bytes, LINE_FEED, start) + 1) {
		sites.add(bytes.toString("latin1", start, endOf(bytes, TAB, start)));
	}
	return sites;
}

function endOf(bytes: Buffer, character: number, from: number): number {
	const at = bytes.indexOf(character, from);
	return at < 0 ? bytes.length : at;
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
export function createStoredRevisions({
	eventStore,
	clock,
	cluster,
}: {
	readonly eventStore: Pick<EventStore, "query">;
	readonly clock: Pick<Clock, "monotonic">;
	readonly cluster?: string | undefined;
}): EventRevisions {
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
