import { type ArchiveMember, archiveMembers, baseName } from "./archive.ts";
import { csvRecords, inLists, type NamedRecord, namedRecords, unreadable } from "./csv-records.ts";
import { readCount, readDay } from "./csv-values.ts";
import { type ImportedItem, type ImportedRow, type ImportedSum, type ImportFormat, UnreadableFile } from "./format.ts";
import { browserName, countryCode, osName, withKnownSource } from "./known-names.ts";
import { itemsOfDay, type PlausibleDay, type PlausibleRow, repeatedRows } from "./plausible-day.ts";

type Dimensions = ImportedSum["dimensions"];
type Cell = NamedRecord["cell"];

/** Dimensions by which a table of the archive divides the visits of a day. */
interface PlausibleTable {
	readonly dimensions: (cell: Cell) => Dimensions;
	/** The column that counts visits; null where a visit is in several rows. */
	readonly visits: "visits" | "entrances" | null;
}

/** The tables that hold the same visits, each by another dimension. */
const plausibleTables: Readonly<Record<string, PlausibleTable>> = {
	sources: { dimensions: sourceOf, visits: "visits" },
	entry_pages: { dimensions: (cell) => ({ landing_path: cell("entry_page") }), visits: "entrances" },
	locations: { dimensions: (cell) => ({ country: countryCode(cell("country")) }), visits: "visits" },
	devices: { dimensions: (cell) => ({ device: cell("device") }), visits: "visits" },
	browsers: { dimensions: (cell) => ({ browser: browserName(cell("browser")) }), visits: "visits" },
	operating_systems: { dimensions: (cell) => ({ os: osName(cell("operating_system")) }), visits: "visits" },
	pages: { dimensions: (cell) => ({ path: cell("page") }), visits: null },
};

/** Campaign values count before the referrer, and that before the name that the tool gave to it. */
function sourceOf(cell: Cell): Dimensions {
	const names = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;
	const given = names.filter((name) => cell(name) !== "").map((name) => [name, cell(name)] as const);
	const referrer = cell("referrer");
	const source = /^direct/i.test(cell("source")) ? "" : cell("source");
	if (given.length > 0) return withKnownSource({ utm_source: source, ...Object.fromEntries(given), referrer });
	if (referrer !== "") return { referrer };
	if (source === "") return { utm_source: "(direct)", utm_medium: "(none)" };
	return /^[\w-]+(\.[\w-]+)+$/.test(source) ? { referrer: source } : withKnownSource({ utm_source: source });
}

const NAME = /^imported_([a-z_]+?)(?:_\d{8}_\d{8})?\.csv$/;
const TOTALS = "visitors";
const EVENTS = "custom_events";
/** All tables of a day are needed at once, and nothing says that their rows are in the order of the days. */
const MOST_ROWS = 1_000_000;

/** Everything that the archive tells, by day. */
interface Contents {
	readonly totals: Map<string, PlausibleDay["total"]>;
	readonly days: Map<string, Map<string, PlausibleRow[]>>;
	/** Finished items: events, cells and lines that are left out. */
	readonly items: ImportedItem[];
	/** The rows that sums are calculated of. */
	readonly used: (ImportedRow & Place)[];
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
	async *read(file) {
		const contents: Contents = { totals: new Map(), days: new Map(), items: [], used: [], rows: 0 };
		for (const member of await archiveMembers(file)) await readMember(contents, member);
		yield* inLists(allItems(contents), (item) => [item]);
	},
};

const tableOf = (name: string): string | undefined => NAME.exec(baseName(name))?.[1];

/** Columns of a member by their names; the day is needed. */
function columnsOf(cells: readonly string[], name: string): ReadonlyMap<string, number> {
	const columns = new Map(cells.map((cell, index) => [cell.trim().toLowerCase(), index]));
	if (!columns.has("date")) throw new UnreadableFile(`${baseName(name)} has no column date`);
	return columns;
}

async function readMember(contents: Contents, member: ArchiveMember): Promise<void> {
	const table = tableOf(member.name);
	const file = baseName(member.name);
	// Exit pages count the visits again that entry pages count; other members are none of the tool's tables.
	const skips = table === "exit_pages" ? "repeated" : "unknown_metric";
	const isKnown =
		table === TOTALS || table === EVENTS || (table !== undefined && Object.hasOwn(plausibleTables, table));
	if (table === undefined || !isKnown) {
		contents.items.push({ kind: "skipped", line: 1, reason: skips, file });
		return;
	}
	for await (const { line, cell } of recordsOf(member)) {
		if (++contents.rows > MOST_ROWS)
			throw new UnreadableFile("The archive has more than 1,000,000 rows: export shorter ranges");
		readLine(contents, table, { file, line }, cell);
	}
}

