import { type EventColumn, eventColumns } from "./event-columns.ts";
import type { EventRow } from "./event-row.ts";

const escapes: Readonly<Record<string, string>> = {
	"\\": "\\\\",
	"'": "\\'",
	"\0": "\\0",
	"\b": "\\b",
	"\t": "\\t",
	"\n": "\\n",
	"\f": "\\f",
	"\r": "\\r",
};

const special = /[\\'\0\b\t\n\f\r]/;
const everySpecial = /[\\'\0\b\t\n\f\r]/g;

/** A text as ClickHouse's TabSeparated format writes it. */
export function tsvText(value: string): string {
	return special.test(value) ? value.replace(everySpecial, (character) => escapes[character] ?? "") : value;
}

// `toFixed`, as an exponent such as 1e-7 would be misread.
function decimal(value: number): string {
	return Number.isSafeInteger(value) ? String(value) : value.toFixed(4);
}

// Seconds with a fraction, as a bare integer would be read as seconds.
function instant(ms: number): string {
	const seconds = Math.floor(ms / 1000);
	return `${seconds}.${String(ms - seconds * 1000).padStart(3, "0")}`;
}

function map(entries: Readonly<Record<string, string>>): string {
	let body = "";
	for (const key of Object.keys(entries)) {
		body += `${body === "" ? "" : ","}'${tsvText(key)}':'${tsvText(entries[key] ?? "")}'`;
	}
	return `{${body}}`;
}

type Cell = (row: EventRow) => string;

const ownCells: Partial<Record<EventColumn, Cell>> = {
	ts: (row) => instant(row.ts),
	properties: (row) => map(row.properties),
	amount: (row) => decimal(row.amount),
	revenue: (row) => decimal(row.revenue),
};

function plainCell(column: Exclude<EventColumn, "properties">): Cell {
	return eventColumns[column].includes("String") ? (row) => tsvText(String(row[column])) : (row) => String(row[column]);
}

const cells: readonly Cell[] = (Object.keys(eventColumns) as EventColumn[]).map(
	(column) => ownCells[column] ?? plainCell(column as Exclude<EventColumn, "properties">),
);

/**
 * One line of ClickHouse's TabSeparated format, line feed included, with the columns in the order of `eventColumns`.
 * Amounts keep four decimals.
 */
export function encodeEventRow(row: EventRow): string {
	let line = "";
	for (const [index, cell] of cells.entries()) line += index === 0 ? cell(row) : `\t${cell(row)}`;
	return `${line}\n`;
}
