import { type ArchiveMember, archiveMembers, baseName } from "./archive.ts";
import { csvRecords } from "./csv-records.ts";
import { readCount, readDay } from "./csv-values.ts";
import { type FormatContext, type ImportedItem, type ImportFormat, UnreadableFile } from "./format.ts";
import { itemsOfDay, type PlausibleDay, type PlausibleFigures, type PlausibleRow } from "./plausible-day.ts";
import { plausibleTables } from "./plausible-tables.ts";

const NAME = /^imported_([a-z_]+?)(?:_\d{8}_\d{8})?\.csv$/;
const TOTALS = "visitors";
const EVENTS = "custom_events";
/** All tables of a day are needed at once, and nothing says that their rows are in the order of the days. */
const MOST_ROWS = 1_000_000;
const TOGETHER = 500;

/** Everything that the archive tells, by day. */
interface Contents {
	readonly totals: Map<string, PlausibleDay["total"]>;
	readonly days: Map<string, Map<string, PlausibleRow[]>>;
	/** What is an item as it stands: events, and lines that are left out. */
	readonly items: ImportedItem[];
	rows: number;
}

/** The zip archives that Plausible exports: a table of totals by day, and one for each dimension. */
export const plausible: ImportFormat = {
	source: "plausible_zip",
	warnings: [
		"Each figure by one dimension is that of the export; figures by two dimensions at once are estimates, as the export does not hold them.",
	],
	check: async (file) => {
		const members = await archiveMembers(file);
		const totals = members.find(({ name }) => tableOf(name) === TOTALS);
		if (totals === undefined) throw new UnreadableFile("The archive has no file imported_visitors.csv");
		for await (const { cells } of csvRecords(await totals.open())) return void columnsOf(cells, totals.name);
		throw new UnreadableFile("imported_visitors.csv is empty");
	},
	async *read(file, context) {
		const contents: Contents = { totals: new Map(), days: new Map(), items: [], rows: 0 };
		for (const member of await archiveMembers(file)) await readMember(contents, member, context);
		let together: ImportedItem[] = [];
		for (const item of allItems(contents)) {
			together.push(item);
			if (together.length < TOGETHER) continue;
			yield together;
			context.signal?.throwIfAborted();
			together = [];
		}
		yield together;
	},
};

const tableOf = (name: string): string | undefined => NAME.exec(baseName(name))?.[1];

/** Columns of a member by their names; the day is needed. */
function columnsOf(cells: readonly string[], name: string): ReadonlyMap<string, number> {
	const columns = new Map(cells.map((cell, index) => [cell.trim().toLowerCase(), index]));
	if (!columns.has("date")) throw new UnreadableFile(`${baseName(name)} has no column date`);
	return columns;
}

async function readMember(contents: Contents, member: ArchiveMember, { signal }: FormatContext): Promise<void> {
	const table = tableOf(member.name);
	// Exit pages count the visits again that entry pages count; other members are none of the tool's tables.
	const skips = table === "exit_pages" ? "repeated" : "unknown_metric";
	const isKnown =
		table === TOTALS || table === EVENTS || (table !== undefined && Object.hasOwn(plausibleTables, table));
	if (table === undefined || !isKnown) {
		contents.items.push({ kind: "skipped", line: 1, reason: skips });
		return;
	}
	let columns: ReadonlyMap<string, number> | undefined;
	for await (const { line, cells } of csvRecords(await member.open())) {
		signal?.throwIfAborted();
		if (columns === undefined) {
			columns = columnsOf(cells, member.name);
			continue;
		}
		if (cells.length === 1 && cells[0] === "") continue;
		if (++contents.rows > MOST_ROWS)
			throw new UnreadableFile("The archive has more than 1,000,000 rows: export shorter ranges");
		const places = columns;
		readLine(contents, table, line, (name) => (cells[places.get(name) ?? -1] ?? "").trim());
	}
}

function readLine(
	{ totals, days, items }: Contents,
	table: string,
	line: number,
	cell: (name: string) => string,
): void {
	const date = readDay(cell("date"));
	const figures = figuresOf(table, line, cell);
	if (date === undefined || figures === undefined) {
		items.push({ kind: "skipped", line, reason: "malformed" });
	} else if (table === TOTALS) {
		totals.set(date, added(totals.get(date), { ...figures, visitors: readCount(cell("visitors")) ?? 0 }));
	} else if (table === EVENTS) {
		const dimensions = { event_type: cell("name"), path: cell("path") };
		const measures = { microconversions: readCount(cell("events")) ?? 0 };
		items.push({ kind: "sum", line, at: { date, hour: undefined }, dimensions, measures });
	} else {
		const of = days.get(date) ?? new Map<string, PlausibleRow[]>();
		days.set(date, of);
		const rows = of.get(table) ?? [];
		of.set(table, rows);
		rows.push({ ...figures, dimensions: plausibleTables[table]?.dimensions(cell) ?? {} });
	}
}

/** What is absent is 0; undefined when something is there and no number. */
function figuresOf(table: string, line: number, cell: (name: string) => string): PlausibleFigures | undefined {
	const count = (name: string | null) => (name === null || cell(name) === "" ? 0 : readCount(cell(name)));
	const visits = count(table === TOTALS ? "visits" : (plausibleTables[table]?.visits ?? null));
	const [bounces, pageviews] = [count("bounces"), count("pageviews")];
	const seconds = count("visit_duration");
	if (visits === undefined || bounces === undefined || pageviews === undefined || seconds === undefined)
		return undefined;
	return { line, visits, bounces, pageviews, seconds };
}

function added(before: PlausibleDay["total"] | undefined, more: PlausibleDay["total"]): PlausibleDay["total"] {
	if (before === undefined) return more;
	return {
		line: before.line,
		visits: before.visits + more.visits,
		visitors: before.visitors + more.visitors,
		bounces: before.bounces + more.bounces,
		pageviews: before.pageviews + more.pageviews,
		seconds: before.seconds + more.seconds,
	};
}

function* allItems({ totals, days, items }: Contents): Generator<ImportedItem> {
	yield* items;
	for (const date of [...new Set([...totals.keys(), ...days.keys()])].sort()) {
		const tables = days.get(date) ?? new Map<string, PlausibleRow[]>();
		const total = totals.get(date);
		if (total !== undefined) yield* itemsOfDay({ date, total, tables, isOfVisits });
		else for (const row of [...tables.values()].flat()) yield { kind: "skipped", line: row.line, reason: "repeated" };
	}
}

const isOfVisits = (table: string): boolean => plausibleTables[table]?.visits !== null;
