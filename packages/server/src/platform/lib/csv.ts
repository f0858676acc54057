/** A value of a CSV file. */
export type CsvCell = string | number;

/** Beginnings that a spreadsheet takes for a formula. */
const FORMULA = /^[=+\-@\t\r]/;
const NEEDS_QUOTES = /[",\r\n]/;

/** One line of a CSV file (RFC 4180), with its line break. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvLine(cells: readonly CsvCell[]): string {
	return `${cells.map(csvCell).join(",")}\r\n`;
}

function csvCell(value: CsvCell): string {
	if (typeof value === "number") return String(value);
	const text = FORMULA.test(value) ? `'${value}` : value;
	return NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
