import { askedDays, comparedDays, type Days, listDays, weekday } from "./oracle-dates.ts";
import { type Counts, counts, type Fact } from "./oracle-facts.ts";
import type { Asked, AskedFilter, Label } from "./oracle-request.ts";

const utmLabels = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;

function total(facts: readonly Fact[]): Counts {
	const sum = { ...counts({}) };
	for (const fact of facts) {
		for (const name of Object.keys(sum) as (keyof Counts)[]) sum[name] += fact.counts[name];
	}
	return sum;
}

// By whole numbers, as fractions of two decimals have no exact binary form.
function rounded(part: number, whole: number, scale: number): number {
	if (whole === 0) return 0;
	const hundredths = BigInt(part) * BigInt(scale) * 200n;
	const doubled = hundredths / BigInt(whole);
	const up = doubled >= 0n ? (doubled + 1n) / 2n : (doubled - 1n) / 2n;
	return Number(up) / 100;
}

function figures(facts: readonly Fact[]): Record<string, number> {
	const sum = total(facts);
	return {
		...sum,
		revenue: sum.revenue / 10_000,
		bounce_rate: rounded(sum.entrances - sum.engaged_entrances, sum.entrances, 100),
		pages_per_session: rounded(sum.page_views, sum.entrances, 1),
		conversion_rate: Math.min(100, rounded(sum.conversions, sum.entrances, 100)),
		average_order_value: rounded(sum.revenue, sum.conversions * 10_000, 1),
	};
}

function pick(values: Record<string, number>, names: readonly string[]): Record<string, number> {
	return Object.fromEntries(names.map((name) => [name, values[name] ?? Number.NaN]));
}

function labelOf(field: AskedFilter["field"], asked: Asked): Label {
	if (field === "path") return asked.report === "pages" ? "path" : "landing_page";
	return field === "referrer" ? "referrer_domain" : field;
}

function canonical(label: Label, value: string): string {
	if (label === "device_type") return value.toLowerCase();
	if (label === "country") return value.length === 2 ? value.toUpperCase() : "Unknown";
	return value;
}

function passes(value: string, filter: AskedFilter, label: Label): boolean {
	const [first = ""] = filter.values;
	const whole = filter.values.map((text) => canonical(label, text));
	switch (filter.operator) {
		case "eq":
		case "in":
			return whole.includes(value);
		case "ne":
		case "not_in":
			return !whole.includes(value);
		case "contains":
			return value.includes(first);
		case "not_contains":
			return !value.includes(first);
		case "regex":
			return new RegExp(first, "su").test(value);
		case "not_regex":
			return !new RegExp(first, "su").test(value);
	}
}

function selected(facts: readonly Fact[], asked: Asked, [first, last]: Days): Fact[] {
	const taken = new Set(asked.filters.map((filter) => labelOf(filter.field, asked)));
	const parameters = Object.entries(asked.parameters).filter(([label]) => !taken.has(label as Label));
	return facts.filter((fact) => {
		const { labels } = fact;
		const inTime = fact.site === asked.site && fact.date >= first && fact.date <= last;
		const advanced = asked.filters.every((filter) => {
			const label = labelOf(filter.field, asked);
			return passes(labels[label], filter, label);
		});
		const plain = parameters.every(([name, values]) => {
			const label = name as Label;
			return values.some((value) => canonical(label, value) === labels[label]);
		});
		const path = asked.report !== "pages" || taken.has("path") || labels.path.includes(asked.pathFilter ?? "");
		const search = asked.report === "sources" ? (asked.search ?? "").toLowerCase() : "";
		return inTime && advanced && plain && path && labels.utm_source.toLowerCase().includes(search);
	});
}

const added = { device: "device_type", browser: "browser", os: "os", channel_group: "channel_group" } as const;

const listShapes = {
	sources: {
		key: ["utm_source"],
		columns: ["entrances", "page_views", "engaged_entrances", "bounce_rate", "conversions", "revenue"],
		comparison: ["entrances", "page_views", "engaged_entrances", "bounce_rate", "conversions", "revenue"],
		sort: "entrances",
	},
	pages: {
		key: ["path", "content_grouping"],
		columns: ["page_views", "entrances"],
		comparison: ["entrances", "engaged_entrances", "page_views", "conversions", "revenue"],
		sort: "page_views",
	},
} as const;

const bytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

