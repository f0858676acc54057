import type { Metric } from "../catalog/metrics.ts";
import type { Rate } from "../catalog/rates.ts";

/** A column of a file of events. */
export interface FileColumn {
	readonly name: string;
	/** Over the rows that the file is made of. */
	readonly sql: string;
	/** `map`: texts by names, in CSV as JSON text. */
	readonly type: "text" | "number" | "map";
}

/** How a file of events is written. */
export type FileFormat = "csv" | "json" | "parquet";

/** A text that a spreadsheet would run as a formula gets an apostrophe in front, as in `csvLine`. */
const harmless = (sql: string) =>
	`if(substring(${sql}, 1, 1) IN ('=', '+', '-', '@', '\\t', '\\r'), concat('\\'', ${sql}), ${sql})`;

const quoted = (sql: string) => `concat('"', replaceAll(${sql}, '"', '""'), '"')`;

const quotedIfNeeded = (sql: string) => `if(match(${sql}, '[",\\r\\n]'), ${quoted(sql)}, ${sql})`;

/** The engine writes some keys of maps wrongly, so that each key and value is written on its own. */
const mapText = (sql: string) =>
	`concat('{', arrayStringConcat(arrayMap((k, v) -> concat(toJSONString(k), ':', toJSONString(v)), mapKeys(${sql}), mapValues(${sql})), ','), '}')`;

function csvCell({ sql, type }: FileColumn): string {
	if (type === "number") return `toString(${sql})`;
	return type === "map" ? quoted(mapText(sql)) : quotedIfNeeded(harmless(sql));
}

function jsonValue({ sql, type }: FileColumn): string {
	if (type === "number") return `toString(${sql})`;
	return type === "map" ? mapText(sql) : `toJSONString(${sql})`;
}

const parquetTypes = { text: "String", number: undefined, map: "Map(String, String)" } as const;

/** What a statement selects for a file: one text a row, without the line feed; or the columns, where the engine writes the file. */
export function selectedColumns(columns: readonly FileColumn[], format: FileFormat): string {
	switch (format) {
		case "csv":
			return `concat(${columns.map(csvCell).join(",\n\t',', ")},\n\t'\\r') AS line`;
		case "json": {
			const fields = columns.map((column, at) => `'${at === 0 ? "{" : ","}"${column.name}":', ${jsonValue(column)}`);
			return `concat(${fields.join(",\n\t")},\n\t'}') AS line`;
		}
		case "parquet":
			return columns
				.map(
					({ name, sql, type }) => `${parquetTypes[type] ? `CAST(${sql}, '${parquetTypes[type]}')` : sql} AS ${name}`,
				)
				.join(",\n\t");
	}
}

const percentageSql = (part: string, whole: string) =>
	// Whole hundredths, as `percentage` counts them: a half is exact, and rounds away from zero.
	`if(${whole} = 0, 0, sign(${part}) * intDiv(abs(${part}) * 20000 + ${whole}, ${whole} * 2) / 100)`;

const rateSql = {
	bounce_rate: percentageSql("(toInt64(entrances) - toInt64(engaged_entrances))", "entrances"),
	conversion_rate: `least(100, ${percentageSql("toInt64(conversions)", "entrances")})`,
} as const satisfies Partial<Record<Rate, string>>;

/** A number that a file can show of a group of events. */
export type FileFigure = Metric | keyof typeof rateSql;

/** A figure over the sums by their names, as it is shown: with two decimals where it is a rate. */
export const figureSql = (figure: FileFigure): string =>
	figure in rateSql ? rateSql[figure as keyof typeof rateSql] : figure;
