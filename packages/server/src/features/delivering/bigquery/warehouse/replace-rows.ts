import type { FileColumn } from "../../../../analytics/query/files/file-columns.ts";
import { DAY_MS } from "../../../../platform/lib/durations.ts";
import type { BigQuery, BigQueryParameter, TableResource } from "../google/big-query.ts";

export const dataTypes = [
	"traffic",
	"traffic_hourly",
	"conversions",
	"microconversions",
	"pages",
	"landing_pages",
	"accounts",
] as const;

export type DataType = (typeof dataTypes)[number];

export interface WarehouseColumn {
	readonly name: string;
	readonly type: "STRING" | "INT64" | "NUMERIC" | "DATE" | "TIMESTAMP" | "JSON";
	readonly mode: "REQUIRED" | "NULLABLE";
	readonly written: FileColumn["type"];
}

/** Which rows of a site a sync replaces: those of its days, all, or those of the sync itself. */
type Replaced = "days" | "site" | "sync";

/** A table of the warehouse, without the columns that all have. */
export interface WarehouseTable {
	readonly name: string;
	readonly description: string;
	/** The kind of data by which it is chosen; null = it is always there. */
	readonly dataType: DataType | null;
	readonly columns: readonly WarehouseColumn[];
	readonly replaced: Replaced;
	/** Column of days that partitions it; null = it is small. */
	readonly partition: "date" | null;
	readonly clustering: readonly string[];
	readonly expirationDays?: number;
}

/** Columns of every row that name its origin; bound in the statement, so that they are not sent with each row. */
const ownColumns: readonly WarehouseColumn[] = [
	{ name: "sync_id", type: "STRING", mode: "REQUIRED", written: "text" },
	{ name: "synced_at", type: "TIMESTAMP", mode: "REQUIRED", written: "moment" },
	{ name: "account_id", type: "STRING", mode: "REQUIRED", written: "text" },
];

const fieldsOf = (columns: readonly WarehouseColumn[]) => columns.map(({ name, type, mode }) => ({ name, type, mode }));

export const schemaOf = (table: WarehouseTable) => fieldsOf([...ownColumns, ...table.columns]);

const loadedSchema = (table: WarehouseTable): TableResource["schema"] => ({ fields: fieldsOf(table.columns) });

const resourceOf = (table: WarehouseTable): TableResource => ({
	description: table.description,
	schema: { fields: schemaOf(table) },
	...(table.partition !== null && {
		timePartitioning: {
			type: "DAY",
			field: table.partition,
			...(table.expirationDays !== undefined && { expirationMs: String(table.expirationDays * DAY_MS) }),
		},
	}),
	...(table.clustering.length > 0 && { clustering: { fields: table.clustering } }),
});

export interface Replacement {
	readonly siteId: string;
	readonly syncId: string;
	/** ISO 8601. */
	readonly syncedAt: string;
	/** `YYYY-MM-DD`, both included. */
	readonly from: string;
	readonly to: string;
}

const parametersOf = (
	{ replaced }: WarehouseTable,
	{ siteId, syncId, syncedAt, from, to }: Replacement,
): Readonly<Record<string, BigQueryParameter>> => ({
	sync_id: { type: "STRING", value: syncId },
	synced_at: { type: "TIMESTAMP", value: syncedAt },
	account_id: { type: "STRING", value: siteId },
	...(replaced === "days" && { date_from: { type: "DATE", value: from }, date_to: { type: "DATE", value: to } }),
});

/** Only rows of the site: others may keep theirs in the same dataset. */
const replacedRows: Readonly<Record<Replaced, string>> = {
	days: "T.account_id = @account_id AND T.date BETWEEN @date_from AND @date_to",
	site: "T.account_id = @account_id",
	sync: "T.account_id = @account_id AND T.sync_id = @sync_id",
};

const listed = (columns: readonly WarehouseColumn[], prefix = "") =>
	columns.map(({ name }) => `${prefix}\`${name}\``).join(", ");

/**
 * One statement that deletes the replaced rows and inserts the loaded ones: readers never see a state in between, and a
 * repetition changes nothing. The names consist of closed patterns.
 */
const mergeStatement = (table: WarehouseTable, target: string, loaded: string): string =>
	[
		`MERGE \`${target}\` AS T`,
		`USING \`${loaded}\` AS S`,
		"ON FALSE",
		`WHEN NOT MATCHED BY TARGET THEN INSERT (${listed([...ownColumns, ...table.columns])})`,
		`VALUES (${ownColumns.map(({ name }) => `@${name}`).join(", ")}, ${listed(table.columns, "S.")})`,
		`WHEN NOT MATCHED BY SOURCE AND ${replacedRows[table.replaced]} THEN DELETE`,
	].join("\n");

const clearStatement = ({ replaced }: WarehouseTable, target: string): string =>
	`DELETE FROM \`${target}\` AS T\nWHERE ${replacedRows[replaced]}`;

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
	readonly staged: { readonly name: string; readonly jobId: string } | undefined;
}

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
	const expirationTime = String(now() + DAY_MS);
	await bigQuery.createTable(name, { schema: loadedSchema(table), expirationTime });
	const jobId = await bigQuery.load(name, loadedSchema(table), after(first.value, counted.pieces));
	return { table, amount: counted.amount(), staged: { name, jobId } };
}

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
	await bigQuery.end(staged.jobId);
	const merge = mergeStatement(table, target, `${dataset}.${staged.name}`);
	await bigQuery.end(await bigQuery.begin(merge, parameters));
	await bigQuery.dropTable(staged.name);
}

export async function ensureTables({ bigQuery }: Warehouse, tables: readonly WarehouseTable[]): Promise<void> {
	for (const table of tables) {
		if (!(await bigQuery.hasTable(table.name))) await bigQuery.createTable(table.name, resourceOf(table));
	}
}

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
