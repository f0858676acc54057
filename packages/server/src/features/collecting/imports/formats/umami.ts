import { campaignFields } from "../../../../analytics/attribution/campaign.ts";
import { clickIdNames } from "../../../../analytics/attribution/click-ids.ts";
import { parseQuery } from "../../../../analytics/attribution/page-address.ts";
import { inLists, type NamedRecord, namedRecords, unreadable } from "./csv-records.ts";
import {
	type Arrival,
	type FormatContext,
	type ImportedItem,
	type ImportedSum,
	type ImportFile,
	type ImportFormat,
	UnreadableFile,
} from "./format.ts";
import { browserName, countryCode, osName } from "./known-names.ts";
import { instantReader } from "./read-instant.ts";

const needed = ["created_at", "visit_id", "session_id", "url_path", "event_type"] as const;
/** Two million hits are some 600 MB of CSV; their visits fit into memory. */
const MOST_ROWS = 2_000_000;
const PAGE_VIEW = "1";
const CUSTOM_EVENT = "2";
const TYPES: ReadonlySet<string> = new Set([PAGE_VIEW, CUSTOM_EVENT]);

/** A line of the file; a whole one has a visit too. */
interface Hit extends NamedRecord {
	/** Milliseconds since 1970; undefined when the line cannot be used. */
	readonly at: number | undefined;
}

/** State of a visit when all lines are read. */
interface Visit {
	readonly number: number;
	/** Of the first page view; undefined while there is none. */
	first: { readonly line: number; readonly at: number; readonly fields: Entered } | undefined;
	pages: number;
}

type Entered = Pick<ImportedSum, "dimensions"> & { readonly arrival: Arrival };

interface Visits {
	readonly byId: ReadonlyMap<string, Visit>;
	/** By line: how long before it the hit before it in its visit was. */
	readonly seconds: Uint32Array;
}

/** The CSV files of Umami: one line for each page view and each event. */
export const umami: ImportFormat = {
	source: "umami_csv",
	timezone: "UTC",
	check: async (file, context) => {
		for await (const _ of hits(file, context)) break;
	},
	async *read(file, context) {
		const visits = await collectVisits(file, context);
		yield* inLists(hits(file, context), (hit) => [itemOf(hit, visits)]);
	},
};

async function* hits(file: ImportFile, { columnMap, timezone }: FormatContext): AsyncGenerator<Hit> {
	const instantOf = instantReader(timezone);
	let isEmpty = true;
	const records = namedRecords(await file.open(), (cells) => {
		isEmpty = false;
		return readColumns(cells, columnMap);
	});
	for await (const { line, cell, ...record } of records) {
		if (line > MOST_ROWS) throw new UnreadableFile("The file has more than 2,000,000 lines: export shorter ranges");
		const isWhole = record.isWhole && cell("visit_id") !== "";
		yield { line, at: isWhole ? instantOf(cell("created_at")) : undefined, cell, isWhole };
	}
	if (isEmpty) throw new UnreadableFile("The file is empty");
}

function readColumns(cells: readonly string[], columnMap: Readonly<Record<string, string>>): Map<string, number> {
	const ours = new Map(Object.entries(columnMap).map(([theirs, name]) => [columnName(theirs), columnName(name)]));
	const columns = new Map(cells.map(columnName).map((name, index) => [ours.get(name) ?? name, index]));
	const missing = needed.filter((name) => !columns.has(name));
	if (missing.length === 0) return columns;
	throw new UnreadableFile(`The file needs the columns ${needed.join(", ")}; ${missing.join(", ")} is not there`);
}

const columnName = (name: string): string => name.trim().toLowerCase();

