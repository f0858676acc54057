import { type ColumnVocabulary, columnKey, withColumnMap } from "./csv-columns.ts";
import { type CsvRecord, csvRecords, inLists } from "./csv-records.ts";
import { type CsvTable, readHeader, readRow, type TableDays, type TableRow } from "./csv-table.ts";
import { readDay } from "./csv-values.ts";
import {
	type FormatContext,
	type ImportedItem,
	type ImportFormat,
	type ImportMeasure,
	type ImportSource,
	type SkippedLine,
	UnreadableFile,
} from "./format.ts";
import { withKnownSource } from "./known-names.ts";

/** A tool whose CSV files are tables of sums by day. */
interface CsvReport {
	readonly source: ImportSource;
	readonly vocabulary: ColumnVocabulary;
	/** Makes of a row what the tool means by it. */
	readonly refine?: (row: TableRow) => TableRow;
}

/** Lines that are looked at for a table before a file is taken. */
const LOOKED_AT = 2000;

export function csvReport(report: CsvReport): ImportFormat {
	return {
		source: report.source,
		check: async (file, context) => {
			const reading = new Reading(report, context);
			for await (const record of csvRecords(await file.open())) {
				for (const _ of reading.items(record)) break;
				if (reading.hasTable) return;
				if (record.line > LOOKED_AT) break;
			}
			throw new UnreadableFile(reading.complaint());
		},
		async *read(file, context) {
			const reading = new Reading(report, context);
			yield* inLists(csvRecords(await file.open()), (record) => reading.items(record));
			if (!reading.hasTable) throw new UnreadableFile(reading.complaint());
		},
	};
}

/** Goes through a file: comments, and tables, each of which begins with its header. */
class Reading {
	readonly #roles;
	readonly #refine;
	#days: TableDays = { start: undefined, end: undefined };
	#table: CsvTable | undefined;
	#tables = 0;
	#expectsHeader = true;
	#seen: readonly string[] = [];
	readonly #rests = new Map<ImportMeasure, number>();
	/** Which table counts a measure on a day: the first that does. */
	readonly #counted = new Map<string, number>();

	constructor({ vocabulary, refine = (row) => row }: CsvReport, { columnMap }: FormatContext) {
		this.#roles = withColumnMap(vocabulary, columnMap);
		this.#refine = refine;
	}

	get hasTable(): boolean {
		return this.#tables > 0;
	}

	complaint(): string {
		const seen = this.#seen.slice(0, 20).join(", ");
		return seen === ""
			? "The file has no table with a date column and a metric"
			: `The file needs a date column and one metric; it has ${seen}. Name them in column_map`;
	}

	*items({ line, cells }: CsvRecord): Generator<ImportedItem> {
		const [first = ""] = cells;
		if (cells.every((cell) => cell.trim() === "")) {
			this.#expectsHeader = true;
			return;
		}
		if (first.startsWith("#") && (this.#expectsHeader || cells.length === 1)) return this.#readComment(first);
		if (this.#expectsHeader && this.#isHeader(cells)) return yield* this.#begin(line, cells);
		this.#expectsHeader = false;
		yield* this.#row(line, cells);
	}

	/** Lines before a table with its days, in any language: `# Start date: 20261101` and the last day below it, or `# 20261101-20261130`. */
	#readComment(text: string): void {
		this.#expectsHeader = true;
		const named = readDay(/^#[^:]*:(.+)$/.exec(text)?.[1] ?? "");
		const range = /^#\s*(\d{8})\s*-\s*(\d{8})\s*$/.exec(text);
		const { start, end } = this.#days;
		if (range !== null) this.#days = { start: readDay(range[1] ?? ""), end: readDay(range[2] ?? "") };
		else if (named === undefined) return;
		else if (start === undefined || end !== undefined) this.#days = { start: named, end: undefined };
		else this.#days = { start, end: named };
	}

	#isHeader(cells: readonly string[]): boolean {
		return this.#tables === 0 || cells.some((cell) => this.#roles.has(columnKey(cell)));
	}

	*#begin(line: number, cells: readonly string[]): Generator<SkippedLine> {
		this.#expectsHeader = false;
		this.#table = readHeader(cells, this.#roles, this.#days);
		this.#seen = cells;
		if (this.#table === undefined) return;
		this.#tables++;
		for (let i = 0; i < this.#table.unknown; i++) yield { kind: "skipped", line, reason: "unknown_metric" };
		for (let i = 0; i < this.#table.repeated; i++) yield { kind: "skipped", line, reason: "repeated" };
	}

	*#row(line: number, cells: readonly string[]): Generator<ImportedItem> {
		const skipped = { kind: "skipped", line, reason: "repeated" } as const;
		// A table without days has the same visits as the one with days.
		if (this.#table === undefined) return yield { ...skipped, problem: "its table tells no days" };
		const read = readRow(this.#table, cells, this.#days, this.#round);
		if ("problem" in read) return yield { ...skipped, ...read };
		const { date, hour, dimensions, measures } = this.#refine(read.row);
		const first = this.#countedFirst(date, measures);
		if (first === undefined) return yield { ...skipped, problem: "a table before it counts the same on this day" };
		yield { kind: "sum", line, at: { date, hour }, dimensions: withKnownSource(dimensions), measures: first };
		for (const { column, text } of read.faults) yield { kind: "cell", line, column, text };
	}

	/** The remainder of rounding one count goes to the next one, so that the sum is kept. */
	readonly #round = (name: ImportMeasure, value: number): number => {
		const exact = value + (this.#rests.get(name) ?? 0);
		const whole = Math.max(0, Math.round(exact));
		this.#rests.set(name, exact - whole);
		return whole;
	};

	/** The measures that no table before has counted on this day; undefined when there are none left. */
	#countedFirst(date: string, measures: TableRow["measures"]): TableRow["measures"] | undefined {
		const names = Object.keys(measures) as ImportMeasure[];
		const first = names.filter((name) => {
			const key = `${name} ${date}`;
			const table = this.#counted.get(key) ?? this.#tables;
			this.#counted.set(key, table);
			return table === this.#tables;
		});
		if (first.length === names.length) return measures;
		if (first.length === 0) return undefined;
		return Object.fromEntries(first.map((name) => [name, measures[name] ?? 0]));
	}
}
