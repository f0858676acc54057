import type { Label } from "./oracle-facts.ts";
import { isList, type ListName, shapeOf } from "./oracle-shapes.ts";

/** A property of events. */
export type PropertyField = `property.${string}`;

export const isProperty = (field: string): field is PropertyField => field.startsWith("property.");

/** A field that filters compare: a label, a number of time, another name of a label, or a property. */
export type AskedField =
	| Exclude<Label, "landing_content_grouping">
	| "hour"
	| "day_of_week"
	| "referrer"
	| "channel"
	| PropertyField;

/** An operator that looks for a part of a value. */
export type PartOperator = "contains" | "not_contains" | "starts_with" | "ends_with" | "regex" | "not_regex";
/** How a filter compares; `is` and `is_not` are `eq` and `neq` of a segment. */
type AskedOperator = "eq" | "ne" | "neq" | "is" | "is_not" | "in" | "not_in" | PartOperator;

export interface AskedComparing {
	readonly field: AskedField;
	readonly operator: AskedOperator;
	readonly values: readonly string[];
}

/** An advanced filter; `field` as in the request. */
export interface AskedFilter extends AskedComparing {
	readonly operator: Exclude<AskedOperator, "is" | "is_not">;
}

interface SegmentFilter extends Pick<AskedFilter, "values"> {
	readonly operator: Exclude<AskedFilter["operator"], "neq">;
	readonly dimension: Exclude<Label, "landing_content_grouping">;
}

type SegmentEntry = SegmentFilter | { readonly any: readonly SegmentEntry[] } | { readonly not: SegmentEntry };

/** A saved segment: single filters and groups, all of which hold. */
export interface AskedSegment {
	readonly all: readonly SegmentEntry[];
}

export interface WrittenCondition {
	readonly field: AskedField;
	readonly operator: Exclude<AskedOperator, "ne" | "is" | "is_not">;
	readonly value: string | readonly string[];
}

export interface WrittenGroup {
	readonly conditions: readonly WrittenCondition[];
}

export interface WrittenSegment extends WrittenGroup {
	readonly groups: readonly WrittenGroup[];
	readonly not_groups: readonly WrittenGroup[];
}

export type ReportName = "overview" | "devices" | "type" | "types" | ListName;

/** Comparison period of a range: by a word, or its days. */
export type AskedComparison = "previous" | "yoy" | "yoy_weekday" | readonly [string, string];

/** A request in plain data, so that the oracle need not parse query strings; parameters that a report lacks are not set. */
export interface Asked {
	readonly report: ReportName;
	readonly site: string;
	readonly timezone: string;
	readonly dates: { readonly period: string } | { readonly start?: string; readonly end?: string };
	readonly compare?: AskedComparison | undefined;
	/** A running range is compared with as much of the other one. */
	readonly elapsed: boolean;
	/** Parameters by their label; several values are ORed. */
	readonly parameters: Readonly<Partial<Record<Label, readonly string[]>>>;
	readonly filters: readonly AskedFilter[];
	readonly segment?: AskedSegment | undefined;
	readonly written?: WrittenSegment | undefined;
	readonly imports?: "include" | "exclude" | undefined;
	/** Blanks that are sent around texts, and mean nothing. */
	readonly padding: string;
	readonly granularity?: "auto" | "hourly" | "daily" | "weekly" | "monthly" | undefined;
	readonly series?: readonly string[] | undefined;
	readonly sortBy?: string | undefined;
	readonly sortOrder?: "asc" | "desc" | undefined;
	readonly page: number;
	readonly pageSize?: number | undefined;
	readonly limit?: number | undefined;
	readonly search?: string | undefined;
	readonly includeTotals: boolean;
	readonly pathFilter?: string | undefined;
	readonly include: readonly ("device" | "browser" | "os" | "channel_group")[];
	/** Numbers to add to rows. */
	readonly figures: readonly ("visitors" | "visit_duration")[];
	readonly includeUtm: boolean;
	/** The type of microconversion that the report `type` is about. */
	readonly type: string;
}

/** Commas and pipes as `%2C` and `%7C`; text of this form gets one more `25`. */
const escapeValue = (value: string) =>
	value
		.replace(/%((?:25)*2c|(?:25)*7c)/gi, "%25$1")
		.replaceAll(",", "%2C")
		.replaceAll("|", "%7C");

/** In the name of a property a colon is `%3A`, where a value has a pipe as `%7C`. */
const escapeField = (field: string) =>
	field
		.replace(/%((?:25)*2c|(?:25)*3a)/gi, "%25$1")
		.replaceAll(",", "%2C")
		.replaceAll(":", "%3A");

function pathOf({ report, padding, type }: Asked): string {
	if (isList(report)) return shapeOf(report).url;
	if (report === "types") return "/stats/microconversions-types";
	return `/stats/${report === "type" ? `microconversions/${encodeURIComponent(`${padding}${type}${padding}`)}` : report}`;
}

/** The address of a request, relative to the API; a saved segment goes by the name `chosen`. */
export function addressOf(asked: Asked): string {
	const { dates, compare, padding, filters } = asked;
	const padded = (text: string | undefined) => text && `${padding}${text}${padding}`;
	const valuesOf = (values: readonly string[]) => values.map((value) => `${padding}${escapeValue(value)}${padding}`);
	const written = filters.map(
		(f) => `${padding}${escapeField(f.field)}:${f.operator}:${valuesOf(f.values).join("|")}${padding}`,
	);
	const single: Readonly<Record<string, string | number | undefined>> = {
		site_id: asked.site,
		...("period" in dates ? dates : { start_date: dates.start, end_date: dates.end }),
		...(typeof compare === "object"
			? { compare: "custom", compare_start: compare[0], compare_end: compare[1] }
			: { compare }),
		compare_align: asked.elapsed ? "elapsed" : undefined,
		filters: filters.length > 0 ? written.join(",") : undefined,
		segment: asked.segment && "chosen",
		segment_filters: asked.written && JSON.stringify(asked.written),
		imports: asked.imports,
		granularity: asked.granularity,
		sort_by: asked.sortBy,
		sort_order: asked.sortOrder,
		page: asked.page > 1 || isList(asked.report) ? asked.page : undefined,
		page_size: asked.pageSize,
		limit: asked.limit,
		search: padded(asked.search),
		include_totals: asked.includeTotals ? "true" : undefined,
		path_filter: padded(asked.pathFilter),
		include_utm: asked.includeUtm ? 1 : undefined,
	};
	const query = new URLSearchParams();
	for (const [name, value] of Object.entries(single)) if (value !== undefined) query.set(name, String(value));
	for (const [name, values] of Object.entries(asked.parameters))
		for (const value of values) query.append(name, `${padding}${value}${padding}`);
	for (const name of asked.series ?? []) query.append("series[]", name);
	for (const name of [...asked.include, ...asked.figures]) query.append("include[]", name);
	return `${pathOf(asked)}?${query}`;
}
