/** A cell of a table file. */
export type CsvCell = string | number | null | undefined;

function written(cell: CsvCell): string {
	if (typeof cell === "number") return String(cell);
	const text = cell ?? "";
	// A table program would take the text for a formula.
	const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
	return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A table as CSV (RFC 4180), in the manner of the API's files. */
export const csvOf = (rows: readonly (readonly CsvCell[])[]): string =>
	rows.map((row) => `${row.map(written).join(",")}\r\n`).join("");
