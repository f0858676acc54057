import { type TSchema, Type } from "typebox";
import { campaignDimensions, type Dimension } from "../../../analytics/catalog/dimensions.ts";
import type { Figure } from "../../../analytics/catalog/rates.ts";
import { periodNames } from "../../../analytics/query/question/periods.ts";
import { comparisonNames } from "../../../analytics/query/question/resolve-comparison.ts";
import { OneOf } from "../../../platform/http/schemas.ts";

/** Values of `include` with the column that each adds to a row. */
export const includable = {
	device: "device_type",
	browser: "browser",
	os: "os",
	channel_group: "channel_group",
} as const satisfies Record<string, Dimension>;

export type Includable = keyof typeof includable;

/** Values of `include` that add a number to a row. */
const addedFigureNames = ["visitors", "visit_duration"] as const satisfies readonly Figure[];

/** The numbers that `include` can add to rows of a key. Visits last, pages do not. */
export function addableFigures(key: Readonly<Record<string, Dimension>>): AddedFigure[] {
	return addedFigureNames.filter((name) => name !== "visit_duration" || !Object.values(key).includes("path"));
}

export type AddedFigure = (typeof addedFigureNames)[number];

/** The numbers that `include` adds, in the order of the answer. */
export function extraFigures(include: readonly (Includable | AddedFigure)[]): AddedFigure[] {
	return addedFigureNames.filter((name) => include.includes(name));
}

/** The columns that `include_utm` and `include` add, in the order of the answer. */
export function extraDimensions(includeUtm: boolean, include: readonly (Includable | AddedFigure)[]): Dimension[] {
	const names = Object.keys(includable) as Includable[];
	return [
		...(includeUtm ? campaignDimensions : []),
		...names.filter((name) => include.includes(name)).map((name) => includable[name]),
	];
}

const day = (description: string) => Type.Optional(Type.String({ format: "date", description }));
const text = (description: string) => Type.Optional(Type.String({ description }));
const texts = (description: string) =>
	Type.Optional(Type.Array(Type.String(), { description: `${description}; repeat it to allow several values` }));
const flag = (description: string) => Type.Optional(Type.Boolean({ default: false, description }));

/** The dimensions that every report can be filtered by with a parameter of that name; null: not in this way. */
const filterDescriptions = {
	date: null,
	hour: null,
	day_of_week: null,
	path: null,
	content_grouping: null,
	landing_page: null,
	landing_content_grouping: null,
	referrer_domain: null,
	utm_source: "Source",
	utm_medium: "Medium",
	utm_campaign: "Campaign",
	utm_term: "Term",
	utm_content: "Content",
	country: "ISO 3166-1 alpha-2 code or `Unknown`",
	device_type: "`desktop`, `mobile`, `tablet`, or `unknown` for imported rows",
	browser: "Browser",
	os: "Operating system",
	channel_group: "Channel",
	conversion_type: null,
} as const satisfies Record<Dimension, string | null>;

/** A dimension that is also a parameter of every report. */
export type FilterParameter = {
	[Name in Dimension]: (typeof filterDescriptions)[Name] extends string ? Name : never;
}[Dimension];

export const filterParameters = (Object.keys(filterDescriptions) as Dimension[]).filter(
	(name): name is FilterParameter => filterDescriptions[name] !== null,
);

const eachFilter = <S extends TSchema>(make: (description: string) => S) =>
	Object.fromEntries(filterParameters.map((name) => [name, make(filterDescriptions[name])])) as Record<
		FilterParameter,
		S
	>;

const siteParameters = {
	site_id: text("Slug of the site; required, unless `account_id` is given"),
	account_id: text("Alias of `site_id`"),
};

/** Whether a comparison ends at the hour of today at which the range does. */
export const alignment = {
	compare_align: Type.Optional(
		OneOf(["elapsed"], {
			description: "A range that includes today is compared with the same part of the other one, to the hour",
		}),
	),
};

const comparedDays = {
	compare_start: day("First day of `compare=custom`"),
	compare_end: day("Last day of `compare=custom`"),
	...alignment,
};

const dateParameters = {
	period: Type.Optional(OneOf(periodNames, { description: "Relative range; overrides the dates" })),
	start_date: day("First day, in the site's time zone"),
	end_date: day("Last day"),
	date_from: day("Alias of `start_date`"),
	date_to: day("Alias of `end_date`"),
	compare: Type.Optional(
		OneOf([...comparisonNames, "true"], {
			description:
				"`yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it",
		}),
	),
	...comparedDays,
};

const segmentFilters =
	'An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment`';

const segmentParameters = {
	segment: text("Id or name of a saved segment"),
	segment_filters: text(segmentFilters),
	filters: text("`field:operator:value` entries separated by commas"),
	imports: Type.Optional(OneOf(["include", "exclude"], { description: "`exclude` omits imported rows" })),
};

const { filters: _, ...choosing } = segmentParameters;

/** Parameters that choose events for a question whose filters are in its body. */
export const choosingParameters = { ...siteParameters, ...choosing };

export const commonParameters = {
	...siteParameters,
	...dateParameters,
	...segmentParameters,
	...eachFilter(texts),
};

/** Event filters, for a report with a fixed time. */
export const eventParameters = {
	...siteParameters,
	...segmentParameters,
	...eachFilter(texts),
};

/** The same as every report, each filter with one value. */
export const singleValueParameters = { ...commonParameters, ...eachFilter(text) };

/** The parameter that adds numbers, and columns to reports that take them. */
export const included = (figures: readonly AddedFigure[]) =>
	Type.Optional(
		Type.Array(OneOf([...(Object.keys(includable) as Includable[]), ...figures]), {
			description: "Columns and metrics to add; some reports add metrics only",
		}),
	);

/** A parameter of the reports that can tell how they were made. */
export const explainParameter = {
	explain: flag("Add the SQL and the engine's time to `meta`"),
};

/** Parameters that only some reports take. */
export const ownParameters = {
	search: {
		search: Type.Optional(
			Type.String({ maxLength: 200, description: "Text that the row's key contains, case-insensitive" }),
		),
	},
	totals: { include_totals: flag("Add totals over all pages") },
	contentGroup: {
		content_grouping: texts("Content group"),
		include_content_group: Type.Optional(
			Type.Boolean({
				default: true,
				description: "`false`: one row for each page, not for each of its content groups",
			}),
		),
	},
	pathFilter: { path_filter: text("Text that the path contains") },
	columns: {
		include: included(addedFigureNames),
		include_utm: flag("Add the five campaign columns"),
	},
	figures: { include: included(addedFigureNames) },
	landingPage: { landing_page: texts("Landing page") },
	conversionType: { conversion_type: texts("Type of the event") },
};
