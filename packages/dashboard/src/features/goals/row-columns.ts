import type { Answer } from "../../api/client.ts";
import { readablePath } from "../../lib/readable-path.ts";

/** Which rows are listed. */
export const kinds = ["conversions", "microconversions", "items"] as const;
export type RowKind = (typeof kinds)[number];

/** A row of any kind; amounts are of conversions alone. */
export type EventRow = Answer<"GET /stats/microconversions/raw">["data"][number] & {
	readonly amount?: number;
	readonly clid?: string;
};

/** Columns that a reader may choose, in their order. */
export const rowColumns = [
	"conversion_type",
	"amount",
	"channel_group",
	"utm_source",
	"utm_medium",
	"utm_campaign",
	"utm_term",
	"utm_content",
	"landing_page",
	"country",
	"device_type",
	"browser",
	"os",
	"clid",
	"properties",
] as const;
export type RowColumn = (typeof rowColumns)[number];

const usual: readonly RowColumn[] = [
	"conversion_type",
	"amount",
	"utm_source",
	"landing_page",
	"country",
	"device_type",
];

/** The columns that a kind of rows has. */
export const columnsOf = (kind: RowKind): readonly RowColumn[] =>
	rowColumns.filter((name) =>
		name === "amount" ? kind === "conversions" : name !== "clid" || kind !== "microconversions",
	);

/** The columns that an address names; the usual ones when it names none. */
export function shownColumns(named: readonly string[], kind: RowKind): readonly RowColumn[] {
	const own = columnsOf(kind);
	const chosen = own.filter((name) => named.includes(name));
	if (chosen.length > 0) return chosen;
	return own.filter((name) => usual.includes(name) || (kind === "items" && name === "properties"));
}

/** The properties of a row in one line. */
export const propertiesText = (properties: EventRow["properties"]): string =>
	Object.entries(properties)
		.filter(([, value]) => value !== "")
		.map(([key, value]) => `${key}: ${key === "path" ? readablePath(value) : value}`)
		.join(", ");

/** A value of a row as it stands in a file. */
export function cellOf(row: EventRow, column: RowColumn): string | number {
	if (column === "properties") return propertiesText(row.properties);
	const value = row[column] ?? "";
	return column === "landing_page" ? readablePath(String(value)) : value;
}
