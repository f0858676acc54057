import { askedDays, baselineStart, comparedDays, type Days, elapsedFacts, listDays } from "./oracle-dates.ts";
import type { Fact, Label } from "./oracle-facts.ts";
import { figures, pick, total } from "./oracle-figures.ts";
import { expectedList, listOf } from "./oracle-lists.ts";
import type { Asked } from "./oracle-request.ts";
import { isList, selected } from "./oracle-select.ts";
import { seriesOf } from "./oracle-series.ts";

const trafficNames = [
	"entrances",
	"engaged_entrances",
	"page_views",
	"microconversions",
	"conversions",
	"revenue",
	"bounce_rate",
	"pages_per_session",
	"visitors",
	"visit_duration",
];
const conversionNames = ["conversions", "revenue", "microconversions", "conversion_rate", "average_order_value"];

function overview(facts: readonly Fact[], asked: Asked, now: number) {
	const days = askedDays(asked, now);
	const length = listDays(days).length;
	const current = selected(facts, asked, days);
	const granularity = asked.granularity ?? ((asked.compare || asked.series) && "auto");
	const before = asked.compare && listDays(comparedDays(days, asked.compare)).length;
	const auto = length === 1 && (before ?? 1) === 1 ? "hourly" : "daily";
	const width = granularity === "auto" ? auto : granularity;
	const data: Record<string, unknown> = {
		date_range: { start_date: days[0], end_date: days[1], days: length },
		traffic: pick(figures(current), trafficNames),
		conversions: pick(figures(current), conversionNames),
	};
	if (width) Object.assign(data, seriesOf(current, days, { width, names: asked.series }, ""));
	if (asked.compare) {
		const earlierDays = comparedDays(days, asked.compare);
		const earlier = selected(elapsedFacts(facts, days, asked, now), asked, earlierDays, facts);
		data.traffic_change = pick(figures(earlier), trafficNames);
		data.conversions_change = pick(figures(earlier), conversionNames);
		if (width) Object.assign(data, seriesOf(earlier, earlierDays, { width, names: asked.series }, "_compare"));
	}
	return { data, meta: beganOf(facts, asked, days) };
}

const beganOf = (facts: readonly Fact[], asked: Asked, days: Days) =>
	asked.compare ? baselineStart(facts, asked, comparedDays(days, asked.compare)) : {};

const deviceColumns = [
	"entrances",
	"engaged_entrances",
	"page_views",
	"microconversions",
	"conversions",
	"revenue",
	"bounce_rate",
];
const columns = Object.fromEntries(deviceColumns.map((name) => [name, name]));

function devices(facts: readonly Fact[], asked: Asked, now: number) {
	const days = askedDays(asked, now);
	const lists = (range: Days, among = facts) => {
		const chosen = selected(among, asked, range, facts);
		const { entrances } = total(chosen);
		const by = (field: string, label: Label) => listOf(chosen, { key: { [field]: label }, columns }, entrances);
		return { by_device: by("device", "device_type"), by_browser: by("browser", "browser"), by_os: by("os", "os") };
	};
	const earlier = asked.compare && {
		comparison: lists(comparedDays(days, asked.compare), elapsedFacts(facts, days, asked, now)),
	};
	return { data: { ...lists(days), ...earlier }, meta: beganOf(facts, asked, days) };
}

const counted = { count: "microconversions" };

function typeDetail(facts: readonly Fact[], asked: Asked, now: number) {
	const days = askedDays(asked, now);
	const type = asked.type;
	const chosen = selected(facts, asked, days).filter((fact) => fact.event_type === type);
	const count = total(chosen).microconversions;
	const by = (...labels: Label[]) => {
		const key = Object.fromEntries(labels.map((label) => [label, label]));
		return listOf(chosen, { key, columns: counted }, count);
	};
	const data = {
		conversion_type: type,
		date_from: days[0],
		date_to: days[1],
		totals: { count },
		by_device: by("device_type"),
		by_country: by("country"),
		by_landing_page: by("landing_page"),
		by_source: by("utm_source", "utm_medium"),
	};
	return { data, meta: {} };
}

function types(facts: readonly Fact[], asked: Asked, now: number) {
	const chosen = selected(facts, asked, askedDays(asked, now)).filter((fact) => fact.counts.microconversions > 0);
	const names = [...new Set(chosen.map((fact) => fact.event_type))];
	return { data: names.sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other))), meta: {} };
}

/** The answer that a request must get, recomputed fact by fact; of a success envelope `data` and `meta`. */
export function expectedAnswer(facts: readonly Fact[], asked: Asked, now: number): unknown {
	const { report } = asked;
	if (isList(report)) return expectedList(facts, asked, report, now);
	switch (report) {
		case "overview":
			return overview(facts, asked, now);
		case "devices":
			return devices(facts, asked, now);
		case "type":
			return typeDetail(facts, asked, now);
		case "types":
			return types(facts, asked, now);
	}
}
