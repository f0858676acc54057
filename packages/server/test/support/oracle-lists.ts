import { askedDays, baselineStart, comparedDays, elapsedFacts } from "./oracle-dates.ts";
import type { Fact, Label } from "./oracle-facts.ts";
import { figures, pick, rounded, shown, sortValue, total } from "./oracle-figures.ts";
import { textOf } from "./oracle-filters.ts";
import type { Asked } from "./oracle-request.ts";
import { selected } from "./oracle-select.ts";
import { type ListName, type OracleList, type OracleShape, shapeOf } from "./oracle-shapes.ts";

const utmLabels = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;
const added = { device: "device_type", browser: "browser", os: "os", channel_group: "channel_group" } as const;
const countryNames: Readonly<Record<string, string>> = {
	ES: "Spain",
	DE: "Germany",
	US: "United States of America",
	Unknown: "Unknown",
};

interface Group {
	readonly texts: readonly string[];
	readonly facts: readonly Fact[];
}

const bytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

/** Groups with something to show, sorted by a figure, then by their texts. */
function groupsOf(
	facts: readonly Fact[],
	labels: readonly Label[],
	columns: readonly string[],
	sort: string,
	direction: number,
): Group[] {
	const groups = Map.groupBy(facts, (fact) => JSON.stringify(labels.map((label) => textOf(fact, label))));
	return [...groups]
		.map(([key, members]) => ({ texts: JSON.parse(key) as string[], facts: members }))
		.filter(({ facts: members }) => columns.some((name) => figures(members)[name] !== 0))
		.sort((one, other) => {
			const order = direction * (sortValue(one.facts, sort) - sortValue(other.facts, sort));
			if (order !== 0) return order;
			return one.texts.map((text, at) => bytes(text, other.texts[at] ?? "")).find((found) => found !== 0) ?? 0;
		});
}

/** A list of parts with their shares of the whole, the first 100. */
export function listOf(facts: readonly Fact[], list: OracleList, whole: number) {
	const [first = ""] = Object.values(list.columns);
	const labels = Object.values(list.key);
	return groupsOf(facts, labels, Object.values(list.columns), first, -1)
		.slice(0, 100)
		.map(({ texts, facts: members }) => {
			const numbers = figures(members);
			return {
				...Object.fromEntries(Object.keys(list.key).map((field, at) => [field, texts[at]])),
				...shown(numbers, list.columns),
				percentage: rounded(numbers[first] ?? 0, whole, 100),
			};
		});
}

function uniqueOf(facts: readonly Fact[], shape: OracleShape) {
	if (shape.unique === undefined) return {};
	const [field, label] = shape.unique;
	return { [field]: groupsOf(facts, [label], Object.values(shape.columns), "entrances", -1).length };
}

function rowOf(
	group: Group,
	labels: readonly Label[],
	shape: OracleShape,
	whole: readonly Fact[],
	earlier: Fact[] | undefined,
) {
	const share = (own: readonly Fact[], all: readonly Fact[]) =>
		rounded(total(own).entrances, total(all).entrances, 100);
	const values = new Map(labels.map((label, at) => [label, group.texts[at] ?? ""]));
	const fields = Object.entries(shape.key).map(([field, label]) => [field, values.get(label)]);
	const numbers = figures(group.facts);
	const before = earlier?.filter((fact) => labels.every((label) => textOf(fact, label) === values.get(label))) ?? [];
	const previous = Object.entries(shown(figures(before), shape.columns)).map(([field, value]) => [
		`${field}_prev`,
		value,
	]);
	const lists = Object.entries(shape.lists ?? {}).map(([field, list]) => {
		const [first = ""] = Object.values(list.columns);
		return [field, listOf(group.facts, list, numbers[first] ?? 0)];
	});
	const own = new Set<Label>(Object.values(shape.key));
	return {
		...Object.fromEntries(fields),
		...(shape.url === "/stats/geo/countries" && { country_name: countryNames[values.get("country") ?? ""] }),
		...uniqueOf(group.facts, shape),
		...shown(numbers, shape.columns),
		...(shape.share && { percentage: share(group.facts, whole) }),
		...(earlier && Object.fromEntries(previous)),
		...(earlier && shape.share && { percentage_prev: share(before, earlier) }),
		...Object.fromEntries(lists),
		...Object.fromEntries([...values].filter(([label]) => !own.has(label))),
	};
}

function extraLabels(asked: Asked, shape: OracleShape): Label[] {
	if (!shape.takes.includes("columns")) return [];
	const names = (["device", "browser", "os", "channel_group"] as const).filter((name) => asked.include.includes(name));
	return [...(asked.includeUtm ? utmLabels : []), ...names.map((name) => added[name])];
}

/** Facts of a report: its key may have to be filled, and hold the text that is searched for. */
function factsFor(
	facts: readonly Fact[],
	asked: Asked,
	shape: OracleShape,
	days: readonly [string, string],
	all = facts,
): Fact[] {
	const [first] = Object.values(shape.key);
	const search = shape.takes.includes("search") ? (asked.search ?? "").toLowerCase() : "";
	return selected(facts, asked, days, all).filter((fact) => {
		const text = first === undefined ? "" : textOf(fact, first);
		return text.toLowerCase().includes(search) && (shape.form !== "all" || text !== "");
	});
}

/** The answer of a report that is a list of rows; of the success envelope `data` and `meta`. */
export function expectedList(facts: readonly Fact[], asked: Asked, name: ListName, now: number): unknown {
	const plain = shapeOf(name);
	const more = plain.takes.includes("columns") || plain.takes.includes("figures") ? asked.figures : [];
	const addedColumns = Object.fromEntries(more.map((figure) => [figure, figure]));
	const shape = { ...plain, columns: { ...plain.columns, ...addedColumns } };
	const days = askedDays(asked, now);
	const chosen = factsFor(facts, asked, shape, days);
	const earlier =
		asked.compare &&
		factsFor(elapsedFacts(facts, days, asked, now), asked, shape, comparedDays(days, asked.compare), facts);
	const labels = [...new Set([...Object.values(shape.key), ...extraLabels(asked, shape)])];
	const sort = shape.columns[asked.sortBy ?? shape.sorts[0] ?? ""] ?? "";
	const groups = groupsOf(chosen, labels, Object.values(shape.columns), sort, asked.sortOrder === "asc" ? 1 : -1);
	const rows = groups.map((group) => rowOf(group, labels, shape, chosen, earlier));
	const comparison = earlier && {
		comparison: shape.comparison
			? pick(figures(earlier), [...shape.comparison, ...more])
			: shown(figures(earlier), shape.columns),
	};
	const began = asked.compare ? baselineStart(facts, asked, comparedDays(days, asked.compare)) : {};
	if (shape.form !== "page") {
		const data = shape.form === "top" ? rows.slice(0, asked.limit ?? 10) : rows;
		const meta = earlier ? { comparison: shown(figures(earlier), shape.columns), ...began } : {};
		return { data, meta };
	}
	const pageSize = asked.pageSize ?? (name === "conversions" ? 20 : 50);
	const from = (asked.page - 1) * pageSize;
	const page = rows.slice(from, from + pageSize);
	return {
		data: page,
		total: rows.length,
		page: asked.page,
		page_size: pageSize,
		has_next: page.length > 0 && from + pageSize < rows.length,
		has_prev: asked.page > 1,
		...comparison,
		...("baseline_start" in began && { meta: began }),
		...(shape.takes.includes("totals") && asked.includeTotals && { totals: shown(figures(chosen), shape.columns) }),
	};
}
