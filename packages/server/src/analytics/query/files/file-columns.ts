import type { Metric } from "../../catalog/metrics.ts";
import type { Rate } from "../../catalog/rates.ts";
import { UNKNOWN_HOUR } from "../../model/event-columns.ts";
import type { Select } from "../engine/select.ts";

/** A column of a file of events. */
export interface FileColumn {
	readonly name: string;
	/** Over the rows that the file is made of. */
	readonly sql: string;
	/**
	 * `path`: as people read it in CSV, as it is stored in what programs read; `hour`: empty where unknown; `moment`: a
	 * `DateTime64` in UTC; `map`: texts by names, in CSV as JSON text.
	 */
	readonly type: "text" | "path" | "number" | "hour" | "date" | "moment" | "map";
}

/** How a file of events is written. */
export type FileFormat = "csv" | "json" | "parquet";

/** Named functions of a statement. */
const functions = {
	/** A text that a spreadsheet would run as a formula gets an apostrophe in front, as in `csvLine`. */
	harmless: "(text) -> if(substring(text, 1, 1) IN ('=', '+', '-', '@', '\\t', '\\r'), concat('\\'', text), text)",
	/** As `readablePath`. */
	readable: `(path) -> arrayStringConcat(arrayMap(part -> if(startsWith(part, '%') AND length(part) > 1 AND isValidUTF8(unhex(replaceAll(part, '%', ''))), unhex(replaceAll(part, '%', '')), part), extractAll(path, '(?:%[89A-F][0-9A-F])+|[^%]+|%')))`,
	quoted: `(text) -> concat('"', replaceAll(text, '"', '""'), '"')`,
	cell: `(text) -> if(match(text, '[",\\r\\n]'), quoted(text), text)`,
	/** The engine writes some keys of maps wrongly, so that each key and value is written on its own. */
	object: `(texts) -> concat('{', arrayStringConcat(arrayMap((k, v) -> concat(toJSONString(k), ':', toJSONString(v)), mapKeys(texts), mapValues(texts)), ','), '}')`,
	iso: "(moment) -> concat(replaceOne(toString(moment), ' ', 'T'), 'Z')",
} as const;

type Write = Readonly<Record<FileColumn["type"], (sql: string) => string>>;

/** The text of a value in a line of CSV. */
const csvCell: Write = {
	text: (sql) => `cell(harmless(${sql}))`,
	path: (sql) => `cell(harmless(readable(${sql})))`,
	number: (sql) => `toString(${sql})`,
	hour: (sql) => `if(${sql} = ${UNKNOWN_HOUR}, '', toString(${sql}))`,
	date: (sql) => `toString(${sql})`,
	moment: (sql) => `iso(${sql})`,
	map: (sql) => `quoted(object(${sql}))`,
};

/** The text of a value in JSON. */
const jsonValue: Write = {
	text: (sql) => `toJSONString(${sql})`,
	path: (sql) => `toJSONString(${sql})`,
	number: (sql) => `toString(${sql})`,
	hour: (sql) => `if(${sql} = ${UNKNOWN_HOUR}, 'null', toString(${sql}))`,
	date: (sql) => `toJSONString(toString(${sql}))`,
	moment: (sql) => `toJSONString(iso(${sql}))`,
	map: (sql) => `object(${sql})`,
};

/** A value of a type that Parquet has. */
const parquetValue: Write = {
	text: (sql) => `CAST(${sql}, 'String')`,
	path: (sql) => `CAST(${sql}, 'String')`,
	number: (sql) => sql,
	hour: (sql) => `nullIf(${sql}, ${UNKNOWN_HOUR})`,
	date: (sql) => `toDate32(${sql})`,
	moment: (sql) => sql,
	map: (sql) => `CAST(${sql}, 'Map(String, String)')`,
};

/**
 * Selected columns of a statement for a file: one text a row without the line feed, or the columns themselves where the
 * engine writes the file.
 */
export function selectFile(columns: readonly FileColumn[], format: FileFormat): Pick<Select, "with" | "columns"> {
	switch (format) {
		case "csv":
			return line(`concat(${columns.map(({ sql, type }) => csvCell[type](sql)).join(",\n\t',', ")},\n\t'\\r')`);
		case "json": {
			const fields = columns.map(
				({ name, sql, type }, at) => `'${at === 0 ? "{" : ","}"${name}":', ${jsonValue[type](sql)}`,
			);
			return line(`concat(${fields.join(",\n\t")},\n\t'}')`);
		}
		case "parquet":
			return { columns: columns.map(({ name, sql, type }) => `${parquetValue[type](sql)} AS ${name}`) };
	}
}

/** Selects one text with the functions that it calls; a function may call those before it. */
function line(sql: string): Pick<Select, "with" | "columns"> {
	const called: string[] = [];
	for (const [name, body] of Object.entries(functions).reverse()) {
		if ([sql, ...called].some((text) => text.includes(`${name}(`))) called.unshift(`${body} AS ${name}`);
	}
	return { with: called, columns: [`${sql} AS line`] };
}

const percentageSql = (part: string, whole: string) =>
	// Whole hundredths, as `percentage` counts them: a half is exact, and rounds away from zero.
	`if(${whole} = 0, 0, sign(${part}) * intDiv(abs(${part}) * 20000 + ${whole}, ${whole} * 2) / 100)`;

const rateSql = {
	bounce_rate: percentageSql("(toInt64(entrances) - toInt64(engaged_entrances))", "entrances"),
	conversion_rate: `least(100, ${percentageSql("toInt64(conversions)", "entrances")})`,
	visit_duration: "if(entrances = 0, 0, intDiv(visit_seconds * 200 + entrances, entrances * 2) / 100)",
} as const satisfies Partial<Record<Rate, string>>;

/** A number that a file can show of a group of events. */
export type FileFigure = Metric | keyof typeof rateSql;

/** A figure over the sums by their names, as it is shown: with two decimals where it is a rate. */
export const figureSql = (figure: FileFigure): string =>
	figure in rateSql ? rateSql[figure as keyof typeof rateSql] : figure;
