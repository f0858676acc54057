import { type Static, type TSchema, Type } from "typebox";
import { partOperators } from "../../../analytics/query/question/filter-vocabulary.ts";
import { comparisonNames } from "../../../analytics/query/question/resolve-comparison.ts";
import { Nullable, OneOf } from "../../../platform/http/schemas.ts";
import { choosingParameters, explainParameter, PageMeta } from "../stats/index.ts";
import {
	type NumberField,
	numberFields,
	queryDimensions,
	queryMetrics,
	type TextField,
	textFields,
} from "./vocabulary.ts";

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
			compare_align: Type.Optional(
				OneOf(["elapsed"], {
					description: "A range that includes today is compared with the same part of the other one, to the hour",
				}),
			),
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
