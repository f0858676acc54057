import { ServiceError } from "../../platform/errors/service-error.ts";
import type { EventQuery, EventStore } from "../../platform/event-store/event-store.ts";
import type { Clock } from "../../platform/lib/clock.ts";
import type { EventRevisions } from "../query/engine/event-revisions.ts";

/** Dependencies of deletions. */
export interface DeletingDeps {
	readonly clock: Clock;
	/** Store whose cached answers are dropped. */
	readonly eventStore: EventStore;
	readonly revisions: Pick<EventRevisions, "bump">;
	/** Name of the cluster that holds the tables; one server when absent. */
	readonly cluster?: string | undefined;
}

/** How far a deletion has got. */
interface Watching {
	readonly signal?: AbortSignal | undefined;
	/** Told the rows that are left, of those that were there at the beginning. */
	readonly onProgress?: (left: number, total: number) => Promise<void>;
}

const TABLES = ["events", "bot_hits"] as const;
/** A table with rows of hits. */
export type EventTable = (typeof TABLES)[number];

/** Visits named in one statement: their numbers stand in its address. */
const VISITS = 200;
/** Rows may come late, and parts be merged under one's hands; more often than this is a fault. */
const MAX_ROUNDS = 20;
/** All rows of a month are looked at. */
const MAX_SECONDS = 600;
const PAUSES_MS = [20, 50, 100, 250, 500, 1000];

interface Part {
	readonly partition: string;
	readonly part: string;
	readonly all: number;
	readonly doomed: number;
}

/** Deletes days of a site, suspicious hits among them: the number of rows. Done when none is left; may be repeated. */
export async function deleteDays(deps: DeletingDeps, days: DoomedDays, watching: Watching = {}): Promise<number> {
	// Before the rows by which they are known, so that a repetition finds what is left of them.
	const late = await deps.eventStore.query<{ session: string }>(goingOn(days));
	let deleted = 0;
	for (let from = 0; from < late.length; from += VISITS) {
		const sessions = late.slice(from, from + VISITS).map(({ session }) => session);
		deleted += await deleteFrom(deps, "events", rowsOfVisits(days, sessions), watching);
	}
	for (const table of TABLES) deleted += await deleteFrom(deps, table, rowsOfDays(days), watching);
	return deleted;
}

/** Deletes rows, suspicious hits among them: the number of rows. */
export async function deleteRows(deps: DeletingDeps, rows: DoomedRows, watching: Watching = {}): Promise<number> {
	let deleted = 0;
	for (const table of TABLES) deleted += await deleteFrom(deps, table, rows, watching);
	return deleted;
}

/** Deletes rows of one table, by a condition on its own columns: the number of rows. */
export const deleteOfTable = (deps: DeletingDeps, table: EventTable, rows: DoomedRows): Promise<number> =>
	deleteFrom(deps, table, rows, {});

/**
 * Looks what is there, deletes it, and looks again until nothing is. Parts of which nothing is kept are dropped; from others the
 * rows are taken by mutations, which the engine goes on with by itself when this process or the engine's own ends.
 */
async function deleteFrom(
	deps: DeletingDeps,
	table: EventTable,
	rows: DoomedRows,
	watching: Watching,
): Promise<number> {
	let total = 0;
	try {
		for (let round = 0; round < MAX_ROUNDS; round++) {
			await mutationsEnd(deps, table, watching.signal);
			const parts = await partsWith(deps, table, rows);
			const left = parts.reduce((sum, { doomed }) => sum + doomed, 0);
			total = Math.max(total, left);
			if (total > 0) await watching.onProgress?.(left, total);
			if (left === 0) return total;
			await deleteOnce(deps, table, rows, parts);
		}
	} finally {
		deps.revisions.bump(rows.sites === "all" ? "all" : new Set(rows.sites));
	}
	throw new Error(`Rows of ${table} come as fast as they are deleted`);
}

async function deleteOnce(
	deps: DeletingDeps,
	table: EventTable,
	rows: DoomedRows,
	parts: readonly Part[],
): Promise<void> {
	const { eventStore, cluster } = deps;
	if (cluster !== undefined) {
		await eventStore.command(
			`ALTER TABLE ${table}_local ON CLUSTER {cluster:Identifier} DELETE WHERE ${rows.condition}`,
			{
				...rows.params,
				cluster,
			},
		);
		return;
	}
	for (const [partition, ofOne] of Map.groupBy(parts, (part) => part.partition)) {
		if (ofOne.every(({ doomed }) => doomed === 0)) continue;
		const isWhole = ofOne.every(({ all, doomed }) => all === doomed);
		if (isWhole && (await dropParts(eventStore, table, ofOne))) continue;
		const where = `IN PARTITION ID ${quotedName(partition)} WHERE ${rows.condition}`;
		await eventStore.command(`ALTER TABLE ${table} DELETE ${where}`, rows.params);
	}
}

/** A part never changes, so that nothing else goes with it; false when one was merged meanwhile. */
async function dropParts(eventStore: EventStore, table: EventTable, parts: readonly Part[]): Promise<boolean> {
	try {
		for (const { part } of parts) await eventStore.command(`ALTER TABLE ${table} DROP PART ${quotedName(part)}`);
		return true;
	} catch {
		return false;
	}
}

