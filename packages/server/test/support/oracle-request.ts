import type { Label } from "./oracle-facts.ts";
import { type ListName, oracleShapes, shapeOf } from "./oracle-shapes.ts";

/** A field that filters compare: a label, a number of time, or another name of a label. */
export type AskedField = Exclude<Label, "landing_content_grouping"> | "hour" | "day_of_week" | "referrer" | "channel";

/** How a filter compares; `is` and `is_not` are `eq` and `neq` of a segment. */
export type AskedOperator =
	| "eq"
	| "ne"
	| "neq"
	| "is"
	| "is_not"
	| "contains"
	| "not_contains"
	| "starts_with"
	| "ends_with"
	| "regex"
	| "not_regex"
	| "in"
	| "not_in";

/** One comparison. */
export interface AskedComparing {
	readonly field: AskedField;
	readonly operator: AskedOperator;
	readonly values: readonly string[];
}

/** An advanced filter; `field` as in the request. */
export interface AskedFilter extends AskedComparing {
	readonly operator: Exclude<AskedComparing["operator"], "is" | "is_not">;
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

/** A condition in the JSON of a segment. */
export interface WrittenCondition {
	readonly field: AskedField;
	readonly operator: Exclude<AskedOperator, "ne" | "is" | "is_not">;
	readonly value: string | readonly string[];
}

/** Conditions of which all hold. */
export interface WrittenGroup {
	readonly conditions: readonly WrittenCondition[];
}

/** The JSON of a segment that is not saved. */
export interface WrittenSegment extends WrittenGroup {
	readonly groups: readonly WrittenGroup[];
	readonly not_groups: readonly WrittenGroup[];
}

/** A report that the oracle knows. */
export type ReportName = "overview" | "devices" | "type" | "types" | ListName;

/** Comparison period of a range: by a word, or its days. */
export type AskedComparison = "previous" | "yoy" | "yoy_weekday" | readonly [string, string];

/**
 * A request in plain data, so that the oracle need not parse query strings; parameters that a report lacks are not set.
 */
export interface Asked {
	readonly report: ReportName;
	readonly site: string;
	readonly timezone: string;
	readonly dates:
		| { readonly period: string }
		| { readonly start?: string | undefined; readonly end?: string | undefined };
	readonly compare: AskedComparison | undefined;
	/** A running range is compared with as much of the other one. */
	readonly elapsed: boolean;
	/** Parameters by their label; several values are ORed. */
	readonly parameters: Readonly<Partial<Record<Label, readonly string[]>>>;
	readonly filters: readonly AskedFilter[];
	readonly segment: AskedSegment | undefined;
	/** A segment that is not saved. */
	readonly written: WrittenSegment | undefined;
	readonly imports: "include" | "exclude" | undefined;
	/** Blanks that are sent around texts, and mean nothing. */
	readonly padding: string;
	readonly granularity: "auto" | "hourly" | "daily" | "weekly" | "monthly" | undefined;
	/** The series that the overview is to show. */
	readonly series: readonly string[] | undefined;
	readonly sortBy: string | undefined;
	readonly sortOrder: "asc" | "desc" | undefined;
	readonly page: number;
	readonly pageSize: number | undefined;
	readonly limit: number | undefined;
	readonly search: string | undefined;
	readonly includeTotals: boolean;
	readonly pathFilter: string | undefined;
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

function pathOf(asked: Asked): string {
	switch (asked.report) {
		case "overview":
			return "/stats/overview";
		case "devices":
			return "/stats/devices";
		case "type":
			return `/stats/microconversions/${encodeURIComponent(`${asked.padding}${asked.type}${asked.padding}`)}`;
		case "types":
			return "/stats/microconversions-types";
		default:
			return shapeOf(asked.report).url;
	}
}

/** The address of a request, relative to the API; a segment goes by the name that it is given. */
export function addressOf(asked: Asked, segment = "chosen"): string {
	const query = new URLSearchParams({ site_id: asked.site });
	const set = (name: string, value: string | number | undefined) => {
		if (value !== undefined) query.set(name, String(value));
	};
	if ("period" in asked.dates) set("period", asked.dates.period);
	else {
		set("start_date", asked.dates.start);
		set("end_date", asked.dates.end);
	}
	if (typeof asked.compare === "object") {
		set("compare", "custom");
		set("compare_start", asked.compare[0]);
		set("compare_end", asked.compare[1]);
	} else set("compare", asked.compare);
	if (asked.elapsed) set("compare_align", "elapsed");
	const padded = (text: string) => `${asked.padding}${text}${asked.padding}`;
	for (const [name, values] of Object.entries(asked.parameters))
		for (const value of values) query.append(name, padded(value));
	if (asked.filters.length > 0) {
		const valuesOf = (values: readonly string[]) => values.map((value) => padded(escapeValue(value))).join("|");
		set("filters", asked.filters.map((f) => padded(`${f.field}:${f.operator}:${valuesOf(f.values)}`)).join(","));
	}
	if (asked.segment !== undefined) set("segment", segment);
	if (asked.written !== undefined) set("segment_filters", JSON.stringify(asked.written));
	set("imports", asked.imports);
	set("granularity", asked.granularity);
	for (const name of asked.series ?? []) query.append("series[]", name);
	set("sort_by", asked.sortBy);
	set("sort_order", asked.sortOrder);
	if (asked.page > 1 || asked.report in oracleShapes) set("page", asked.page);
	set("page_size", asked.pageSize);
	set("limit", asked.limit);
	set("search", asked.search && padded(asked.search));
	if (asked.includeTotals) set("include_totals", "true");
	set("path_filter", asked.pathFilter && padded(asked.pathFilter));
	if (asked.includeUtm) set("include_utm", "1");
	for (const name of [...asked.include, ...asked.figures]) query.append("include[]", name);
	return `${pathOf(asked)}?${query}`;
}
