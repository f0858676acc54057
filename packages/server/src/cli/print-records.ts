import type { Command } from "commander";

/** Options of all commands that print records. */
export interface Output {
	readonly json?: true;
}

/** Lets a command print JSON. */
export const withJson = (command: Command): Command => command.option("--json", "print JSON");

/** A record for people and programs; null prints as `-`. */
export type PrintedRecord = Readonly<Record<string, unknown>>;

const cell = (value: unknown): string => {
	if (value === null || value === undefined) return "-";
	return Array.isArray(value) ? value.join(",") || "-" : String(value);
};

/** Records as aligned columns with a header line. */
export function formatTable(records: readonly PrintedRecord[], columns: readonly string[]): string {
	const rows = [
		columns.map((column) => column.toUpperCase()),
		...records.map((row) => columns.map((c) => cell(row[c]))),
	];
	const widths = columns.map((_, i) => Math.max(...rows.map((row) => row[i]?.length ?? 0)));
	return rows
		.map((row) =>
			row
				.map((text, i) => text.padEnd(widths[i] ?? 0))
				.join("  ")
				.trimEnd(),
		)
		.join("\n");
}

/** Prints records as a table of some columns, or as JSON with every field. */
export function printRecords(
	records: readonly PrintedRecord[],
	options: Output & { readonly columns: readonly string[] },
): void {
	const text = options.json === true ? JSON.stringify(records, null, 2) : formatTable(records, options.columns);
	process.stdout.write(`${text}\n`);
}

/** Prints one record as lines of `field: value`, or as JSON. */
export function printRecord(record: PrintedRecord, { json }: Output): void {
	const lines = Object.entries(record).map(([field, value]) => `${field}: ${cell(value)}`);
	process.stdout.write(`${json === true ? JSON.stringify(record, null, 2) : lines.join("\n")}\n`);
}
