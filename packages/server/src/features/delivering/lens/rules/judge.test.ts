import assert from "node:assert/strict";
import { test } from "node:test";
import { judge } from "./judge.ts";
import { lookedAt, type Part, type PartName, partNames, type Sums, type WeekFigures } from "./week-figures.ts";

const sums = (values: Partial<Sums>): Sums => ({
	...(Object.fromEntries(lookedAt.map((name) => [name, 0])) as Sums),
	...values,
});
const day = (text: string) => Temporal.PlainDate.from(text);

/** A quiet shop: 2,000 visits a week, half of them bounce, 40 orders of 50. */
const usual = { entrances: 2000, engaged_entrances: 1000, page_views: 6000, conversions: 40, revenue: 2000 };

interface Planted {
	readonly now?: Partial<Sums>;
	readonly before?: Partial<Sums>;
	readonly days?: number;
	readonly parts?: Partial<Record<PartName, readonly Part[]>>;
	readonly rest?: Partial<WeekFigures>;
}

const figures = ({ now = {}, before = {}, days = 14, parts = {}, rest = {} }: Planted): WeekFigures => ({
	days: {
		now: { start: day("2026-11-16"), end: day("2026-11-22") },
		before: { start: day("2026-11-09"), end: day("2026-11-15") },
	},
	now: sums({ ...usual, ...now }),
	before: sums({ ...usual, ...before }),
	daysWithData: days,
	parts: { ...(Object.fromEntries(partNames.map((name) => [name, []])) as unknown as WeekFigures["parts"]), ...parts },
	bots: { now: { hits: 6000, suspicious: 300 }, before: { hits: 6000, suspicious: 300 } },
	lastDay: { hits: 850, usual: 850 },
	collected: { accepted: 850, rejected: 10 },
	...rest,
});

const part = (value: string, now: Partial<Sums>, before: Partial<Sums>): Part => ({
	value,
	now: sums(now),
	before: sums(before),
});
const visits = (entrances: number) => ({ entrances, engaged_entrances: entrances / 2 });
/** A week in which visits, orders and revenue were these. */
const week = (entrances: number, conversions: number, revenue = 1700) => ({
	...visits(entrances),
	conversions,
	revenue,
});
/** Orders and their revenue in the week before, and now. */
const sold = (before: [number, number], now: [number, number]): Planted => ({
	before: { conversions: before[0], revenue: before[1] },
	now: { conversions: now[0], revenue: now[1] },
});
const inPart = (name: PartName, ...list: Part[]): Planted => ({ parts: { [name]: list } });
/** Visits of a part now and in the week before. */
const visited = (value: string, now: number, before: number) => part(value, visits(now), visits(before));
const converting = (value: string, conversions: number) => {
	const both = { entrances: 1500, conversions };
	return part(value, both, both);
};
const bounced = (entrances: number, engaged_entrances: number) =>
	part("/sale", { entrances, engaged_entrances }, visits(400));
const collected = (accepted: number, rejected: number): Planted => ({ rest: { collected: { accepted, rejected } } });
const lastDay = (usual: number): Planted => ({ rest: { lastDay: { hits: 0, usual } } });
const suspicious = (now: number, before: number): Planted => ({
	rest: { bots: { now: { hits: 6000, suspicious: now }, before: { hits: 6000, suspicious: before } } },
});
const medium = (now: Partial<Sums>): Planted => ({ days: 10, now });

const channel = (now: number, before: number) => inPart("channel_group", visited("Email", now, before));
const mexico = (now: number, before: number, other: Part) => inPart("country", visited("MX", now, before), other);
const devices = (mobile: number) => inPart("device_type", converting("desktop", 60), converting("mobile", mobile));
const spring = (before: number, ...others: Part[]) => inPart("utm_campaign", visited("spring", 0, before), ...others);
const google = (count: number, ...others: Part[]) => inPart("utm_source", visited("google", count, count), ...others);
const small = (now: number, before: number): Planted => ({ now: week(now, 0, 0), before: week(before, 0, 0) });

