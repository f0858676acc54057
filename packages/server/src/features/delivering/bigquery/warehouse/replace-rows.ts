import type { BigQuery, BigQueryJob } from "../google/big-query.ts";
import {
	clearStatement,
	loadedSchema,
	mergeStatement,
	parametersOf,
	type Replacement,
	resourceOf,
	type WarehouseTable,
} from "./table.ts";

export interface Amount {
	readonly rows: number;
	readonly bytes: number;
}

export interface Warehouse {
	readonly bigQuery: BigQuery;
	/** `project.dataset`. */
	readonly dataset: string;
	readonly now: () => number;
}

/** Rows that are loaded beside their table, to be put into it. */
export interface Loaded {
	readonly table: WarehouseTable;
	readonly amount: Amount;
	/** Undefined when there are none. */
	readonly staged: { readonly name: string; readonly job: BigQueryJob } | undefined;
}

const STAGED_FOR_MS = 24 * 3_600_000;

/** One for a sync and a table, so that a new attempt takes over the remains of an earlier one. */
const stagingName = (table: WarehouseTable, syncId: string): string =>
	`footfall_staging_${syncId.replaceAll("-", "")}_${table.name}`;

/** Uploads rows, an object of JSON a line, beside their table. */
export async function loadRows(
	{ bigQuery, now }: Warehouse,
	table: WarehouseTable,
	syncId: string,
	rows: AsyncIterable<Uint8Array>,
): Promise<Loaded> {
	const name = stagingName(table, syncId);
	const counted = countRows(rows);
	const first = await counted.pieces.next();
	if (first.done === true) return { table, amount: counted.amount(), staged: undefined };
	// Staged rows expire even if this process ends.
	const expirationTime = String(now() + STAGED_FOR_MS);
	await bigQuery.createTable(name, { schema: loadedSchema(table), expirationTime });
	const job = await bigQuery.load(name, loadedSchema(table), after(first.value, counted.pieces));
	return { table, amount: counted.amount(), staged: { name, job } };
}

/** Puts loaded rows in the place of those that the site had. */
export async function placeRows(
	{ bigQuery, dataset }: Warehouse,
	{ table, staged }: Loaded,
	replacement: Replacement,
): Promise<void> {
	const target = `${dataset}.${table.name}`;
	const parameters = parametersOf(table, replacement);
	if (staged === undefined) {
		await bigQuery.end(await bigQuery.begin(clearStatement(table, target), parameters));
		return;
	}
	await bigQuery.end(staged.job);
	const merge = mergeStatement(table, target, `${dataset}.${staged.name}`);
	await bigQuery.end(await bigQuery.begin(merge, parameters));
	await bigQuery.dropTable(staged.name);
}

export async function ensureTables({ bigQuery }: Warehouse, tables: readonly WarehouseTable[]): Promise<void> {
	for (const table of tables) {
		if (!(await bigQuery.hasTable(table.name))) await bigQuery.createTable(table.name, resourceOf(table));
	}
}

/** Rows that are made here, an object of JSON a line. */
export async function* linesOf(rows: readonly object[]): AsyncGenerator<Uint8Array> {
	if (rows.length > 0) yield Buffer.from(rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

const LINE_FEED = 0x0a;

function countRows(source: AsyncIterable<Uint8Array>) {
	let [rows, bytes] = [0, 0];
	async function* pieces(): AsyncGenerator<Uint8Array, undefined> {
		for await (const piece of source) {
			bytes += piece.byteLength;
			for (let at = piece.indexOf(LINE_FEED); at >= 0; at = piece.indexOf(LINE_FEED, at + 1)) rows++;
			yield piece;
		}
	}
	return { pieces: pieces(), amount: (): Amount => ({ rows, bytes }) };
}

async function* after(first: Uint8Array, rest: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	yield first;
	yield* rest;
}