async function collectVisits(file: ImportFile, context: FormatContext): Promise<Visits> {
	const byId = new Map<string, Visit>();
	const [visits, times, lines]: [number[], number[], number[]] = [[], [], []];
	for await (const hit of hits(file, context)) {
		const { at, line, cell } = hit;
		if (at === undefined || !TYPES.has(cell("event_type"))) continue;
		const id = cell("visit_id");
		const visit = byId.get(id) ?? { number: byId.size, first: undefined, pages: 0 };
		byId.set(id, visit);
		visits.push(visit.number);
		times.push(at);
		lines.push(line);
		if (cell("event_type") !== PAGE_VIEW) continue;
		visit.pages++;
		// Lines come in any order: the earliest is the entrance.
		if (visit.first === undefined || at < visit.first.at) visit.first = { line, at, fields: entered(hit) };
	}
	return { byId, seconds: secondsByLine(visits, times, lines) };
}

/** The hits of each visit in the order of their times: the seconds since the one before, by the line of the later. */
function secondsByLine(visits: readonly number[], times: readonly number[], lines: readonly number[]): Uint32Array {
	const of = (values: readonly number[], index: number) => values[index] ?? 0;
	const order = Uint32Array.from(visits, (_, index) => index).sort(
		(one, other) => of(visits, one) - of(visits, other) || of(times, one) - of(times, other) || one - other,
	);
	const seconds = new Uint32Array((lines.at(-1) ?? 0) + 1);
	for (let at = 1; at < order.length; at++) {
		const [before, here] = [order[at - 1] ?? 0, order[at] ?? 0];
		if (visits[before] !== visits[here]) continue;
		seconds[of(lines, here)] = Math.floor(of(times, here) / 1000) - Math.floor(of(times, before) / 1000);
	}
	return seconds;
}

const entered = ({ cell }: Hit): Entered => ({
	dimensions: {
		landing_path: cell("url_path"),
		country: countryCode(cell("country")),
		device: cell("device"),
		browser: browserName(cell("browser")),
		os: osName(cell("os")),
	},
	arrival: arrivalOf(cell),
});

/** Columns of campaigns and click ids count where the address has them no longer. */
function arrivalOf(cell: Hit["cell"]): Arrival {
	const query = cell("url_query").replace(/^\?/, "");
	const params = parseQuery(query);
	const more = [...campaignFields, ...clickIdNames]
		.map((name) => [name, params.has(name) ? "" : cell(columnName(name))] as const)
		.flatMap(([name, value]) => (value === "" ? [] : [`${name}=${encodeURIComponent(value)}`]));
	const domain = cell("referrer_domain");
	return {
		page: address(cell("hostname") || "site.invalid", cell("url_path"), [query, ...more].filter(Boolean).join("&")),
		referrer: domain === "" ? "" : address(domain, cell("referrer_path"), cell("referrer_query").replace(/^\?/, "")),
	};
}

const address = (host: string, path: string, query: string): string =>
	`https://${host}${path.startsWith("/") ? path : `/${path}`}${query === "" ? "" : `?${query}`}`;

function problemOf({ at, isWhole, cell }: Hit): string {
	if (!isWhole) return "cells are missing, or there is no visit_id";
	const [column, expected] = at === undefined ? ["created_at", "no time"] : ["event_type", "neither 1 nor 2"];
	return unreadable(column, cell(column), expected);
}

/** Page views and events are booked under what their visit began with. */
function itemOf(hit: Hit, { byId, seconds }: Visits): ImportedItem {
	const { line, at, cell } = hit;
	const type = cell("event_type");
	if (at === undefined || !TYPES.has(type))
		return { kind: "skipped", line, reason: "malformed", problem: problemOf(hit) };
	const visit = byId.get(cell("visit_id"));
	const { dimensions, arrival } = visit?.first?.fields ?? entered(hit);
	const own = { path: cell("url_path"), ...(type === CUSTOM_EVENT && { event_type: cell("event_name") }) };
	const sum = { kind: "sum", line, at, dimensions: { ...dimensions, ...own }, arrival } as const;
	const measures = {
		...(type === PAGE_VIEW ? { page_views: 1 } : { microconversions: 1 }),
		...((seconds[line] ?? 0) > 0 && { visit_seconds: seconds[line] ?? 0 }),
	};
	if (visit?.first?.line !== line) return { ...sum, measures };
	const engaged = visit.pages > 1 ? 1 : 0;
	return { ...sum, measures: { ...measures, entrances: 1, engaged }, visitor: cell("session_id") };
}
