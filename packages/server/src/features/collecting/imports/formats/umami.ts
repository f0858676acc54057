import { csvRecords } from "./csv-records.ts";
import {
	type FormatContext,
	type ImportedItem,
	type ImportedSum,
	type ImportFile,
	type ImportFormat,
	UnreadableFile,
} from "./format.ts";
import { browserName, countryCode, osName } from "./known-names.ts";

const needed = ["created_at", "visit_id", "session_id", "url_path", "event_type"] as const;
/** Two million hits are some 600 MB of CSV; their visits fit into memory. */
const MOST_ROWS = 2_000_000;
const TOGETHER = 500;
const PAGE_VIEW = "1";
const CUSTOM_EVENT = "2";

/** A line of the file by the names of its columns. */
interface Hit {
	readonly line: number;
	/** Milliseconds since 1970; undefined when the line cannot be used. */
	readonly at: number | undefined;
	readonly cell: (name: string) => string;
}

/** What is known of a visit when all lines are read. */
interface Visit {
	firstLine: number;
	firstAt: number;
	lastAt: number;
	pages: number;
	dimensions: ImportedSum["dimensions"];
}

interface Visits {
	readonly byId: Map<string, Visit>;
	/** The line at which a visitor is first seen on a day. */
	readonly newVisitors: ReadonlySet<number>;
}

/** The CSV files of Umami: one line for each page view and each event. */
export const umami: ImportFormat = {
	source: "umami_csv",
	check: async (file, context) => {
		for await (const _ of hits(file, context)) break;
	},
	async *read(file, context) {
		const visits = await collectVisits(file, context);
		let together: ImportedItem[] = [];
		for await (const hit of hits(file, context)) {
			together.push(itemOf(hit, visits));
			if (together.length < TOGETHER) continue;
			yield together;
			together = [];
		}
		yield together;
	},
};

async function* hits(file: ImportFile, { columnMap, signal }: FormatContext): AsyncGenerator<Hit> {
	let columns: ReadonlyMap<string, number> | undefined;
	for await (const { line, cells } of csvRecords(await file.open())) {
		signal?.throwIfAborted();
		if (columns === undefined) {
			columns = readColumns(cells, columnMap);
			continue;
		}
		if (line > MOST_ROWS) throw new UnreadableFile("The file has more than 2,000,000 lines: export shorter ranges");
		if (cells.length === 1 && cells[0] === "") continue;
		const places = columns;
		const cell = (name: string) => (cells[places.get(name) ?? -1] ?? "").trim();
		const isWhole = cells.length >= places.size && cell("visit_id") !== "";
		yield { line, at: isWhole ? readInstant(cell("created_at")) : undefined, cell };
	}
	if (columns === undefined) throw new UnreadableFile("The file is empty");
}

function readColumns(cells: readonly string[], columnMap: Readonly<Record<string, string>>): Map<string, number> {
	const columns = new Map(cells.map((name, index) => [(columnMap[name.trim()] ?? name).trim().toLowerCase(), index]));
	const missing = needed.filter((name) => !columns.has(name));
	if (missing.length === 0) return columns;
	throw new UnreadableFile(`The file needs the columns ${needed.join(", ")}; ${missing.join(", ")} is not there`);
}

/** `2026-11-01 12:00:00`, in UTC as the tool writes it, or ISO 8601. */
function readInstant(text: string): number | undefined {
	if (!/^\d{4}-\d{2}-\d{2}[ T]\d{2}:\d{2}:\d{2}/.test(text)) return undefined;
	const iso = text.replace(" ", "T").replace(/(\.\d{3})\d+/, "$1");
	const time = Date.parse(/(Z|[+-]\d{2}:?\d{2})$/.test(iso) ? iso : `${iso}Z`);
	return Number.isNaN(time) ? undefined : time;
}

async function collectVisits(file: ImportFile, context: FormatContext): Promise<Visits> {
	const byId = new Map<string, Visit>();
	const seen = new Map<string, { readonly line: number; readonly at: number }>();
	const day = new Intl.DateTimeFormat("en-CA", { timeZone: context.timezone, dateStyle: "short" });
	for await (const hit of hits(file, context)) {
		const { at, line, cell } = hit;
		if (at === undefined || cell("event_type") !== PAGE_VIEW) continue;
		const visit = byId.get(cell("visit_id"));
		if (visit === undefined) byId.set(cell("visit_id"), begin(hit, at));
		else add(visit, hit, at);
		const visitor = `${cell("session_id")} ${day.format(at)}`;
		const before = seen.get(visitor);
		if (before === undefined || at < before.at) seen.set(visitor, { line, at });
	}
	return { byId, newVisitors: new Set([...seen.values()].map(({ line }) => line)) };
}

const begin = (hit: Hit, at: number): Visit => ({
	firstLine: hit.line,
	firstAt: at,
	lastAt: at,
	pages: 1,
	dimensions: entranceOf(hit),
});

/** Lines come in any order: the earliest is the entrance. */
function add(visit: Visit, hit: Hit, at: number): void {
	visit.pages++;
	visit.lastAt = Math.max(visit.lastAt, at);
	if (at >= visit.firstAt) return;
	visit.firstAt = at;
	visit.firstLine = hit.line;
	visit.dimensions = entranceOf(hit);
}

function entranceOf({ cell }: Hit): ImportedSum["dimensions"] {
	return {
		landing_path: cell("url_path"),
		...sourceOf(cell),
		country: countryCode(cell("country")),
		device: cell("device"),
		browser: browserName(cell("browser")),
		os: osName(cell("os")),
	};
}

/** Campaign values count before the referrer; a referrer that is the site itself is none. */
function sourceOf(cell: Hit["cell"]): ImportedSum["dimensions"] {
	const names = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;
	const given = names.filter((name) => cell(name) !== "").map((name) => [name, cell(name)] as const);
	const bare = (host: string) => host.toLowerCase().replace(/^www\./, "");
	const domain = bare(cell("referrer_domain"));
	const referrer = domain === bare(cell("hostname")) ? "" : domain;
	if (given.length > 0) return { ...Object.fromEntries(given), ...(referrer !== "" && { referrer }) };
	return referrer === "" ? { utm_source: "(direct)", utm_medium: "(none)" } : { referrer };
}

/** Page views and events are booked under what their visit began with. */
function itemOf(hit: Hit, { byId, newVisitors }: Visits): ImportedItem {
	const { line, at, cell } = hit;
	const type = cell("event_type");
	if (at === undefined || (type !== PAGE_VIEW && type !== CUSTOM_EVENT)) {
		return { kind: "skipped", line, reason: "malformed" };
	}
	const visit = byId.get(cell("visit_id"));
	const dimensions = { ...(visit?.dimensions ?? entranceOf(hit)), path: cell("url_path") };
	if (type === CUSTOM_EVENT) {
		const event = { ...dimensions, event_type: cell("event_name") };
		return { kind: "sum", line, at, dimensions: event, measures: { microconversions: 1 } };
	}
	const measures = { page_views: 1, ...(newVisitors.has(line) && { visitors: 1 }) };
	if (visit?.firstLine !== line) return { kind: "sum", line, at, dimensions, measures };
	return { kind: "sum", line, at, dimensions, measures: { ...measures, ...visitMeasures(visit) } };
}

const visitMeasures = ({ pages, firstAt, lastAt }: Visit): ImportedSum["measures"] => ({
	entrances: 1,
	engaged: pages > 1 ? 1 : 0,
	visit_seconds: Math.round((lastAt - firstAt) / 1000),
});
