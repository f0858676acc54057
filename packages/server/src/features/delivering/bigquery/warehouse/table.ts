import type { FileColumn } from "../../../../analytics/query/files/file-columns.ts";
import type { BigQueryParameter, TableResource } from "../google/big-query.ts";
import type { DataType } from "../vocabulary.ts";

export interface WarehouseColumn {
	readonly name: string;
	readonly type: "STRING" | "INT64" | "NUMERIC" | "DATE" | "TIMESTAMP" | "JSON";
	readonly mode: "REQUIRED" | "NULLABLE";
	/** How its values are written. */
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

const DAY_MS = 86_400_000;

const fieldsOf = (columns: readonly WarehouseColumn[]) => columns.map(({ name, type, mode }) => ({ name, type, mode }));

/** The fields of a table as its users find them. */
export const schemaOf = (table: WarehouseTable) => fieldsOf([...ownColumns, ...table.columns]);

/** The fields of what is loaded of it. */
export const loadedSchema = (table: WarehouseTable): TableResource["schema"] => ({ fields: fieldsOf(table.columns) });

export const resourceOf = (table: WarehouseTable): TableResource => ({
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

/** The values of a statement that replaces rows of a table. */
export const parametersOf = (
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
export const mergeStatement = (table: WarehouseTable, target: string, loaded: string): string =>
	[
		`MERGE \`${target}\` AS T`,
		`USING \`${loaded}\` AS S`,
		"ON FALSE",
		`WHEN NOT MATCHED BY TARGET THEN INSERT (${listed([...ownColumns, ...table.columns])})`,
		`VALUES (${ownColumns.map(({ name }) => `@${name}`).join(", ")}, ${listed(table.columns, "S.")})`,
		`WHEN NOT MATCHED BY SOURCE AND ${replacedRows[table.replaced]} THEN DELETE`,
	].join("\n");

export const clearStatement = ({ replaced }: WarehouseTable, target: string): string =>
	`DELETE FROM \`${target}\` AS T\nWHERE ${replacedRows[replaced]}`;
