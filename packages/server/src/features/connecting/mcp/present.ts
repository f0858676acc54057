import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import type { FieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import type { SiteRow } from "../../tenancy/sites/index.ts";
import { fitRows, shorten } from "./shorten.ts";

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

/** An error as a tool tells it; the fields are arguments of the tool. */
interface ToolFault {
	readonly code: string;
	readonly message: string;
	readonly detail?: readonly FieldError[] | undefined;
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
export function presentFault({ code, message, detail }: ToolFault | ServiceError): ToolAnswer {
	const fields = detail?.map((fault) => ({ ...fault, field: fault.field.replace(/^(query|body)\./, "") }));
	const structuredContent = { error: { code, message, ...(fields && { detail: fields }) } };
	return {
		structuredContent,
		content: [{ type: "text", text: JSON.stringify(structuredContent) }],
		isError: true,
	};
}

/** A site that reports tell of. */
export interface ToolSite {
	readonly id: string;
	readonly name: string;
	/** IANA zone. */
	readonly timezone: string;
	/** ISO 4217 code. */
	readonly currency: string;
}

const presentSite = ({ id, name, timezone, currency }: ToolSite) => ({ site_id: id, name, timezone, currency });

const presentDays = ({ start, end }: DateRange) => ({ date_from: start.toString(), date_to: end.toString() });

/** Subject of a report. */
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

/** The sites in reach. */
export function presentSites(rows: readonly SiteRow[]): ToolAnswer {
	const sites = rows.slice(0, MAX_SITES).map((row) => ({ ...presentSite(row), is_active: row.is_active === 1 }));
	return presentAnswer({ sites, total: rows.length, has_next: rows.length > sites.length });
}
