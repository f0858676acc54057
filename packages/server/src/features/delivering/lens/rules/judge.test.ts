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

const week = ({ now = {}, before = {}, days = 14, parts = {}, rest = {} }: Planted): WeekFigures => ({
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

/** Rule, whom it is about, severity. */
const found = (planted: Planted) =>
	judge(week(planted)).map(({ rule, entity, severity }) => [rule, entity, severity].join(" "));

const part = (value: string, now: Partial<Sums>, before: Partial<Sums>): Part => ({
	value,
	now: sums(now),
	before: sums(before),
});
const visits = (entrances: number) => ({ entrances, engaged_entrances: entrances / 2 });
const inPart = (name: PartName, ...list: Part[]): Planted => ({ parts: { [name]: list } });

const quiet: string[] = [];

/** Planted figures with the finding, and a near miss with its finding: none unless given. */
const cases: readonly (readonly [
	rule: string,
	planted: Planted,
	expected: string[],
	miss: Planted,
	other?: string[],
])[] = [
	["a usual week", {}, quiet, {}],
	[
		"traffic_drop at 20 %",
		{ now: { ...visits(1600), conversions: 32, revenue: 1700 } },
		["traffic_drop  yellow"],
		{ now: { ...visits(1601), conversions: 32, revenue: 1700 } },
	],
	[
		"traffic_drop, red from twice the threshold",
		{ now: { ...visits(1200), conversions: 24, revenue: 1700 } },
		["traffic_drop  red"],
		{ now: { ...visits(1201), conversions: 24, revenue: 1700 } },
		["traffic_drop  yellow"],
	],
	[
		"traffic_drop at medium confidence from 25 %",
		{ days: 10, now: { ...visits(1500), conversions: 30, revenue: 1700 } },
		["traffic_drop  yellow"],
		{ days: 10, now: { ...visits(1560), conversions: 31, revenue: 1700 } },
	],
	[
		"traffic_drop of a small site, which is never red",
		{ now: { ...visits(20), conversions: 0, revenue: 0 }, before: { ...visits(70), conversions: 0, revenue: 0 } },
		["traffic_drop  yellow"],
		{ now: { ...visits(40), conversions: 0, revenue: 0 }, before: { ...visits(58), conversions: 0, revenue: 0 } },
	],
	[
		"traffic_spike",
		{ now: { ...visits(2400), conversions: 48 } },
		["traffic_spike  green"],
		{ now: { ...visits(2399), conversions: 48 } },
	],
	[
		"conversion_drop when the intervals are apart",
		{ before: { conversions: 120, revenue: 2000 }, now: { conversions: 60, revenue: 2000 } },
		["conversion_drop  red"],
		{ before: { conversions: 120, revenue: 2000 }, now: { conversions: 88, revenue: 2000 } },
	],
	[
		"conversion_drop of twice the threshold, not red while it may well be chance",
		{ before: { conversions: 120, revenue: 2000 }, now: { conversions: 71, revenue: 2000 } },
		["conversion_drop  yellow"],
		{ before: { conversions: 120, revenue: 2000 }, now: { conversions: 88, revenue: 2000 } },
	],
	[
		"conversion_spike",
		{ before: { conversions: 60 }, now: { conversions: 120 } },
		["conversion_spike  green"],
		{ before: { conversions: 88 }, now: { conversions: 120 } },
	],
	[
		"revenue_drop",
		{ before: { conversions: 100, revenue: 5000 }, now: { conversions: 90, revenue: 2000 } },
		["revenue_drop  red"],
		// 30 % of 50 orders of any size is chance.
		{ before: { conversions: 30, revenue: 1500 }, now: { conversions: 20, revenue: 1050 } },
	],
	[
		"revenue_spike",
		{ before: { conversions: 100, revenue: 5000 }, now: { conversions: 110, revenue: 11_000 } },
		["revenue_spike  green"],
		{ before: { conversions: 100, revenue: 5000 }, now: { conversions: 110, revenue: 5900 } },
	],
	[
		"bounce_rate_rise",
		{ now: { engaged_entrances: 800 } },
		["bounce_rate_rise  yellow"],
		{ now: { engaged_entrances: 801 } },
	],
	[
		"channel_drop",
		inPart("channel_group", part("Email", visits(300), visits(600))),
		["channel_drop Email yellow"],
		inPart("channel_group", part("Email", visits(500), visits(600))),
	],
	[
		"channel_drop, red at high confidence",
		inPart("channel_group", part("Email", visits(400), visits(900))),
		["channel_drop Email red"],
		// With all the others: that is news of the site alone.
		{
			...inPart("channel_group", part("Email", visits(450), visits(900))),
			now: { ...visits(1000), conversions: 20, revenue: 1700 },
		},
		["traffic_drop  red"],
	],
	[
		"campaign_drop",
		inPart("utm_campaign", part("spring", visits(0), visits(100)), part("(none)", visits(0), visits(900))),
		["campaign_drop spring yellow"],
		inPart("utm_campaign", part("spring", visits(0), visits(99))),
	],
	[
		"country_shift",
		inPart("country", part("MX", visits(300), visits(500)), part("ES", visits(1400), visits(1100))),
		["country_shift MX yellow", "country_shift ES green"],
		// From 5 % to 3 %, which is two points.
		inPart("country", part("MX", visits(60), visits(100)), part("Unknown", visits(900), visits(300))),
	],
	[
		"device_gap below half",
		inPart(
			"device_type",
			part("desktop", { entrances: 1500, conversions: 60 }, { entrances: 1500, conversions: 60 }),
			part("mobile", { entrances: 1500, conversions: 29 }, { entrances: 1500, conversions: 29 }),
		),
		["device_gap mobile yellow"],
		inPart(
			"device_type",
			part("desktop", { entrances: 1500, conversions: 60 }, { entrances: 1500, conversions: 60 }),
			part("mobile", { entrances: 1500, conversions: 30 }, { entrances: 1500, conversions: 30 }),
		),
	],
	[
		"landing_page_bounce",
		inPart("landing_page", part("/sale", { entrances: 400, engaged_entrances: 100 }, visits(400))),
		["landing_page_bounce /sale yellow"],
		inPart("landing_page", part("/sale", { entrances: 99, engaged_entrances: 0 }, visits(400))),
	],
	[
		"concentration_risk",
		inPart("utm_source", part("google", visits(1300), visits(1300))),
		["concentration_risk google yellow"],
		// 61 % of 2,000 visits may be 59 %; and direct visits hang on nobody.
		inPart("utm_source", part("google", visits(1220), visits(1220)), part("(direct)", visits(1900), visits(1900))),
	],
	[
		"tracking_broken, and nothing beside it of what follows from it",
		{ now: visits(0), rest: { lastDay: { hits: 0, usual: 100 } } },
		["tracking_broken  red"],
		{ rest: { lastDay: { hits: 0, usual: 99 } } },
	],
	[
		"tracking_broken only when no hit waits",
		{ rest: { lastDay: { hits: 0, usual: 500 } } },
		["tracking_broken  red"],
		{ rest: { lastDay: undefined } },
	],
	[
		"data_health",
		{ rest: { collected: { accepted: 850, rejected: 150 } } },
		["data_health  yellow"],
		{ rest: { collected: { accepted: 890, rejected: 110 } } },
	],
	[
		"data_health, red from twice",
		{ rest: { collected: { accepted: 700, rejected: 300 } } },
		["data_health  red"],
		{ rest: { collected: undefined } },
	],
	[
		"bot_share when it rose",
		{ rest: { bots: { now: { hits: 6000, suspicious: 1500 }, before: { hits: 6000, suspicious: 300 } } } },
		["bot_share  yellow"],
		{ rest: { bots: { now: { hits: 6000, suspicious: 1500 }, before: { hits: 6000, suspicious: 1450 } } } },
	],
];

for (const [title, planted, expected, miss, other = quiet] of cases) {
	test(title, () => {
		assert.deepEqual(found(planted), expected);
		assert.deepEqual(found(miss), other, "near miss");
	});
}

test("a finding tells its numbers: baseline, intervals, sample and what it is worth", () => {
	const [drop] = judge(week({ now: { ...visits(1200), conversions: 24, revenue: 1700 } }));
	assert.deepEqual(drop, {
		rule: "traffic_drop",
		entity: null,
		severity: "red",
		unit: "count",
		value: 1200,
		baseline: 2000,
		change: -40,
		threshold: 20,
		confidence: "high",
		sample: { days: 14, events: 3200, conversions: null },
		interval: { low: 1134, high: 1269.84 },
		baselineInterval: { low: 1914.25, high: 2089.6 },
		// 800 visits that brought 1 each the week before.
		impact: -800,
		other: null,
	});
	const [rate] = judge(week({ before: { conversions: 120, revenue: 2400 }, now: { conversions: 60, revenue: 2400 } }));
	assert.deepEqual(
		[rate?.value, rate?.baseline, rate?.interval, rate?.baselineInterval, rate?.impact],
		[3, 6, { low: 2.34, high: 3.84 }, { low: 5.04, high: 7.13 }, -1200],
	);
});
