import fc from "fast-check";
import { customDays, fields, isNumber, partOperators, partValues, wholeValues, writtenSegments } from "./oracle-ask.ts";
import { days, NOW, type OracleSite, some } from "./oracle-data.ts";
import { baselineStart, comparedDays, type Days, elapsedFacts, shift } from "./oracle-dates.ts";
import type { Fact, Label } from "./oracle-facts.ts";
import { byBytes, figures, isShown, named, pick, sortValue } from "./oracle-figures.ts";
import { comparingOf, filterTest, inWrittenGroups, labelOf, type OracleReading, textOf } from "./oracle-filters.ts";
import { type AskedComparing, type AskedField, isProperty, type WrittenSegment } from "./oracle-request.ts";

const campaign = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"];
const audience = ["country", "device_type", "browser", "os", "channel_group"];
const places = ["path", "content_grouping", "landing_page", "referrer_domain", "conversion_type"];
const dimensionNames = ["date", "hour", "day_of_week", ...campaign, ...audience, ...places];
const metricNames = ["entrances", "engaged_entrances", "page_views", "microconversions", "conversions", "revenue"];
const allMetricNames = [...metricNames, "visitors", "visit_duration", "average_order_value"];
const eventMetricNames = ["conversions", "microconversions", "revenue"];

type Value = string | number;

interface AskedQuery {
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
	if (isNumber(field)) return fc.tuple(fc.constant(field), oneOrMore(wholeValues(field).map(Number)));
	const part = fc
		.constantFrom(...partOperators)
		.chain((operator) => fc.tuple(fc.constant(withSuffix(field, operator)), partValues[operator]));
	return fc.oneof(fc.tuple(some(field, withSuffix(field, "not")), oneOrMore(wholeValues(field))), part);
}

