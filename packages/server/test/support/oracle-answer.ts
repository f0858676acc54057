import assert from "node:assert/strict";
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
import { byBytes, figures, pick, rounded, total } from "./oracle-figures.ts";
import { selected } from "./oracle-filters.ts";
import { expectedList, listOf } from "./oracle-lists.ts";
import { type Asked, addressOf } from "./oracle-request.ts";
import { isList } from "./oracle-shapes.ts";

/** The metrics that come as series when none are named. */
export const seriesNames = "entrances engaged_entrances page_views conversions microconversions revenue visitors".split(
	" ",
);
const breakdownNames = "entrances engaged_entrances page_views microconversions conversions revenue bounce_rate".split(
	" ",
);
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

const columns = Object.fromEntries(breakdownNames.map((name) => [name, name]));

function devices(facts: readonly Fact[], asked: Asked, days: Days, now: number) {
	const lists = (range: Days, among = facts) => {
		const chosen = selected(among, asked, range, facts);
		const by = (field: string, label: Label) =>
			listOf(chosen, { key: { [field]: label }, columns }, total(chosen).entrances);
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

interface Answer {
	readonly statusCode: number;
	readonly body: string;
	json(): Record<string, unknown>;
}

/** An answer is the oracle's, or refused where the oracle says so. */
export function assertAnswer(answer: Answer, facts: readonly Fact[], asked: Asked, now: number): void {
	const address = addressOf(asked);
	const refused = isRefused(asked, now);
	assert.equal(answer.statusCode, refused ? 400 : 200, `${address} ${answer.body}`);
	if (refused) return;
	const { success, timestamp, ...body } = answer.json();
	assert.equal(success === undefined, timestamp === undefined);
	assert.deepEqual(body, expectedAnswer(facts, asked, now), address);
}