/** Planted figures with what is found in them: rule, whom it is about, severity. Most come with a near miss. */
const cases: readonly (readonly [title: string, planted: Planted, expected: string])[] = [
	["a usual week", {}, ""],
	["a drop of 20 %", { now: week(1600, 32) }, "traffic_drop  yellow"],
	["a little less", { now: week(1601, 32) }, ""],
	["a drop of twice the threshold", { now: week(1200, 24) }, "traffic_drop  red"],
	["a little less than twice", { now: week(1201, 24) }, "traffic_drop  yellow"],
	["a drop of 25 % at medium confidence", medium(week(1500, 30)), "traffic_drop  yellow"],
	["a drop of 22 % at medium confidence", medium(week(1560, 31)), ""],
	["a drop of a small site, which is never red", small(20, 70), "traffic_drop  yellow"],
	["a drop of a small site that may be chance", small(40, 58), ""],
	["a spike of 20 %", { now: week(2400, 48, 2000) }, "traffic_spike  green"],
	["a little less of a spike", { now: week(2399, 48, 2000) }, ""],
	["conversions whose intervals are apart", sold([120, 2000], [60, 2000]), "conversion_drop  red"],
	["twice the threshold, and it may well be chance", sold([120, 2000], [71, 2000]), "conversion_drop  yellow"],
	["conversions whose intervals meet", sold([120, 2000], [88, 2000]), ""],
	["twice the conversions", sold([60, 2000], [120, 2000]), "conversion_spike  green"],
	["more conversions, by chance", sold([88, 2000], [120, 2000]), ""],
	["a fall of revenue", sold([100, 5000], [90, 2000]), "revenue_drop  red"],
	["30 % of 50 orders of any size, which is chance", sold([30, 1500], [20, 1050]), ""],
	["twice the revenue", sold([100, 5000], [110, 11_000]), "revenue_spike  green"],
	["a little more revenue", sold([100, 5000], [110, 5900]), ""],
	["more bounces", { now: { engaged_entrances: 800 } }, "bounce_rate_rise  yellow"],
	["a little fewer of them", { now: { engaged_entrances: 801 } }, ""],
	["half the visits of a channel", channel(300, 600), "channel_drop Email yellow"],
	["a sixth less of a channel", channel(500, 600), ""],
	["half of a channel, at high confidence", channel(400, 900), "channel_drop Email red"],
	["a channel with all others: news of the site", { ...channel(450, 900), now: week(1000, 20) }, "traffic_drop  red"],
	["a campaign that ended", spring(100, visited("(none)", 0, 900)), "campaign_drop spring yellow"],
	["a campaign that was too small", spring(99), ""],
	["other countries", mexico(300, 500, visited("ES", 1400, 1100)), "country_shift MX yellow, country_shift ES green"],
	["from 5 % to 3 %, which is two points", mexico(60, 100, visited("Unknown", 900, 300)), ""],
	["phones below half of computers", devices(29), "device_gap mobile yellow"],
	["phones at half of computers", devices(30), ""],
	["a landing page that people leave", inPart("landing_page", bounced(400, 100)), "landing_page_bounce /sale yellow"],
	["one that has too few visits", inPart("landing_page", bounced(99, 0)), ""],
	["65 % of one source", google(1300), "concentration_risk google yellow"],
	["61 %, which may be 59; direct visits hang on nobody", google(1220, visited("(direct)", 1900, 1900)), ""],
	["nothing comes: that alone", { ...lastDay(100), now: visits(0) }, "tracking_broken  red"],
	["nothing of what would be few", lastDay(99), ""],
	["nothing while visits are usual", lastDay(500), "tracking_broken  red"],
	["hits that wait", { rest: { lastDay: undefined } }, ""],
	["15 % refused", collected(850, 150), "data_health  yellow"],
	["11 % refused", collected(890, 110), ""],
	["30 % refused", collected(700, 300), "data_health  red"],
	["a process that sees no hits", { rest: { collected: undefined } }, ""],
	["a share of bots that rose", suspicious(1500, 300), "bot_share  yellow"],
	["one that is as usual", suspicious(1500, 1450), ""],
];

test("a week's findings: rule, segment, severity", () => {
	const found = (planted: Planted) =>
		judge(figures(planted)).map(({ rule, entity, severity }) => [rule, entity, severity].join(" "));
	const wanted = cases.map(([title, , expected]) => `${title}: ${expected}`);
	assert.deepEqual(
		cases.map(([title, planted]) => `${title}: ${found(planted).join(", ")}`),
		wanted,
	);
});

test("a finding tells its numbers: baseline, intervals, sample and what it is worth", () => {
	const [drop] = judge(figures({ now: week(1200, 24) }));
	assert.deepEqual(drop, {
		...{ rule: "traffic_drop", entity: null, severity: "red", confidence: "high" },
		...{ unit: "count", value: 1200, baseline: 2000, change: -40, threshold: 20 },
		sample: { days: 14, events: 3200, conversions: null },
		interval: { low: 1134, high: 1269.84 },
		baselineInterval: { low: 1914.25, high: 2089.6 },
		// 800 visits that brought 1 each the week before.
		impact: -800,
		other: null,
	});
	const [rate] = judge(figures(sold([120, 2400], [60, 2400])));
	const found = [rate?.value, rate?.baseline, rate?.interval, rate?.baselineInterval, rate?.impact];
	assert.deepEqual(found, [3, 6, { low: 2.34, high: 3.84 }, { low: 5.04, high: 7.13 }, -1200]);
});
