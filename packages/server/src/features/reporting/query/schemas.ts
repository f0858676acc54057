import { type Static, type TSchema, Type } from "typebox";
import { campaignDimensions, type Dimension } from "../../../analytics/catalog/dimensions.ts";
import { metricNames } from "../../../analytics/catalog/metrics.ts";
import type { Figure } from "../../../analytics/catalog/rates.ts";
import { type FilterField, filterFields, partOperators } from "../../../analytics/query/question/filter-vocabulary.ts";
import { comparisonNames } from "../../../analytics/query/question/resolve-comparison.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { Nullable, OneOf } from "../../../platform/http/schemas.ts";
import { alignment, choosingParameters, explainParameter, PageMeta } from "../stats/index.ts";

/** Fields that are numbers, in these bounds. */
const numberFields = {
	hour: { minimum: 0, maximum: 23 },
	day_of_week: { minimum: 1, maximum: 7 },
} as const satisfies Partial<Record<FilterField, object>>;

type NumberField = keyof typeof numberFields;

type TextField = Exclude<FilterField, NumberField>;

export const textFields = filterFields.filter((name): name is TextField => !(name in numberFields));

export const queryDimensions = [
	"date",
	"hour",
	"day_of_week",
	"country",
	...campaignDimensions,
	"device_type",
	"browser",
	"os",
	"channel_group",
	"path",
	"content_grouping",
	"landing_page",
	"referrer_domain",
	"conversion_type",
] as const satisfies readonly Dimension[];

export type QueryDimension = (typeof queryDimensions)[number];

const MAX_DIMENSIONS = 10;
/** Characters of an unknown name that an error repeats. */
const MAX_QUOTED = 64;
/** Names of reports in the interface before this one; there they were capitalized. */
const formerNames: readonly string[] = ["source", "medium", "campaign", "term", "content"];

const badRequest = (message: string) => new ServiceError("bad_request", message);

function dimensionNamed(name: string, field: string): QueryDimension {
	const known = queryDimensions.find((candidate) => candidate === name);
	if (known !== undefined) return known;
	const small = name.toLowerCase();
	if (small !== name && [...formerNames, ...queryDimensions].includes(small)) {
		throw fieldError(field, "Dimensions are lower-case, such as utm_source", "enum");
	}
	throw badRequest(`Unknown dimension ${name.slice(0, MAX_QUOTED)}; there are ${queryDimensions.join(", ")}`);
}

/** The dimensions asked for. 400 for unknown and repeated ones and for more than ten, 422 for a name in other case. */
export function parseDimensions(names: readonly string[]): QueryDimension[] {
	if (names.length > MAX_DIMENSIONS) throw badRequest(`At most ${MAX_DIMENSIONS} dimensions`);
	const found = names.map((name, at) => dimensionNamed(name, `body.dimensions.${at}`));
	const repeated = found.find((name, at) => found.indexOf(name) < at);
	if (repeated !== undefined) throw badRequest(`The dimension ${repeated} is repeated`);
	return found;
}

export const queryMetrics = [
	...metricNames,
	"visitors",
	"visit_duration",
	"average_order_value",
] as const satisfies readonly Figure[];

export type QueryMetric = (typeof queryMetrics)[number];

/** Metrics of events, which alone have a type. */
const eventSums = ["conversions", "microconversions", "revenue"] as const satisfies readonly QueryMetric[];
const eventMetrics: readonly QueryMetric[] = [...eventSums, "average_order_value"];

/** Why a metric means nothing by some dimensions; undefined where it does. */
function objection(metric: QueryMetric, dimensions: readonly QueryDimension[]): string | undefined {
	if (dimensions.includes("conversion_type") && !eventMetrics.includes(metric)) {
		return `Only events have a conversion_type: by it there are ${eventMetrics.join(", ")}. For visits with an event, filter by conversion_type instead`;
	}
	const page = dimensions.find((name) => name === "path" || name === "content_grouping");
	if (page === undefined || metric !== "visit_duration") return undefined;
	return `Visits last, pages do not: there is no visit_duration by ${page}. Group by landing_page instead`;
}

/**
 * The metrics asked for, each once; when none is named, the additive ones that the dimensions know. 400 for an unknown one,
 * 422 for one that means nothing by these dimensions.
 */
export function parseMetrics(names: readonly string[], dimensions: readonly QueryDimension[]): QueryMetric[] {
	if (names.length === 0) return dimensions.includes("conversion_type") ? [...eventSums] : [...metricNames];
	const found = names.map((name, at) => {
		const known = queryMetrics.find((candidate) => candidate === name);
		const rate = name === "bounce_rate" ? "; bounce_rate comes with entrances and engaged_entrances" : "";
		if (known === undefined) {
			throw badRequest(`Unknown metric ${name.slice(0, MAX_QUOTED)}; there are ${queryMetrics.join(", ")}${rate}`);
		}
		const fault = objection(known, dimensions);
		if (fault !== undefined) throw fieldError(`body.metrics.${at}`, fault, "value_error");
		return known;
	});
	return [...new Set(found)];
}

const oneOrMore = <T extends TSchema>(value: T, description: string) =>
	Type.Optional(Type.Union([value, Type.Array(value, { minItems: 1 })], { description }));

type Either<Name extends string> = Name | `${Name}_not`;