/** Faults of a member name it. */
async function* recordsOf(member: ArchiveMember): AsyncGenerator<NamedRecord> {
	try {
		yield* namedRecords(await member.open(), (cells) => columnsOf(cells, member.name));
	} catch (error) {
		if (!(error instanceof UnreadableFile) || error.message.startsWith(baseName(member.name))) throw error;
		throw new UnreadableFile(`${baseName(member.name)}: ${error.message}`);
	}
}

type Place = Pick<PlausibleRow, "file" | "line">;

function readLine(contents: Contents, table: string, place: Place, cell: Cell): void {
	const { totals, days, items, used } = contents;
	const date = readDay(cell("date"));
	if (date === undefined) {
		const problem = unreadable("date", cell("date"), "no day");
		items.push({ kind: "skipped", reason: "malformed", ...place, problem });
		return;
	}
	const at = { date, hour: undefined };
	if (table === EVENTS) {
		const events = readCount(cell("events"));
		if (events === undefined) {
			const problem = unreadable("events", cell("events"), "no figure");
			items.push({ kind: "skipped", reason: "malformed", ...place, problem });
			return;
		}
		const dimensions = { event_type: cell("name"), path: cell("path") };
		items.push({ kind: "sum", line: place.line, at, dimensions, measures: { microconversions: events } });
		return;
	}
	const count = counter(contents, place, cell);
	const visits = count(table === TOTALS ? "visits" : (plausibleTables[table]?.visits ?? ""));
	const [bounces, pageviews, seconds] = [count("bounces"), count("pageviews"), count("visit_duration")];
	const figures = { line: place.line, visits: visits ?? 0, bounces, pageviews: pageviews ?? 0, seconds: seconds ?? 0 };
	used.push({ kind: "row", ...place, at });
	if (table === TOTALS) {
		totals.set(date, added(totals.get(date), { ...figures, visitors: count("visitors") ?? 0 }));
		return;
	}
	const of = days.get(date) ?? new Map<string, PlausibleRow[]>();
	days.set(date, of);
	const rows = of.get(table) ?? [];
	of.set(table, rows);
	rows.push({ ...figures, ...place, dimensions: plausibleTables[table]?.dimensions(cell) ?? {} });
}

/** Reads counts of a row; one that cannot be read takes only itself along. Undefined where there is none. */
function counter({ items }: Contents, place: Place, cell: Cell) {
	return (column: string): number | undefined => {
		const text = cell(column);
		const value = text === "" ? undefined : readCount(text);
		if (text !== "" && value === undefined) items.push({ kind: "cell", ...place, column, text });
		return value;
	};
}

function added(before: PlausibleDay["total"] | undefined, more: PlausibleDay["total"]): PlausibleDay["total"] {
	if (before === undefined) return more;
	return {
		line: before.line,
		visits: before.visits + more.visits,
		visitors: before.visitors + more.visitors,
		bounces: before.bounces === undefined || more.bounces === undefined ? undefined : before.bounces + more.bounces,
		pageviews: before.pageviews + more.pageviews,
		seconds: before.seconds + more.seconds,
	};
}

function* allItems({ totals, days, items, used }: Contents): Generator<ImportedItem> {
	yield* items;
	const left = new Map<string, string>();
	const sums: Iterable<ImportedItem>[] = [];
	for (const date of [...new Set([...totals.keys(), ...days.keys()])].sort()) {
		const tables = days.get(date) ?? new Map<string, PlausibleRow[]>();
		const total = totals.get(date);
		const day = total && { date, total, tables, isOfVisits };
		const rows = day === undefined ? [...tables.values()].flat() : repeatedRows(day);
		const problem =
			day === undefined
				? `imported_visitors.csv has no row of ${date}`
				: `its table tells more of ${date} than imported_visitors.csv: it is shortened`;
		for (const { file, line } of rows) left.set(`${file}\n${line}`, problem);
		if (day !== undefined) sums.push(itemsOfDay(day));
	}
	for (const row of used) {
		const problem = left.get(`${row.file}\n${row.line}`);
		yield problem === undefined ? row : { ...row, kind: "skipped", reason: "repeated", problem };
	}
	for (const of of sums) yield* of;
}

const isOfVisits = (table: string): boolean => plausibleTables[table]?.visits !== null;
