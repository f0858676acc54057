import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import type { ServiceError } from "../../../platform/errors/service-error.ts";
import type { SiteRow } from "../../tenancy/sites/index.ts";

/** Entries of a list that has no pages, and of a list inside a row. */
const LIST = 50;
const LIST_IN_ROW = 10;

/** A list that was cut. */
interface Cut {
	readonly list: string;
	readonly shown: number;
	/** Entries before the cut, in the longest list of that name. */
	readonly of: number;
}

/** A part of an answer that is short enough for a model, and the omitted parts. */
interface Shortened {
	readonly value: object;
	readonly cuts: readonly Cut[];
}

/** Cuts the long lists of an answer; rows of a page stay, for `page_size` decides on them, and so do points of a series. */
function shorten(answer: object, isPage: boolean): Shortened {
	const cuts = new Map<string, Cut>();
	const cutList = (list: readonly unknown[], name: string, most: number) => {
		if (list.length <= most) return list;
		cuts.set(name, { list: name, shown: most, of: Math.max(list.length, cuts.get(name)?.of ?? 0) });
		return list.slice(0, most);
	};
	const walk = (value: unknown, name: string, isInRow: boolean): unknown => {
		if (typeof value !== "object" || value === null) return value;
		if (Array.isArray(value)) {
			const most = isInRow ? LIST_IN_ROW : isPage || name.endsWith(".points") ? Number.POSITIVE_INFINITY : LIST;
			return cutList(value, name, most).map((item) => walk(item, name, true));
		}
		const entries = Object.entries(value).map(([key, item]) => [key, walk(item, nameIn(name, key), isInRow)]);
		return Object.fromEntries(entries);
	};
	return { value: walk(answer, "", false) as object, cuts: [...cuts.values()] };
}

const nameIn = (outer: string, name: string): string => (outer === "" ? name : `${outer}.${name}`);

/** Cuts the rows of a report to those that fit into a number of characters of JSON; other fields stay. */
export function fitRows(report: object, room: number): Shortened {
	const lists = Object.entries(report).filter((entry): entry is [string, unknown[]] => Array.isArray(entry[1]));
	const empty = Object.fromEntries(lists.map(([name]) => [name, []]));
	const fitting = countFitting(
		lists.map(([, rows]) => rows.map((row) => JSON.stringify(row).length + 1)),
		room - JSON.stringify({ ...report, ...empty }).length,
	);
	const cut = lists.filter(([, rows]) => rows.length > fitting);
	return {
		value: { ...report, ...Object.fromEntries(cut.map(([name, rows]) => [name, rows.slice(0, fitting)])) },
		cuts: cut.map(([list, rows]) => ({ list, shown: fitting, of: rows.length })),
	};
}

/** How many rows of each list fit side by side: those of a comparison stay beside the rows that they are compared with. */
function countFitting(lengths: readonly (readonly number[])[], room: number): number {
	const longest = Math.max(0, ...lengths.map((list) => list.length));
	let left = room;
	for (let row = 0; row < longest; row++) {
		for (const list of lengths) left -= list[row] ?? 0;
		if (left < 0) return row;
	}
	return longest;
}

const perCent = "percent, 0-100";
const money = "money";

/** Units of fields that are no plain counts. */
const unitOf: Readonly<Record<string, string>> = {
	revenue: money,
	avg_value: money,
	average_order_value: money,
	bounce_rate: perCent,
	exit_rate: perCent,
	explained: perCent,
	share: "percent of the total change",
	conversion_rate: perCent,
	percentage: perCent,
	drop_off_rate: perCent,
	overall_conversion_rate: perCent,
	pages_per_session: "page views per entrance",
	visit_duration: "seconds per entrance",
};

/** The units of the fields in an answer that are not plain counts; money is in the site's currency. */
function unitsIn(answer: unknown, currency: string): Record<string, string> {
	const names = new Set<string>();
	collect(answer, names);
	const found = Object.entries(unitOf).filter(([name]) => names.has(name) || names.has(`${name}_prev`));
	return Object.fromEntries(found.map(([name, unit]) => [name, unit === money ? currency : unit]));
}