function list(facts: readonly Fact[], asked: Asked, now: number, report: "sources" | "pages") {
	const shape = listShapes[report];
	const days = askedDays(asked, now);
	const extra: Label[] =
		report === "sources"
			? []
			: [
					...(asked.includeUtm ? utmLabels : []),
					...(["device", "browser", "os", "channel_group"] as const)
						.filter((name) => asked.include.includes(name))
						.map((name) => added[name]),
				];
	const labels: Label[] = [...shape.key, ...extra];
	const chosen = selected(facts, asked, days);
	const groups = Map.groupBy(chosen, (fact) => JSON.stringify(labels.map((label) => fact.labels[label])));
	const sortBy = asked.sortBy ?? shape.sort;
	const direction = asked.sortOrder === "asc" ? 1 : -1;
	const rows = [...groups]
		.map(([key, members]) => ({ key: JSON.parse(key) as string[], numbers: figures(members) }))
		.filter(({ numbers }) => shape.columns.some((name) => name !== "bounce_rate" && numbers[name] !== 0))
		.sort((one, other) => {
			const byNumber = direction * ((one.numbers[sortBy] ?? 0) - (other.numbers[sortBy] ?? 0));
			if (byNumber !== 0) return byNumber;
			return one.key.map((text, at) => bytes(text, other.key[at] ?? "")).find((order) => order !== 0) ?? 0;
		});
	const from = (asked.page - 1) * asked.pageSize;
	const page = rows.slice(from, from + asked.pageSize).map(({ key, numbers }) => ({
		...Object.fromEntries(labels.map((label, at) => [label, key[at]])),
		...pick(numbers, shape.columns),
	}));
	const compared = asked.compare && figures(selected(facts, asked, comparedDays(days, asked.compare)));
	return {
		data: page,
		total: rows.length,
		page: asked.page,
		page_size: asked.pageSize,
		has_next: page.length > 0 && asked.page * asked.pageSize < rows.length,
		has_prev: asked.page > 1,
		...(compared && { comparison: pick(compared, shape.comparison) }),
		...(report === "sources" && asked.includeTotals && { totals: pick(figures(chosen), shape.columns) }),
	};
}

const trafficNames = [
	"entrances",
	"engaged_entrances",
	"page_views",
	"microconversions",
	"conversions",
	"revenue",
	"bounce_rate",
	"pages_per_session",
];
const conversionNames = ["conversions", "revenue", "microconversions", "conversion_rate", "average_order_value"];

function seriesOf(facts: readonly Fact[], days: Days, hourly: boolean, suffix: string) {
	const names = ["entrances", "engaged_entrances", "page_views", "conversions", "microconversions", "revenue"] as const;
	const hours = hourly ? Array.from({ length: 24 }, (_, hour) => hour) : [undefined];
	const points = listDays(days).flatMap((date) => hours.map((hour) => ({ date, hour })));
	const series = names.map((metric) => {
		const scale = metric === "revenue" ? 10_000 : 1;
		const at = points.map((point) => {
			const members = facts.filter(
				(fact) => fact.date === point.date && (point.hour === undefined || fact.hour === point.hour),
			);
			const value = total(members)[metric] / scale;
			return hourly ? { ...point, day_of_week: weekday(point.date), value } : { date: point.date, value };
		});
		const sum = total(facts)[metric];
		const body = { metric, points: at, total: sum / scale, average: rounded(sum, points.length * scale, 1) };
		return [`${metric}_series${suffix}`, body] as const;
	});
	return Object.fromEntries(series);
}

function overview(facts: readonly Fact[], asked: Asked, now: number) {
	const days = askedDays(asked, now);
	const length = listDays(days).length;
	const current = selected(facts, asked, days);
	const granularity = asked.granularity ?? (asked.compare && "auto");
	const hourly = granularity === "hourly" || (granularity === "auto" && length === 1);
	const data: Record<string, unknown> = {
		date_range: { start_date: days[0], end_date: days[1], days: length },
		traffic: pick(figures(current), trafficNames),
		conversions: pick(figures(current), conversionNames),
	};
	if (granularity) Object.assign(data, seriesOf(current, days, hourly, ""));
	if (asked.compare) {
		const earlierDays = comparedDays(days, asked.compare);
		const earlier = selected(facts, asked, earlierDays);
		data.traffic_change = pick(figures(earlier), trafficNames);
		data.conversions_change = pick(figures(earlier), conversionNames);
		Object.assign(data, seriesOf(earlier, earlierDays, hourly, "_compare"));
	}
	return { data };
}

/** The answer that a request must get, recomputed fact by fact; of an envelope only `data`. */
export function expectedAnswer(facts: readonly Fact[], asked: Asked, now: number): unknown {
	return asked.report === "overview" ? overview(facts, asked, now) : list(facts, asked, now, asked.report);
}
