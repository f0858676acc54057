import fc from "fast-check";
import { customDays } from "./oracle-ask.ts";
import { days, NOW, type OracleSite, texts } from "./oracle-data.ts";
import { comparedDays, type Days, elapsedFacts, weekday } from "./oracle-dates.ts";
import type { Fact, Labels } from "./oracle-facts.ts";
import { figures, pick, sortValue, total } from "./oracle-figures.ts";

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
] as const satisfies readonly (keyof Labels)[];
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

type LabelName = (typeof labelNames)[number];
type FilterName = LabelName | `${LabelName}_not` | "hour" | "day_of_week";
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
}

// The service trims the texts of a body.
const sent = texts.filter((text) => text === text.trim());
const some = (...values: readonly string[]) => fc.constantFrom(...values);
const values: Readonly<Record<LabelName, fc.Arbitrary<string>>> = {
	utm_source: some(...sent),
	utm_medium: some("organic", "cpc", ""),
	utm_campaign: some(...sent),
	utm_term: some("", "shoes"),
	utm_content: some("", "banner", "Banner"),
	country: some("es", "DE", "unknown", "zz"),
	device_type: some("Mobile", "desktop", "tablet"),
	browser: some("Chrome", "Safari", "chrome"),
	os: some("Windows", "iOS"),
	channel_group: some("", "Direct"),
};

const oneOrMore = <T>(value: fc.Arbitrary<T>) => fc.oneof(value, fc.array(value, { minLength: 1, maxLength: 3 }));
const filterArbitraries: [FilterName, fc.Arbitrary<Value | Value[]>][] = [
	...labelNames.flatMap((name): [FilterName, fc.Arbitrary<Value | Value[]>][] => [
		[name, oneOrMore(values[name])],
		[`${name}_not`, oneOrMore(values[name])],
	]),
	["hour", oneOrMore(fc.integer({ min: 0, max: 23 }))],
	["day_of_week", oneOrMore(fc.integer({ min: 1, max: 7 }))],
];
const filters = fc
	.subarray(filterArbitraries, { maxLength: 2 })
	.chain((chosen) => fc.record(Object.fromEntries(chosen)) as fc.Arbitrary<NonNullable<AskedQuery["filters"]>>);

const dates = fc.record({ day: some(...days), before: fc.nat({ max: 400 }) }).map(({ day, before }) => ({
	date_from: new Date(Date.parse(`${day}T00:00:00Z`) - before * 86_400_000).toISOString().slice(0, 10),
	date_to: day,
}));

const auto = { total: [], daily: ["date"], hourly: ["date", "hour"] } as const;

function columnsOf({ granularity = "total", dimensions = [], metrics = [] }: AskedQuery) {
	const asked = metrics.length === 0 ? metricNames : metrics;
	const hasRate = asked.includes("entrances") && asked.includes("engaged_entrances");
	const grouped = [...new Set([...auto[granularity], ...dimensions])];
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
	},
	{ requiredKeys: [] },
);

const custom = ([compare_start, compare_end]: Days) => ({ compare: "custom" as const, compare_start, compare_end });

/** Random queries, each with its site. */
export const queriesTo = (sites: readonly OracleSite[]) =>
	fc
		.record({ site: fc.constantFrom(...sites), dates, parts })
		.chain(({ site, dates: range, parts: { compare, ...some } }) => {
			const compared = typeof compare === "object" ? custom(compare) : { ...(compare && { compare }) };
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
				asked: { ...range, ...some, ...compared, ...(order_by && { order_by }) } satisfies AskedQuery as AskedQuery,
			}));
		});

function dimensionValue(fact: Fact, name: string): Value {
	if (name === "date") return fact.date;
	if (name === "hour") return fact.hour;
	return name === "day_of_week" ? weekday(fact.date) : fact.labels[name as LabelName];
}

function canonical(name: string, value: Value): Value {
	if (name === "device_type") return String(value).toLowerCase();
	if (name === "country") return String(value).length === 2 ? String(value).toUpperCase() : "Unknown";
	return value;
}

function passes(fact: Fact, [filter, wanted]: [string, Value | readonly Value[]]): boolean {
	const name = filter.replace(/_not$/, "");
	const isListed = [wanted].flat().some((value) => canonical(name, value as Value) === dimensionValue(fact, name));
	return isListed !== filter.endsWith("_not");
}

interface Group {
	readonly key: readonly Value[];
	readonly facts: readonly Fact[];
}

function compareValues(one: Value, other: Value): number {
	if (typeof one === "number" && typeof other === "number") return one - other;
	return Buffer.compare(Buffer.from(String(one)), Buffer.from(String(other)));
}

function rowsOf(facts: readonly Fact[], site: string, asked: AskedQuery, [first, last]: Days) {
	const { grouped, asked: metrics, numbers } = columnsOf(asked);
	const chosen = facts.filter(
		(fact) =>
			fact.site === site &&
			fact.date >= first &&
			fact.date <= last &&
			Object.entries(asked.filters ?? {}).every((filter) => passes(fact, filter)),
	);
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
		const index = (grouped as readonly string[]).indexOf(field);
		return index < 0 ? sortValue(members, field) : (key[index] ?? "");
	};
	const difference = (one: Group, other: Group) =>
		[...order, ...grouped.map((field) => ({ field, direction: "asc" as const }))]
			.map(({ field, direction }) => (direction === "asc" ? 1 : -1) * compareValues(at(one, field), at(other, field)))
			.find((result) => result !== 0) ?? 0;
	const from = asked.offset ?? 0;
	const rows = groups
		.toSorted(difference)
		.slice(from, from + (asked.limit ?? 100))
		.map(({ key, facts: members }) => ({
			...Object.fromEntries(grouped.map((name, index) => [name, key[index]])),
			...pick(figures(members), numbers),
		}));
	return { rows, count: groups.length };
}

/** The answer that a query must get, recomputed fact by fact. */
export function expectedQuery(facts: readonly Fact[], { id: site, timezone }: OracleSite, asked: AskedQuery): unknown {
	const range: Days = [asked.date_from, asked.date_to];
	const { grouped, numbers } = columnsOf(asked);
	const { rows, count } = rowsOf(facts, site, asked, range);
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
	const { compare_start = "", compare_end = "" } = asked;
	const earlierRange =
		asked.compare === "custom" ? ([compare_start, compare_end] as const) : comparedDays(range, asked.compare);
	const compare = asked.compare === "custom" ? earlierRange : asked.compare;
	const comparing = { timezone, compare, elapsed: asked.compare_align !== undefined };
	const earlier = rowsOf(elapsedFacts(facts, range, comparing, NOW), site, asked, earlierRange);
	return {
		...answer,
		comparison_data: earlier.rows,
		comparison_meta: {
			date_from: earlierRange[0],
			date_to: earlierRange[1],
			mode: asked.compare,
			total_rows: earlier.count,
		},
	};
}