/** The operator of a property precedes its name. */
const withSuffix = (field: AskedField, suffix: string) =>
	isProperty(field) ? field.replace(".", `_${suffix}.`) : `${field}_${suffix}`;

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
function columnsOf({ granularity = "total", dimensions = [], metrics = [] }: Drawn) {
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

function dimensionValue(fact: Fact, name: string): Value {
	if (name === "date") return fact.date;
	const text = textOf(fact, name as Label);
	return isNumber(name) ? Number(text) : text;
}

type Comparison = Omit<AskedComparing, "values">;

/** Comparisons by the names of filters in a query. */
const comparisons = new Map(
	fields.flatMap((field): [string, Comparison][] => [
		[field, { field, operator: "in" }],
		[withSuffix(field, "not"), { field, operator: "not_in" }],
		...partOperators.map((operator): [string, Comparison] => [withSuffix(field, operator), { field, operator }]),
	]),
);

function comparingOfName(name: string, given: Value | readonly Value[]): AskedComparing {
	const comparison = comparisons.get(name);
	if (comparison === undefined) throw new Error(`${name} is not a filter`);
	return { ...comparison, values: [given].flat().map(String) };
}

/** Which facts pass the filters of a query and of the segment that is written beside them. */
export function testOf(facts: readonly Fact[], asked: AskedQuery, written?: WrittenSegment) {
	const { grouped } = columnsOf(asked);
	const reading: OracleReading = {
		path: grouped.includes("path") || grouped.includes("content_grouping") ? "path" : "landing_page",
		events: grouped.includes("conversion_type") ? "row" : "visit",
	};
	const test = filterTest(facts, reading);
	const own = Object.entries(asked.filters ?? {}).map(([name, given]) => comparingOfName(name, given));
	const set = new Set(own.map(({ field }) => labelOf(field, reading)));
	const others = (written?.conditions ?? []).map(comparingOf).filter(({ field }) => !set.has(labelOf(field, reading)));
	return (fact: Fact) =>
		[...own, ...others].every((filter) => test(fact, filter)) && inWrittenGroups(fact, written, test);
}

const compareValues = (one: Value, other: Value): number =>
	typeof one === "number" && typeof other === "number" ? one - other : byBytes(String(one), String(other));

export const chosenFacts = (
	facts: readonly Fact[],
	site: string,
	test: (fact: Fact) => boolean,
	[first, last]: Days,
): Fact[] => facts.filter((fact) => fact.site === site && fact.date >= first && fact.date <= last && test(fact));

function rowsOf(facts: readonly Fact[], { site, asked }: Question, days: Days, test: (fact: Fact) => boolean) {
	const { grouped, asked: metrics, numbers } = columnsOf(asked);
	const chosen = chosenFacts(facts, site.id, test, days);
	const keyOf = (values: readonly unknown[]) => JSON.stringify(values);
	const byKey = Map.groupBy(chosen, (fact) => keyOf(grouped.map((name) => dimensionValue(fact, name))));
	if (grouped.length === 0) byKey.set("[]", chosen);
	const groups = [...byKey]
		.filter(([key, members]) => key === "[]" || isShown(members, metrics))
		.map(([key, members]) => ({ values: named<Value>(grouped, JSON.parse(key)), facts: members }));
	const fallback = metrics.includes("entrances") ? "entrances" : (metrics[0] ?? "");
	const order = asked.order_by?.length ? asked.order_by : [{ field: fallback }];
	const at = ({ values, facts: members }: (typeof groups)[number], field: string): Value =>
		values[field] ?? sortValue(members, field);
	const sorted = groups.toSorted(
		(one, other) =>
			[...order, ...grouped.map((field) => ({ field, direction: "asc" as const }))]
				.map(({ field, direction }) => (direction === "asc" ? 1 : -1) * compareValues(at(one, field), at(other, field)))
				.find((result) => result !== 0) ?? 0,
	);
	const from = asked.offset ?? 0;
	const rows = sorted
		.slice(from, from + (asked.limit ?? 100))
		.map(({ values, facts: members }) => ({ ...values, ...pick(figures(members), numbers) }));
	/** The numbers of the group with the labels of a row, were it there or not. */
	const numbersOf = (row: Readonly<Record<string, unknown>>) =>
		pick(figures(byKey.get(keyOf(grouped.map((name) => row[name]))) ?? []), numbers);
	return { rows, count: groups.length, numbersOf };
}

/** The days that a query is compared with, and the facts that count in them. */
export function earlierFacts(
	facts: readonly Fact[],
	timezone: string,
	{ date_from, date_to, compare_start = "", compare_end = "", compare_align }: AskedQuery,
	mode: NonNullable<AskedQuery["compare"]>,
): { readonly days: Days; readonly facts: readonly Fact[] } {
	const range: Days = [date_from, date_to];
	const compare = mode === "custom" ? ([compare_start, compare_end] as const) : mode;
	const comparing = { timezone, compare, elapsed: compare_align !== undefined };
	return { days: comparedDays(range, compare), facts: elapsedFacts(facts, range, comparing, NOW) };
}

export function expectedQuery(facts: readonly Fact[], question: Question): unknown {
	const { site, asked, written } = question;
	const { grouped, numbers } = columnsOf(asked);
	const test = testOf(facts, asked, written);
	const { rows: data, count } = rowsOf(facts, question, [asked.date_from, asked.date_to], test);
	const meta = {
		total_rows: count,
		has_more: (asked.offset ?? 0) + data.length < count,
		granularity: asked.granularity ?? "total",
		dimensions: grouped,
		metrics: numbers,
	};
	if (asked.compare === undefined) return { data, meta };
	const { days, facts: passed } = earlierFacts(facts, site.timezone, asked, asked.compare);
	const earlier = rowsOf(passed, question, days, test);
	const compared = { date_from: days[0], date_to: days[1], mode: asked.compare };
	const answer = { data, meta: { ...meta, ...baselineStart(facts, { site: site.id }, days) } };
	if (asked.compare_rows === undefined) {
		const comparison_meta = { ...compared, total_rows: earlier.count };
		return { ...answer, comparison_data: earlier.rows, comparison_meta };
	}
	const previous = (row: object) =>
		Object.fromEntries(Object.entries(earlier.numbersOf({ ...row })).map(([name, value]) => [`${name}_prev`, value]));
	return { ...answer, data: data.map((row) => ({ ...row, ...previous(row) })), comparison_meta: compared };
}