const text = (description: string) => oneOrMore(Type.String(), description);
const number = (name: NumberField, description: string) => oneOrMore(Type.Integer(numberFields[name]), description);

const eachText = (field: TextField) => [
	[field, text("This value, or one of these")],
	[`${field}_not`, text("Not this value, or none of these")],
];

const suffixes = Object.keys(partOperators);

export const Filters = Type.Object(
	{
		...(Object.fromEntries(textFields.flatMap(eachText)) as Record<Either<TextField>, ReturnType<typeof text>>),
		hour: number("hour", "Hour of the day in the site's time zone"),
		day_of_week: number("day_of_week", "1 Monday to 7 Sunday"),
	},
	{
		description: `All conditions must match. Text fields also accept the suffixes ${suffixes.map((name) => `\`_${name}\``).join(", ")} with a text. \`property.<name>\` is a property of events; a suffix precedes its name, as in \`property_not.<name>\``,
		patternProperties: {
			[`^(${textFields.join("|")})_(${suffixes.join("|")})$`]: { type: ["string", "null"] },
			[`^property_(${suffixes.join("|")})\\.`]: { type: ["string", "null"] },
			"^property(_not)?\\.": Type.Union([Type.String(), Type.Array(Type.String(), { minItems: 1 }), Type.Null()]),
		},
		"x-characters": "any",
	},
);
export type Filters = Static<typeof Filters>;

export const day = (description: string) => Type.String({ format: "date", description });
const granularities = ["total", "daily", "hourly"] as const;
export type Granularity = (typeof granularities)[number];

/** Body of a query whose page holds at most `maxLimit` rows. */
export const QueryBody = (maxLimit: number) =>
	Type.Object(
		{
			date_from: day("First day, in the site's time zone"),
			date_to: day("Last day"),
			granularity: OneOf([...granularities], {
				default: "total",
				description: "`daily` adds the dimension `date`, `hourly` adds `date` and `hour`",
			}),
			dimensions: Type.Array(Type.String(), {
				default: [],
				description: `At most ten of ${queryDimensions.join(", ")}`,
			}),
			metrics: Type.Array(Type.String(), {
				default: [],
				description: `Of ${queryMetrics.join(", ")}; all but the last three when empty, by \`conversion_type\` those of events. \`bounce_rate\` comes with \`entrances\` and \`engaged_entrances\``,
			}),
			filters: Type.Optional(Filters),
			order_by: Type.Array(
				Type.Object({
					field: Type.String({ description: "A dimension or metric of the response" }),
					direction: Type.Optional(OneOf(["asc", "desc"], { default: "desc" })),
				}),
				{ default: [], description: "Default: `entrances`, descending" },
			),
			limit: Type.Integer({ minimum: 1, maximum: maxLimit, default: 100 }),
			offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
			compare: Type.Optional(Type.String({ description: "`previous`, `yoy`, `yoy_weekday` or `custom`" })),
			compare_start: Type.Optional(day('First day of `compare: "custom"`')),
			compare_end: Type.Optional(day('Last day of `compare: "custom"`')),
			compare_rows: Type.Optional(
				OneOf(["joined"], {
					description:
						"Adds each row's earlier figures as `<metric>_prev`, instead of the rows of the comparison period in `comparison_data`; not by `date`",
				}),
			),
			...alignment,
		},
		{ "x-nulls": "absent" },
	);
export type QueryBody = Static<ReturnType<typeof QueryBody>>;

export const QueryParameters = Type.Object({ ...choosingParameters, ...explainParameter });

export const ExportParameters = Type.Object({
	...choosingParameters,
	filename: Type.String({
		pattern: "^[A-Za-z0-9._-]{1,100}$",
		default: "export.csv",
		description: "Name of the file; letters, digits, `.`, `_` and `-`",
	}),
});

const columnNames = [...queryMetrics, "bounce_rate"] as const;

const names = (all: readonly string[], type: (name: string) => TSchema) =>
	Object.fromEntries(all.map((name) => [name, Type.Optional(type(name))]));

const Row = Type.Object({
	...names(queryDimensions, (name) => {
		if (name === "hour") return Nullable(Type.Integer({ description: "Null for rows imported by the day" }));
		return name in numberFields ? Type.Integer() : Type.String();
	}),
	...names(columnNames, () => Type.Number()),
	...names(
		columnNames.map((name) => `${name}_prev`),
		() => Type.Number(),
	),
});

export const QueryAnswer = Type.Object({
	data: Type.Array(Row),
	meta: Type.Object({
		total_rows: Type.Integer({ description: "Number of rows on all pages" }),
		has_more: Type.Boolean(),
		granularity: OneOf([...granularities]),
		dimensions: Type.Array(OneOf([...queryDimensions])),
		metrics: Type.Array(OneOf(columnNames)),
		...PageMeta.properties,
	}),
	comparison_data: Type.Optional(Type.Array(Row)),
	comparison_meta: Type.Optional(
		Type.Object({
			date_from: Type.String(),
			date_to: Type.String(),
			mode: OneOf([...comparisonNames]),
			total_rows: Type.Optional(Type.Integer({ description: "Absent with `compare_rows`" })),
		}),
	),
});

export const CsvFile = {
	description:
		"A CSV file: the dimensions, then the metrics; with `compare` the column `period` first, with `compare_rows` the earlier metrics last",
	content: { "text/csv": { schema: Type.String() } },
};