/** Rows of a list are alike, so the first one stands for all. */
function collect(value: unknown, names: Set<string>): void {
	if (typeof value !== "object" || value === null) return;
	const read: object = Array.isArray(value) ? [value[0]] : value;
	for (const [name, item] of Object.entries(read)) {
		names.add(name.replace(/_series(_compare)?$/, ""));
		collect(item, names);
	}
}

/** The longest text that a tool gives, in characters: about 30,000 tokens. */
const MAX_CHARACTERS = 100_000;
/** Characters that are kept for what an answer says of itself. */
const FRAME = 2000;
const MAX_SITES = 200;

/** Answer of a tool: the same content for programs and for models. */
export interface ToolAnswer {
	readonly structuredContent: Record<string, unknown>;
	readonly content: { type: "text"; text: string }[];
	readonly isError?: true;
}

/** The answer of a tool that has something to tell. */
function presentAnswer(structuredContent: Record<string, unknown>): ToolAnswer {
	const text = JSON.stringify(structuredContent);
	if (text.length <= MAX_CHARACTERS) return { structuredContent, content: [{ type: "text", text }] };
	return presentFault({
		code: "payload_too_large",
		message: `The answer has ${text.length} characters; a tool returns at most ${MAX_CHARACTERS}. Use a shorter period, fewer rows or points (page_size, limit, granularity), or filter`,
	});
}

/** The answer of a tool that could not do what it was asked to, with the argument to change. */
export function presentFault({
	code,
	message,
	detail,
}: Pick<ServiceError, "code" | "message"> & Partial<ServiceError>): ToolAnswer {
	const fields = detail?.map((fault) => ({ ...fault, field: fault.field.replace(/^(query|body)\./, "") }));
	const structuredContent = { error: { code, message, ...(fields && { detail: fields }) } };
	return {
		structuredContent,
		content: [{ type: "text", text: JSON.stringify(structuredContent) }],
		isError: true,
	};
}

export type ToolSite = Pick<SiteRow, "id" | "name" | "timezone" | "currency">;

const presentSite = ({ id, name, timezone, currency }: ToolSite) => ({ site_id: id, name, timezone, currency });

const presentDays = ({ start, end }: DateRange) => ({ date_from: start.toString(), date_to: end.toString() });

interface Subject {
	readonly site: ToolSite;
	/** Undefined when the days cannot be told. */
	readonly range: DateRange | undefined;
	readonly compared: DateRange | undefined;
}

const fewerRows =
	"Only the first rows fit into an answer: see cut_lists. Ask for so many at a time (page_size, limit), or filter";

/** A report: its site, its days and the units of its numbers, then what of the route's answer is not too long for a model. */
export function presentReport({ site, range, compared }: Subject, body: object): ToolAnswer {
	const isEnvelope = "success" in body && "data" in body;
	const report = isEnvelope ? { data: body.data } : body;
	const { value, cuts } = shorten(report, !isEnvelope);
	const fitted = fitRows(value, MAX_CHARACTERS - FRAME);
	const allCuts = [...cuts, ...fitted.cuts];
	return presentAnswer({
		site: presentSite(site),
		...(range && presentDays(range)),
		...(compared && { compared_with: presentDays(compared) }),
		units: unitsIn(report, site.currency),
		...fitted.value,
		...(allCuts.length > 0 && { cut_lists: allCuts }),
		...(fitted.cuts.length > 0 && { note: fewerRows }),
	});
}

export function presentSites(rows: readonly SiteRow[]): ToolAnswer {
	const sites = rows.slice(0, MAX_SITES).map((row) => ({ ...presentSite(row), is_active: row.is_active === 1 }));
	return presentAnswer({ sites, total: rows.length, has_next: rows.length > sites.length });
}
