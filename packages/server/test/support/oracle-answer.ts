import assert from "node:assert/strict";
import type { LightMyRequestResponse } from "fastify";
import {
	askedDays,
	baselineStart,
	comparedDays,
	type Days,
	elapsedFacts,
	listDays,
	shift,
	weekday,
} from "./oracle-dates.ts";
import type { Fact, Label } from "./oracle-facts.ts";
import {
	byBytes,
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
import { type Asked, addressOf } from "./oracle-request.ts";
import { isList, type ListName, type OracleList, type OracleShape, seriesNames, shapeOf } from "./oracle-shapes.ts";
import { words } from "./words.ts";

const utmLabels = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;
const added = { device: "device_type", browser: "browser", os: "os", channel_group: "channel_group" } as const;
const countryNames: Readonly<Record<string, string>> = {
	ES: "Spain",
	DE: "Germany",
	US: "United States of America",
	Unknown: "Unknown",
};

/** A list of parts with their shares of the whole, the first 100. */
function listOf(facts: readonly Fact[], { key, columns }: OracleList, whole: number) {
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
function expectedList(facts: readonly Fact[], asked: Asked, name: ListName, now: number): unknown {
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

const breakdownNames = words("entrances engaged_entrances page_views microconversions conversions revenue bounce_rate");
const trafficNames = [...breakdownNames, "pages_per_session", "visitors", "visit_duration"];
const conversionNames = ["conversions", "revenue", "microconversions", "conversion_rate", "average_order_value"];

type Width = "hourly" | "daily" | "weekly" | "monthly";

/** The day that stands for a day: itself, or the first of its week or month that is not before the range. */
function standsFor(day: string, [first]: Days, width: Width): string {
	if (width === "hourly" || width === "daily") return day;
	const start = width === "weekly" ? shift(day, 1 - weekday(day)) : `${day.slice(0, 7)}-01`;
	return start < first ? first : start;
}

function seriesOf(
	facts: readonly Fact[],
	days: Days,
	width: Width,
	names: readonly string[] = seriesNames,
	suffix = "",
) {
	const hours = width === "hourly" ? Array.from({ length: 24 }, (_, hour) => hour) : [undefined];
	const dates = [...new Set(listDays(days).map((day) => standsFor(day, days, width)))];
	const points = dates.flatMap((date) =>
		hours.map((hour) => {
			const members = facts.filter(
				(fact) => standsFor(fact.date, days, width) === date && (hour === undefined || fact.hour === hour),
			);
			const point = hour === undefined ? { date } : { date, hour, day_of_week: weekday(date) };
			return { point, numbers: figures(members) };
		}),
	);
	const series = names.map((metric) => {
		const at = points.map(({ point, numbers }) => ({ ...point, value: numbers[metric] ?? Number.NaN }));
		const sum = at.reduce((all, { value }) => all + Math.round(value * 10_000), 0);
		const average = rounded(sum, points.length * 10_000, 1);
		return [`${metric}_series${suffix}`, { metric, points: at, total: figures(facts)[metric], average }];
	});
	return Object.fromEntries(series);
}

function overview(facts: readonly Fact[], asked: Asked, days: Days, now: number): object {
	const { compare, series: names } = asked;
	const length = listDays(days).length;
	const current = selected(facts, asked, days);
	const earlierDays = compare && comparedDays(days, compare);
	const granularity = asked.granularity ?? ((compare || names) && "auto");
	const isOfHours = length === 1 && (earlierDays === undefined || listDays(earlierDays).length === 1);
	const width = granularity === "auto" ? (isOfHours ? "hourly" : "daily") : granularity;
	const data = {
		date_range: { start_date: days[0], end_date: days[1], days: length },
		traffic: pick(figures(current), trafficNames),
		conversions: pick(figures(current), conversionNames),
		...(width && seriesOf(current, days, width, names)),
	};
	if (earlierDays === undefined) return data;
	const earlier = selected(elapsedFacts(facts, days, asked, now), asked, earlierDays, facts);
	return {
		...data,
		traffic_change: pick(figures(earlier), trafficNames),
		conversions_change: pick(figures(earlier), conversionNames),
		...(width && seriesOf(earlier, earlierDays, width, names, "_compare")),
	};
}

const breakdownColumns = Object.fromEntries(breakdownNames.map((name) => [name, name]));

function devices(facts: readonly Fact[], asked: Asked, days: Days, now: number) {
	const lists = (range: Days, among = facts) => {
		const chosen = selected(among, asked, range, facts);
		const by = (field: string, label: Label) =>
			listOf(chosen, { key: { [field]: label }, columns: breakdownColumns }, total(chosen).entrances);
		return { by_device: by("device", "device_type"), by_browser: by("browser", "browser"), by_os: by("os", "os") };
	};
	const { compare } = asked;
	const earlier = compare && lists(comparedDays(days, compare), elapsedFacts(facts, days, asked, now));
	return { ...lists(days), ...(earlier && { comparison: earlier }) };
}

function typeDetail(facts: readonly Fact[], asked: Asked, days: Days) {
	const chosen = selected(facts, asked, days).filter((fact) => fact.event_type === asked.type);
	const count = total(chosen).microconversions;
	const by = (...labels: Label[]) => {
		const key = Object.fromEntries(labels.map((label) => [label, label]));
		return listOf(chosen, { key, columns: { count: "microconversions" } }, count);
	};
	return {
		conversion_type: asked.type,
		date_from: days[0],
		date_to: days[1],
		totals: { count },
		by_device: by("device_type"),
		by_country: by("country"),
		by_landing_page: by("landing_page"),
		by_source: by("utm_source", "utm_medium"),
	};
}

function types(facts: readonly Fact[], asked: Asked, days: Days): string[] {
	const chosen = selected(facts, asked, days).filter((fact) => fact.counts.microconversions > 0);
	return [...new Set(chosen.map((fact) => fact.event_type))].sort(byBytes);
}

/** The answer that a request must get, recomputed fact by fact; of a success envelope `data` and `meta`. */
function expectedAnswer(facts: readonly Fact[], asked: Asked, now: number): unknown {
	const { report, compare } = asked;
	if (isList(report)) return expectedList(facts, asked, report, now);
	const data = { overview, devices, type: typeDetail, types }[report](facts, asked, askedDays(asked, now), now);
	const isCompared = compare !== undefined && (report === "overview" || report === "devices");
	return { data, meta: isCompared ? baselineStart(facts, asked, comparedDays(askedDays(asked, now), compare)) : {} };
}

/** A series by the hour has its limit in days. */
function isRefused({ granularity, compare, ...asked }: Asked, now: number): boolean {
	const days = askedDays(asked, now);
	const ranges = [days, ...(compare ? [comparedDays(days, compare)] : [])];
	return granularity === "hourly" && ranges.some((range) => listDays(range).length > 92);
}

/** An answer is the oracle's, or refused where the oracle says so. */
export function assertAnswer(answer: LightMyRequestResponse, facts: readonly Fact[], asked: Asked, now: number): void {
	const address = addressOf(asked);
	const refused = isRefused(asked, now);
	assert.equal(answer.statusCode, refused ? 400 : 200, `${address} ${answer.body}`);
	if (refused) return;
	const { success, timestamp, ...body } = answer.json();
	assert.equal(success === undefined, timestamp === undefined);
	assert.deepEqual(body, expectedAnswer(facts, asked, now), address);
}
