import { partOperators } from "./oracle-ask-filters.ts";
import { NOW } from "./oracle-data.ts";
import { baselineStart, comparedDays, type Days, elapsedFacts } from "./oracle-dates.ts";
import type { Fact, Label } from "./oracle-facts.ts";
import { figures, pick, sortValue } from "./oracle-figures.ts";
import {
	comparingOf,
	holds,
	inWrittenGroups,
	labelOf,
	type OracleReading,
	textOf,
	visitEvents,
} from "./oracle-filters.ts";
import { type AskedQuery, columnsOf, fields, isNumber, type Question, type Value } from "./oracle-query-ask.ts";
import type { AskedComparing, AskedField, WrittenSegment } from "./oracle-request.ts";

function dimensionValue(fact: Fact, name: string): Value {
	if (name === "date") return fact.date;
	const text = textOf(fact, name as Label);
	return isNumber(name) ? Number(text) : text;
}

/** The comparison of a filter, by its name in a query. */
function comparingOfName(name: string, given: Value | readonly Value[]): AskedComparing {
	const values = [given].flat().map(String);
	const part = partOperators.find((operator) => fields.some((field) => name === `${field}_${operator}`));
	if (part !== undefined) {
		return { field: name.slice(0, -part.length - 1) as AskedField, operator: part, values };
	}
	const isNegated = name.endsWith("_not");
	return { field: name.replace(/_not$/, "") as AskedField, operator: isNegated ? "not_in" : "in", values };
}

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
					.filter(({ facts: members }) => metrics.some((name) => figures(members)[name] !== 0));
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
	const meta = { ...answer.meta, ...baselineStart(facts, { site: site.id }, earlierRange) };
	const compared = { date_from: earlierRange[0], date_to: earlierRange[1], mode: asked.compare };
	if (asked.compare_rows === undefined) {
		const comparison_meta = { ...compared, total_rows: earlier.count };
		return { ...answer, meta, comparison_data: earlier.rows, comparison_meta };
	}
	const previous = (row: object) =>
		Object.fromEntries(Object.entries(earlier.numbersOf(row)).map(([name, value]) => [`${name}_prev`, value]));
	return { ...answer, meta, data: rows.map((row) => ({ ...row, ...previous(row) })), comparison_meta: compared };
}
