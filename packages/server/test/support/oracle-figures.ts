import { type Counts, counts, type Fact, type Label } from "./oracle-facts.ts";
import { textOf } from "./oracle-filters.ts";

export function total(facts: readonly Fact[]): Counts {
	const sum = { ...counts({}) };
	for (const fact of facts) {
		for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += fact.counts[name];
	}
	return sum;
}

/** `part / whole` times `scale` with two decimals; by whole numbers, as fractions of two decimals have no exact binary form. */
export function rounded(part: number, whole: number, scale: number): number {
	if (whole === 0) return 0;
	const hundredths = BigInt(part) * BigInt(scale) * 200n;
	const doubled = hundredths / BigInt(whole);
	const up = doubled >= 0n ? (doubled + 1n) / 2n : (doubled - 1n) / 2n;
	return Number(up) / 100;
}

/** Visitors who began a visit, each once a day, by the upper 47 bits of the visit. Imports give their number. */
function visitors(facts: readonly Fact[]): number {
	const entrances = facts.filter((fact) => fact.counts.entrances > 0 && fact.imported === undefined);
	const own = new Set(entrances.map((fact) => `${fact.date} ${BigInt(fact.session) / 131_072n}`)).size;
	return facts.reduce((sum, { imported }) => sum + (imported?.visitors ?? 0), own);
}

/** Conversions with an amount; an imported sum with revenue counts whole. */
const paid = (facts: readonly Fact[]): number =>
	facts.reduce((sum, { counts: { conversions, revenue } }) => sum + (revenue > 0 ? conversions : 0), 0);

/** Every number that a report shows of some facts. */
export function figures(facts: readonly Fact[]): Record<string, number> {
	const sum = total(facts);
	return {
		...sum,
		revenue: sum.revenue / 10_000,
		bounces: sum.entrances - sum.engaged_entrances,
		bounce_rate: rounded(sum.entrances - sum.engaged_entrances, sum.entrances, 100),
		pages_per_session: rounded(sum.page_views, sum.entrances, 1),
		conversion_rate: Math.min(100, rounded(sum.conversions, sum.entrances, 100)),
		average_order_value: rounded(sum.revenue, paid(facts) * 10_000, 1),
		visit_duration: rounded(sum.visit_seconds, sum.entrances, 1),
		visitors: visitors(facts),
	};
}

/** Sort value of rows: rates are not rounded. */
export function sortValue(facts: readonly Fact[], figure: string): number {
	const sum = total(facts);
	const quotient = (part: number, whole: number) => (whole === 0 ? 0 : part / whole);
	if (figure === "bounce_rate") return quotient(sum.entrances - sum.engaged_entrances, sum.entrances);
	if (figure === "visit_duration") return quotient(sum.visit_seconds, sum.entrances);
	if (figure === "visitors") return visitors(facts);
	if (figure === "average_order_value") return quotient(sum.revenue / 10_000, paid(facts));
	return sum[figure as keyof Counts];
}

export function pick(values: Readonly<Record<string, number>>, names: readonly string[]): Record<string, number> {
	return Object.fromEntries(names.map((name) => [name, values[name] ?? Number.NaN]));
}

/** Numbers under the fields of an answer. */
export function shown(values: Readonly<Record<string, number>>, columns: Readonly<Record<string, string>>) {
	return Object.fromEntries(Object.entries(columns).map(([field, name]) => [field, values[name] ?? Number.NaN]));
}

export const byBytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

export const byTexts = (one: readonly string[], other: readonly string[]): number =>
	one.map((text, at) => byBytes(text, other[at] ?? "")).find((order) => order !== 0) ?? 0;

export interface Group {
	readonly texts: readonly string[];
	readonly facts: readonly Fact[];
}

export function groupedBy(facts: readonly Fact[], labels: readonly Label[]): Group[] {
	const groups = Map.groupBy(facts, (fact) => JSON.stringify(labels.map((label) => textOf(fact, label))));
	return [...groups].map(([texts, members]) => ({ texts: JSON.parse(texts), facts: members }));
}

/** True for facts of which one of the figures shows something. */
export const isShown = (facts: readonly Fact[], names: readonly string[]) => {
	const numbers = figures(facts);
	return names.some((name) => numbers[name] !== 0);
};

/** Groups with something to show, sorted by a figure, then by their texts. */
export function groupsOf(
	facts: readonly Fact[],
	labels: readonly Label[],
	{ shows, sort, order = "desc" }: { shows: readonly string[]; sort: string; order?: "asc" | "desc" | undefined },
): Group[] {
	const direction = order === "asc" ? 1 : -1;
	return groupedBy(facts, labels)
		.filter((group) => isShown(group.facts, shows))
		.map((group) => ({ ...group, value: sortValue(group.facts, sort) }))
		.sort((one, other) => direction * (one.value - other.value) || byTexts(one.texts, other.texts));
}

export const named = <T>(fields: readonly string[], values: readonly T[]) =>
	Object.fromEntries(fields.map((field, at) => [field, values[at]]));
