import fc from "fast-check";
import { customDays } from "./oracle-ask.ts";
import { type PartOperator, partOperators, partValues, wholeValues, writtenSegments } from "./oracle-ask-filters.ts";
import { days, type OracleSite } from "./oracle-data.ts";
import type { Days } from "./oracle-dates.ts";
import type { Label } from "./oracle-facts.ts";
import type { AskedField, WrittenSegment } from "./oracle-request.ts";

const labelNames = [
	"utm_source",
	"utm_medium",
	"utm_campaign",
	"utm_term",
	"utm_content",
	"country",
	"device_type",
	"browser",
	"os",
	"channel_group",
	"path",
	"content_grouping",
	"landing_page",
	"referrer_domain",
	"conversion_type",
] as const satisfies readonly Label[];
const dimensionNames = ["date", "hour", "day_of_week", ...labelNames] as const;
const metricNames = [
	"entrances",
	"engaged_entrances",
	"page_views",
	"microconversions",
	"conversions",
	"revenue",
] as const;
const allMetricNames = [...metricNames, "visitors", "visit_duration", "average_order_value"] as const;
const eventMetricNames = ["conversions", "microconversions", "revenue"] as const;

type FilterName = AskedField | `${AskedField}_not` | `${AskedField}_${PartOperator}`;
/** A value of a filter. */
export type Value = string | number;

/** A body of `/stats/query`. */
export interface AskedQuery {
	readonly date_from: string;
	readonly date_to: string;
	readonly granularity?: "total" | "daily" | "hourly";
	readonly dimensions?: readonly (typeof dimensionNames)[number][];
	readonly metrics?: readonly (typeof allMetricNames)[number][];
	readonly filters?: Readonly<Partial<Record<FilterName, Value | readonly Value[]>>>;
	readonly order_by?: readonly { readonly field: string; readonly direction?: "asc" | "desc" }[];
	readonly limit?: number;
	readonly offset?: number;
	readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom";
	readonly compare_start?: string;
	readonly compare_end?: string;
	readonly compare_align?: "elapsed";
	readonly compare_rows?: "joined";
}

/** A query, its site, and the segment that stands in its address. */
export interface Question {
	readonly site: OracleSite;
	readonly asked: AskedQuery;
	readonly written?: WrittenSegment | undefined;
}

const some = (...values: readonly string[]) => fc.constantFrom(...values);
const oneOrMore = <T>(value: fc.Arbitrary<T>) => fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 3 }));
/** The fields that filters may ask for. */
export const fields = Object.keys(wholeValues) as AskedField[];
/** True for the dimensions that are numbers. */
export const isNumber = (name: string) => name === "hour" || name === "day_of_week";

function filterArbitrary(field: AskedField): fc.Arbitrary<readonly [FilterName, Value | readonly Value[]]> {
	const value = isNumber(field) ? wholeValues[field].map(Number) : wholeValues[field];
	const whole = fc.tuple(
		fc.constantFrom<FilterName>(field, ...(isNumber(field) ? [] : [`${field}_not` as const])),
		oneOrMore<Value>(value),
	);
	if (isNumber(field)) return whole;
	const part = fc
		.constantFrom(...partOperators)
		.chain((operator) => fc.tuple(fc.constant<FilterName>(`${field}_${operator}`), partValues[operator]));
	return fc.oneof(whole, part);
}

const filters = fc
	.subarray(fields, { maxLength: 2 })
	.chain((chosen) => fc.tuple(...chosen.map(filterArbitrary)))
	.map((entries) => Object.fromEntries(entries) as NonNullable<AskedQuery["filters"]>);

const dates = fc.record({ day: some(...days), before: fc.nat({ max: 400 }) }).map(({ day, before }) => ({
	date_from: new Date(Date.parse(`${day}T00:00:00Z`) - before * 86_400_000).toISOString().slice(0, 10),
	date_to: day,
}));

const auto = { total: [], daily: ["date"], hourly: ["date", "hour"] } as const;

type Drawn = Pick<AskedQuery, "metrics" | "dimensions" | "granularity" | "compare_rows">;

/** The columns of an answer: those of its groups, those asked for, and all numbers. */
export function columnsOf({ granularity = "total", dimensions = [], metrics = [] }: Drawn) {
	const usual = dimensions.includes("conversion_type") ? eventMetricNames : metricNames;
	const asked: readonly (typeof allMetricNames)[number][] = metrics.length === 0 ? usual : metrics;
	const hasRate = asked.includes("entrances") && asked.includes("engaged_entrances");
	const grouped: string[] = [...new Set([...auto[granularity], ...dimensions])];
	return { grouped, asked, numbers: [...asked, ...(hasRate ? ["bounce_rate"] : [])] };
}

const parts = fc.record(
	{
		granularity: fc.constantFrom("total" as const, "daily" as const, "hourly" as const),
		dimensions: fc.shuffledSubarray([...dimensionNames], { maxLength: 10 }),
		metrics: fc.shuffledSubarray([...allMetricNames]),
		filters,
		limit: fc.constantFrom(1, 3, 50, 10_000),
		offset: fc.constantFrom(0, 1, 5, 500),
		compare: fc.oneof(fc.constantFrom("previous" as const, "yoy" as const, "yoy_weekday" as const), customDays),
		compare_align: fc.constant("elapsed" as const),
		compare_rows: fc.constant("joined" as const),
	},
	{ requiredKeys: [] },
);

/** Without metrics that mean nothing by the dimensions, and without rows of days beside those of other days. */
function sensible<Parts extends Drawn>(drawn: Parts) {
	const { compare_rows, metrics, ...rest } = drawn;
	const { grouped } = columnsOf(drawn);
	const isOfEvents = grouped.includes("conversion_type");
	const isOfPages = grouped.includes("path") || grouped.includes("content_grouping");
	const kept = metrics?.filter(
		(name) =>
			(!isOfEvents || name === "average_order_value" || eventMetricNames.some((known) => known === name)) &&
			(!isOfPages || name !== "visit_duration"),
	);
	return {
		...rest,
		...(kept && { metrics: kept }),
		...(compare_rows && !grouped.includes("date") && { compare_rows }),
	};
}

const custom = ([compare_start, compare_end]: Days) => ({ compare: "custom" as const, compare_start, compare_end });

/** Random queries, each with its site. */
export const queriesTo = (sites: readonly OracleSite[]) =>
	fc
		.record({
			site: fc.constantFrom(...sites),
			dates,
			parts,
			written: fc.option(writtenSegments, { nil: undefined, freq: 2 }),
		})
		.chain(({ site, written, dates: range, parts: { compare, ...drawn } }): fc.Arbitrary<Question> => {
			const compared = typeof compare === "object" ? custom(compare) : { ...(compare && { compare }) };
			const { compare_rows, ...some } = sensible(drawn);
			const joined = compare && compare_rows ? { compare_rows } : {};
			const { grouped, numbers } = columnsOf({ ...range, ...some });
			const order = fc.record(
				{
					field: fc.constantFrom<string>(...grouped, ...numbers),
					direction: fc.constantFrom("asc" as const, "desc" as const),
				},
				{ requiredKeys: ["field"] },
			);
			return fc.option(fc.array(order, { maxLength: 4 }), { nil: undefined }).map((order_by) => ({
				site,
				written,
				asked: { ...range, ...some, ...compared, ...joined, ...(order_by && { order_by }) },
			}));
		});
