import type { Command } from "commander";

export interface Output {
	readonly json?: true;
}

/** Prints a text for people, or a value as JSON. */
export const print = ({ json }: Output, value: unknown, text: string): void =>
	void process.stdout.write(`${json === true ? JSON.stringify(value, null, 2) : text}\n`);

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

export function printRecords(
	records: readonly PrintedRecord[],
	options: Output & { readonly columns: readonly string[] },
): void {
	print(options, records, formatTable(records, options.columns));
}

export function printRecord(record: PrintedRecord, output: Output): void {
	const lines = Object.entries(record).map(([field, value]) => `${field}: ${cell(value)}`);
	print(output, record, lines.join("\n"));
}

export type DefineCommand = (command: Command) => void;

/** The sentences that are true of a result. */
export const sentences = (...lines: readonly (string | false)[]): string[] => lines.filter((line) => line !== false);
