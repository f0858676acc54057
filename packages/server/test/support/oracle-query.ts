import fc from "fast-check";
import { customDays } from "./oracle-ask.ts";
import { type PartOperator, partOperators, partValues, wholeValues, writtenSegments } from "./oracle-ask-filters.ts";
import { days, NOW, type OracleSite } from "./oracle-data.ts";
import { comparedDays, type Days, elapsedFacts } from "./oracle-dates.ts";
import type { Fact, Label } from "./oracle-facts.ts";
import { figures, pick, sortValue, total } from "./oracle-figures.ts";
import {
	comparingOf,
	holds,
	inWrittenGroups,
	labelOf,
	type OracleReading,
	textOf,
	visitEvents,
} from "./oracle-filters.ts";
import type { AskedComparing, AskedField, WrittenSegment } from "./oracle-request.ts";

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
const allMetricNames = [...metricNames, "visitors", "visit_duration"] as const;
const eventMetricNames = ["conversions", "microconversions", "revenue"] as const;

type FilterName = AskedField | `${AskedField}_not` | `${AskedField}_${PartOperator}`;
type Value = string | number;

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
const fields = Object.keys(wholeValues) as AskedField[];
const isNumber = (name: string) => name === "hour" || name === "day_of_week";

function filterArbitrary(field: AskedField): fc.Arbitrary<readonly [FilterName, Value | readonly Value[]]> {
	const value = isNumber(field) ? wholeValues[field].map(Number) : wholeValues[field];
	const whole = fc.tuple(fc.constantFrom<FilterName>(field, `${field}_not`), oneOrMore<Value>(value));
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

function columnsOf({ granularity = "total", dimensions = [], metrics = [] }: Drawn) {
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
			(!isOfEvents || eventMetricNames.some((known) => known === name)) && (!isOfPages || name !== "visit_duration"),
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

function dimensionValue(fact: Fact, name: string): Value {
	if (name === "date") return fact.date;
	const text = textOf(fact, name as Label);
	return isNumber(name) ? Number(text) : text;
}

/** What a filter compares, by the name that it has in a query. */
function comparingOfName(name: string, given: Value | readonly Value[]): AskedComparing {
	const values = [given].flat().map(String);
	const part = partOperators.find((operator) => fields.some((field) => name === `${field}_${operator}`));
	if (part !== undefined) {
		return { field: name.slice(0, -part.length - 1) as AskedField, operator: part, values };
	}
	const isNegated = name.endsWith("_not");
	return { field: name.replace(/_not$/, "") as AskedField, operator: isNegated ? "not_in" : "in", values };
}

/** The test of a query's filters and of the segment in its address, of which filters override single conditions. */
/** Which facts pass the filters of a query and of the segment that is written beside them. */
export function testOf(facts: readonly Fact[], asked: AskedQuery, written: WrittenSegment | undefined) {
	const { grouped } = columnsOf(asked);
	const reading: OracleReading = {
		path: grouped.includes("path") || grouped.includes("content_grouping") ? "path" : "landing_page",
		events: grouped.includes("conversion_type") ? "row" : "visit",
	};
	const visits = visitEvents(facts);
	const own = Object.entries(asked.filters ?? {}).map(([name, given]) => comparingOfName(name, given));
	const set = new Set(own.map(({ field }) => labelOf(field, reading)));
	const others = (written?.conditions ?? []).map(comparingOf).filter(({ field }) => !set.has(labelOf(field, reading)));
	return (fact: Fact) =>
		[...own, ...others].every((filter) => holds(fact, filter, reading, visits)) &&
		inWrittenGroups(fact, written, reading, visits);
}

interface Group {
	readonly key: readonly Value[];
	readonly facts: readonly Fact[];
}

function compareValues(one: Value, other: Value): number {
	if (typeof one === "number" && typeof other === "number") return one - other;
	return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}

/** The facts of a site in some days that pass a test. */
export const chosenFacts = (
	facts: readonly Fact[],
	site: string,
	test: (fact: Fact) => boolean,
	[first, last]: Days,
): Fact[] => facts.filter((fact) => fact.site === site && fact.date >= first && fact.date <= last && test(fact));

function rowsOf(
	facts: readonly Fact[],
	{ site: { id: site }, asked }: Question,
	days: Days,
	test: (fact: Fact) => boolean,
) {
	const { grouped, asked: metrics, numbers } = columnsOf(asked);
	const chosen = chosenFacts(facts, site, test, days);
	const byKey = Map.groupBy(chosen, (fact) => JSON.stringify(grouped.map((name) => dimensionValue(fact, name))));
	const groups: Group[] =
		grouped.length === 0
			? [{ key: [], facts: chosen }]
			: [...byKey]
					.map(([key, members]) => ({ key: JSON.parse(key) as Value[], facts: members }))
					.filter(({ facts: members }) =>
						metrics.some((name) =>
							name === "visit_duration"
								? total(members).visit_seconds !== 0 || total(members).entrances !== 0
								: figures(members)[name] !== 0,
						),
					);
	const fallback = metrics.includes("entrances") ? "entrances" : (metrics[0] ?? "");
	const order = asked.order_by?.length ? asked.order_by : [{ field: fallback }];
	const at = ({ key, facts: members }: Group, field: string) => {
		const index = grouped.indexOf(field);
		return index < 0 ? sortValue(members, field) : (key[index] ?? "");
	};
	const difference = (one: Group, other: Group) =>
		[...order, ...grouped.map((field) => ({ field, direction: "asc" as const }))]
			.map(({ field, direction }) => (direction === "asc" ? 1 : -1) * compareValues(at(one, field), at(other, field)))
			.find((result) => result !== 0) ?? 0;
	const sorted = groups.toSorted(difference);
	const from = asked.offset ?? 0;
	const rows = sorted.slice(from, from + (asked.limit ?? 100)).map(({ key, facts: members }) => ({
		...Object.fromEntries(grouped.map((name, index) => [name, key[index]])),
		...pick(figures(members), numbers),
	}));
	/** The numbers of the group with the labels of a row, were it there or not. */
	const numbersOf = (row: object) => {
		const key = JSON.stringify(grouped.map((name) => Object.entries(row).find(([field]) => field === name)?.[1]));
		return pick(figures(grouped.length === 0 ? chosen : (byKey.get(key) ?? [])), numbers);
	};
	return { rows, count: groups.length, numbersOf };
}

/** The days that a query is compared with, and the facts that count in them. */
export function earlierFacts(
	facts: readonly Fact[],
	timezone: string,
	asked: AskedQuery,
	mode: NonNullable<AskedQuery["compare"]>,
): { readonly days: Days; readonly facts: readonly Fact[] } {
	const range: Days = [asked.date_from, asked.date_to];
	const { compare_start = "", compare_end = "" } = asked;
	const days = mode === "custom" ? ([compare_start, compare_end] as const) : comparedDays(range, mode);
	const compare = mode === "custom" ? days : mode;
	const comparing = { timezone, compare, elapsed: asked.compare_align !== undefined };
	return { days, facts: elapsedFacts(facts, range, comparing, NOW) };
}

/** The answer that a query must get, recomputed fact by fact. */
export function expectedQuery(facts: readonly Fact[], question: Question): unknown {
	const { site, asked, written } = question;
	const range: Days = [asked.date_from, asked.date_to];
	const { grouped, numbers } = columnsOf(asked);
	const test = testOf(facts, asked, written);
	const { rows, count } = rowsOf(facts, question, range, test);
	const answer = {
		data: rows,
		meta: {
			total_rows: count,
			has_more: (asked.offset ?? 0) + rows.length < count,
			granularity: asked.granularity ?? "total",
			dimensions: grouped,
			metrics: numbers,
		},
	};
	if (asked.compare === undefined) return answer;
	const { days: earlierRange, facts: passed } = earlierFacts(facts, site.timezone, asked, asked.compare);
	const earlier = rowsOf(passed, question, earlierRange, test);
	const compared = { date_from: earlierRange[0], date_to: earlierRange[1], mode: asked.compare };
	if (asked.compare_rows === undefined) {
		const comparison_meta = { ...compared, total_rows: earlier.count };
		return { ...answer, comparison_data: earlier.rows, comparison_meta };
	}
	const previous = (row: object) =>
		Object.fromEntries(Object.entries(earlier.numbersOf(row)).map(([name, value]) => [`${name}_prev`, value]));
	return { ...answer, data: rows.map((row) => ({ ...row, ...previous(row) })), comparison_meta: compared };
}
