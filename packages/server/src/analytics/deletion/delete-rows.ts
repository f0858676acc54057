import type { EventStore } from "../../platform/event-store/event-store.ts";
import type { Clock } from "../../platform/lib/clock.ts";
import type { EventRevisions } from "../query/engine/event-revisions.ts";
import { type DoomedDays, type DoomedRows, goingOn, rowsOfDays, rowsOfVisits } from "./doomed-rows.ts";

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
export function quotedName(name: string): string {
	if (!/^[\w-]{1,200}$/.test(name)) throw new Error("Not a name of the engine's");
	return `'${name}'`;
}
