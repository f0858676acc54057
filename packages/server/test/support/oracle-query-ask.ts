import fc from "fast-check";
import { customDays, fields, isNumber, partOperators, partValues, wholeValues, writtenSegments } from "./oracle-ask.ts";
import { days, type OracleSite, some } from "./oracle-data.ts";
import { type Days, shift } from "./oracle-dates.ts";
import type { AskedField, WrittenSegment } from "./oracle-request.ts";

const campaign = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"];
const audience = ["country", "device_type", "browser", "os", "channel_group"];
const places = ["path", "content_grouping", "landing_page", "referrer_domain", "conversion_type"];
const dimensionNames = ["date", "hour", "day_of_week", ...campaign, ...audience, ...places];
const metricNames = ["entrances", "engaged_entrances", "page_views", "microconversions", "conversions", "revenue"];
const allMetricNames = [...metricNames, "visitors", "visit_duration", "average_order_value"];
const eventMetricNames = ["conversions", "microconversions", "revenue"];

export type Value = string | number;

export interface AskedQuery {
	readonly date_from: string;
	readonly date_to: string;
	readonly granularity?: "total" | "daily" | "hourly";
	readonly dimensions?: readonly string[];
	readonly metrics?: readonly string[];
	/** By a field alone, or with `_not` or an operator behind it. */
	readonly filters?: Readonly<Record<string, Value | readonly Value[]>>;
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

const oneOrMore = <T>(value: fc.Arbitrary<T>) => fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 3 }));

function filterArbitrary(field: AskedField): fc.Arbitrary<readonly [string, Value | readonly Value[]]> {
	if (isNumber(field)) return fc.tuple(fc.constant(field), oneOrMore(wholeValues[field].map(Number)));
	const part = fc
		.constantFrom(...partOperators)
		.chain((operator) => fc.tuple(fc.constant(`${field}_${operator}`), partValues[operator]));
	return fc.oneof(fc.tuple(some(field, `${field}_not`), oneOrMore(wholeValues[field])), part);
}

const filters = fc
	.subarray(fields, { maxLength: 2 })
	.chain((chosen) => fc.tuple(...chosen.map(filterArbitrary)))
	.map((entries) => Object.fromEntries(entries));

const dates = fc
	.record({ day: some(...days), before: fc.nat({ max: 400 }) })
	.map(({ day, before }) => ({ date_from: shift(day, -before), date_to: day }));

const auto = { total: [], daily: ["date"], hourly: ["date", "hour"] } as const;

type Drawn = Pick<AskedQuery, "metrics" | "dimensions" | "granularity" | "compare_rows">;

/** The columns of an answer: those of its groups, those asked for, and all numbers. */
export function columnsOf({ granularity = "total", dimensions = [], metrics = [] }: Drawn) {
	const usual = dimensions.includes("conversion_type") ? eventMetricNames : metricNames;
	const asked = metrics.length === 0 ? usual : metrics;
	const hasRate = asked.includes("entrances") && asked.includes("engaged_entrances");
	const grouped = [...new Set([...auto[granularity], ...dimensions])];
	return { grouped, asked, numbers: [...asked, ...(hasRate ? ["bounce_rate"] : [])] };
}

const parts = fc.record(
	{
		granularity: fc.constantFrom("total" as const, "daily" as const, "hourly" as const),
		dimensions: fc.shuffledSubarray(dimensionNames, { maxLength: 10 }),
		metrics: fc.shuffledSubarray(allMetricNames),
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
function sensible<Parts extends Drawn>(drawn: Parts, isCompared: boolean) {
	const { compare_rows, metrics, ...rest } = drawn;
	const { grouped } = columnsOf(drawn);
	const isOfEvents = grouped.includes("conversion_type");
	const isOfPages = grouped.includes("path") || grouped.includes("content_grouping");
	const kept = metrics?.filter(
		(name) =>
			(!isOfEvents || name === "average_order_value" || eventMetricNames.includes(name)) &&
			(!isOfPages || name !== "visit_duration"),
	);
	const isJoined = isCompared && compare_rows !== undefined && !grouped.includes("date");
	return { ...rest, ...(kept && { metrics: kept }), ...(isJoined && { compare_rows }) };
}

const custom = ([compare_start, compare_end]: Days) => ({ compare: "custom" as const, compare_start, compare_end });

export const queriesTo = (sites: readonly OracleSite[]) =>
	fc
		.record({
			site: fc.constantFrom(...sites),
			range: dates,
			parts,
			written: fc.option(writtenSegments, { nil: undefined, freq: 2 }),
		})
		.chain(({ site, written, range, parts: { compare, ...drawn } }): fc.Arbitrary<Question> => {
			const compared = typeof compare === "object" ? custom(compare) : { ...(compare && { compare }) };
			const asked = { ...range, ...sensible(drawn, compare !== undefined), ...compared };
			const { grouped, numbers } = columnsOf(asked);
			const order = fc.record(
				{ field: some(...grouped, ...numbers), direction: fc.constantFrom("asc" as const, "desc" as const) },
				{ requiredKeys: ["field"] },
			);
			return fc
				.option(fc.array(order, { maxLength: 4 }), { nil: undefined })
				.map((order_by) => ({ site, written, asked: { ...asked, ...(order_by && { order_by }) } }));
		});