/** All parts of the partitions that hold such rows; a cluster is one. */
async function partsWith(
	{ eventStore, cluster }: DeletingDeps,
	table: EventTable,
	{ condition, params }: DoomedRows,
): Promise<Part[]> {
	const settings = { max_execution_time: MAX_SECONDS };
	if (cluster !== undefined) {
		const sql = `SELECT '' AS partition, '' AS part, count() AS all, count() AS doomed FROM ${table} WHERE ${condition}`;
		return (await eventStore.query<Part>({ sql, params, settings })).filter(({ doomed }) => doomed > 0);
	}
	return eventStore.query<Part>({
		sql: `SELECT _partition_id AS partition, _part AS part, count() AS all, countIf(${condition}) AS doomed
FROM ${table}
WHERE _partition_id IN (SELECT DISTINCT _partition_id FROM ${table} WHERE ${condition})
GROUP BY partition, part
ORDER BY partition, part`,
		params,
		settings,
	});
}

/** Resolves when the engine has done all mutations of a table; throws for one that cannot be done. */
async function mutationsEnd(
	{ eventStore, clock, cluster }: DeletingDeps,
	table: EventTable,
	signal?: AbortSignal,
): Promise<void> {
	const mutations =
		cluster === undefined ? "system.mutations" : "clusterAllReplicas({cluster:String}, system.mutations)";
	const query = {
		sql: `SELECT count() AS running, max(latest_fail_reason) AS fault FROM ${mutations}
WHERE database = currentDatabase() AND table = {table:String} AND NOT is_done AND NOT is_killed`,
		params: cluster === undefined ? { table } : { table: `${table}_local`, cluster },
	};
	for (let turn = 0; ; turn++) {
		const [state] = await eventStore.query<{ running: number; fault: string }>(query);
		if (state === undefined || state.running === 0) return;
		if (state.fault !== "") throw new Error("The event store cannot delete rows", { cause: new Error(state.fault) });
		await clock.sleep(PAUSES_MS[Math.min(turn, PAUSES_MS.length - 1)] ?? 0, signal);
	}
}

/** A name of a partition or part of the engine, quoted for a statement. */
function quotedName(name: string): string {
	if (!/^[\w-]{1,200}$/.test(name)) throw new Error("Not a name of the engine's");
	return `'${name}'`;
}

/** Rows that are to be deleted, by a condition on columns that both tables of rows have. */
interface DoomedRows {
	/** SQL without values. */
	readonly condition: string;
	readonly params: NonNullable<EventQuery["params"]>;
	/** Sites that they belong to. */
	readonly sites: readonly string[] | "all";
}

/** Days of a site, bounds included, and until when what was received counts. */
export interface DoomedDays {
	readonly site: string;
	/** `YYYY-MM-DD`, as `to`; null = no bound. */
	readonly from: string | null;
	readonly to: string | null;
	/** Milliseconds since the Unix epoch. */
	readonly until: number;
}

// The first and the last day that a column of type Date can hold.
const [FIRST, LAST] = ["1970-01-01", "2149-06-06"];
const DAYS = "site = {site:String} AND date >= {from:Date} AND date <= {to:Date}";

const paramsOf = ({ site, from, to, until }: DoomedDays) => ({ site, from: from ?? FIRST, to: to ?? LAST, until });

/** The rows of some days of a site that were received until a moment. */
const rowsOfDays = (days: DoomedDays): DoomedRows => ({
	condition: `${DAYS} AND ts <= fromUnixTimestamp64Milli({until:Int64}, 'UTC')`,
	params: paramsOf(days),
	sites: [days.site],
});

/** Of these days what was received after that moment and belongs to visits that had begun by then. */
const rowsOfVisits = (days: DoomedDays, sessions: readonly string[]): DoomedRows => ({
	condition: `${DAYS} AND ts > fromUnixTimestamp64Milli({until:Int64}, 'UTC') AND session IN {sessions:Array(UInt64)}`,
	params: { ...paramsOf(days), sessions },
	sites: [days.site],
});

/** The rows of sites that are older than a day, each site its own. */
export const rowsBefore = (ends: readonly { readonly site: string; readonly before: string }[]): DoomedRows => ({
	condition: "date < transform(site, {sites:Array(String)}, {ends:Array(Date)}, toDate('1970-01-01'))",
	params: { sites: ends.map(({ site }) => site), ends: ends.map(({ before }) => before) },
	sites: ends.map(({ site }) => site),
});

/** The microconversions of all sites that are older than a day. */
export const microconversionsBefore = (before: string): DoomedRows => ({
	condition: "kind = 'microconversion' AND date < {before:Date}",
	params: { before },
	sites: "all",
});

/**
 * Visits that had begun when their days were to be deleted, and have later rows: hits of that very moment are stamped up to two
 * seconds later, and another process may have learned of the deletion some seconds late.
 */
const goingOn = (days: DoomedDays): EventQuery => ({
	sql: `SELECT DISTINCT toString(session) AS session FROM events
WHERE ${DAYS} AND import_id = ''
	AND ts > fromUnixTimestamp64Milli({until:Int64}, 'UTC') AND ts <= fromUnixTimestamp64Milli({until:Int64}, 'UTC') + INTERVAL 1 DAY
	AND session GLOBAL IN (
		SELECT session FROM events
		WHERE ${DAYS} AND import_id = '' AND ts <= fromUnixTimestamp64Milli({until:Int64}, 'UTC')
			AND ts > fromUnixTimestamp64Milli({until:Int64}, 'UTC') - INTERVAL 2 DAY
	)`,
	params: paramsOf(days),
});

/** Writers have been told to stop, so rows do not return more often while they are dropped. */
const MAX_DROPS = 5;

/** Drops the rows of an import, which has partitions of its own, so that no other row is touched. May be repeated. */
export async function dropImport(deps: DeletingDeps, siteId: string, importId: string): Promise<void> {
	const { eventStore, cluster } = deps;
	try {
		for (let round = 0; round < MAX_DROPS; round++) {
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
