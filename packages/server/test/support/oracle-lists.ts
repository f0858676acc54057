import { askedDays, baselineStart, comparedDays, type Days, elapsedFacts } from "./oracle-dates.ts";
import type { Fact, Label } from "./oracle-facts.ts";
import {
	figures,
	type Group,
	groupedBy,
	groupsOf,
	isShown,
	named,
	pick,
	rounded,
	shown,
	total,
} from "./oracle-figures.ts";
import { selected, textOf } from "./oracle-filters.ts";
import type { Asked } from "./oracle-request.ts";
import { type ListName, type OracleList, type OracleShape, shapeOf } from "./oracle-shapes.ts";

const utmLabels = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;
const added = { device: "device_type", browser: "browser", os: "os", channel_group: "channel_group" } as const;
const countryNames: Readonly<Record<string, string>> = {
	ES: "Spain",
	DE: "Germany",
	US: "United States of America",
	Unknown: "Unknown",
};

/** A list of parts with their shares of the whole, the first 100. */
export function listOf(facts: readonly Fact[], { key, columns }: OracleList, whole: number) {
	const shows = Object.values(columns);
	const [sort = ""] = shows;
	return groupsOf(facts, Object.values(key), { shows, sort })
		.slice(0, 100)
		.map(({ texts, facts: members }) => {
			const numbers = figures(members);
			const percentage = rounded(numbers[sort] ?? 0, whole, 100);
			return { ...named(Object.keys(key), texts), ...shown(numbers, columns), percentage };
		});
}

const previous = (values: object) =>
	Object.fromEntries(Object.entries(values).map(([field, value]) => [`${field}_prev`, value]));

function rowOf(group: Group, labels: readonly Label[], shape: OracleShape, whole: Fact[], earlier: Fact[] | undefined) {
	const { url, columns, unique, lists = {} } = shape;
	const shareOf = (own: readonly Fact[], all: readonly Fact[]) =>
		shape.share && { percentage: rounded(total(own).entrances, total(all).entrances, 100) };
	const values = new Map(labels.map((label, at) => [label, group.texts[at] ?? ""]));
	const numbers = figures(group.facts);
	const before = earlier?.filter((fact) => labels.every((label) => textOf(fact, label) === values.get(label))) ?? [];
	const own = new Set<Label>(Object.values(shape.key));
	return {
		...Object.fromEntries(Object.entries(shape.key).map(([field, label]) => [field, values.get(label)])),
		...(url === "/stats/geo/countries" && { country_name: countryNames[values.get("country") ?? ""] }),
		...(unique && {
			[unique[0]]: groupedBy(group.facts, [unique[1]]).filter((one) => isShown(one.facts, Object.values(columns)))
				.length,
		}),
		...shown(numbers, columns),
		...shareOf(group.facts, whole),
		...(earlier && previous({ ...shown(figures(before), columns), ...shareOf(before, earlier) })),
		...Object.fromEntries(
			Object.entries(lists).map(([field, list]) => {
				const [first = ""] = Object.values(list.columns);
				return [field, listOf(group.facts, list, numbers[first] ?? 0)];
			}),
		),
		...Object.fromEntries([...values].filter(([label]) => !own.has(label))),
	};
}

/** Facts of a report: its key may have to be filled, and hold the text that is searched for. */
function factsFor(facts: readonly Fact[], asked: Asked, shape: OracleShape, days: Days, all = facts): Fact[] {
	const [first] = Object.values(shape.key);
	const search = shape.takes.includes("search") ? (asked.search ?? "").toLowerCase() : "";
	return selected(facts, asked, days, all).filter((fact) => {
		const text = first === undefined ? "" : textOf(fact, first);
		return text.toLowerCase().includes(search) && (shape.form !== "all" || text !== "");
	});
}

export function pageOf<Row>(rows: readonly Row[], { page, pageSize = 50 }: Pick<Asked, "page" | "pageSize">) {
	const end = page * pageSize;
	const data = rows.slice(end - pageSize, end);
	return {
		data,
		total: rows.length,
		page,
		page_size: pageSize,
		has_next: data.length > 0 && end < rows.length,
		has_prev: page > 1,
	};
}

/** The answer of a report that is a list of rows; of the success envelope `data` and `meta`. */
export function expectedList(facts: readonly Fact[], asked: Asked, name: ListName, now: number): unknown {
	const plain = shapeOf(name);
	const { form, key, sorts, takes } = plain;
	const more = takes.includes("columns") || takes.includes("figures") ? asked.figures : [];
	const columns = { ...plain.columns, ...Object.fromEntries(more.map((figure) => [figure, figure])) };
	const shape = { ...plain, columns };
	const days = askedDays(asked, now);
	const chosen = factsFor(facts, asked, shape, days);
	const compared = asked.compare && comparedDays(days, asked.compare);
	const earlier = compared && factsFor(elapsedFacts(facts, days, asked, now), asked, shape, compared, facts);
	const began = compared && baselineStart(facts, asked, compared);
	const extra = [...(asked.includeUtm ? utmLabels : []), ...asked.include.map((field) => added[field])];
	const labels = [...new Set([...Object.values(key), ...(takes.includes("columns") ? extra : [])])];
	const sort = columns[asked.sortBy ?? sorts[0] ?? ""] ?? "";
	const groups = groupsOf(chosen, labels, { shows: Object.values(columns), sort, order: asked.sortOrder });
	const rows = groups.map((group) => rowOf(group, labels, shape, chosen, earlier));
	const comparison = earlier && { comparison: shown(figures(earlier), columns) };
	if (form !== "page") {
		const data = form === "top" ? rows.slice(0, asked.limit ?? 10) : rows;
		return { data, meta: { ...comparison, ...began } };
	}
	return {
		...pageOf(rows, { page: asked.page, pageSize: asked.pageSize ?? (name === "conversions" ? 20 : 50) }),
		...(earlier && plain.comparison
			? { comparison: pick(figures(earlier), [...plain.comparison, ...more]) }
			: comparison),
		...(began && "baseline_start" in began && { meta: began }),
		...(takes.includes("totals") && asked.includeTotals && { totals: shown(figures(chosen), columns) }),
	};
}
