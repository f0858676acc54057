import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { registerAggregateStats } from "../src/features/reporting/stats/index.ts";
import { systemClock } from "../src/platform/lib/clock.ts";
import { reportsOn } from "./support/oracle-app.ts";
import { dataSets, NOW } from "./support/oracle-data.ts";
import type { Fact } from "./support/oracle-facts.ts";
import { figures, shown, sortValue } from "./support/oracle-figures.ts";
import { oracleLimit, oracleRuns } from "./support/oracle-runs.ts";

const here = reportsOn({
	addRoutes: ({ app, store, sites }) =>
		registerAggregateStats(app, {
			eventStore: store,
			clock: { ...systemClock, now: () => NOW },
			segments: async () => undefined,
			sites: { get: (id) => sites.get(id) as never },
		}),
});

const ask = (url: string) => here.get(url);

const bytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

const metrics = {
	entrances: "entrances",
	engaged_entrances: "engaged_entrances",
	page_views: "page_views",
	microconversions: "microconversions",
	conversions: "conversions",
	revenue: "revenue",
	bounce_rate: "bounce_rate",
};
const traffic = { ...metrics, conversion_rate: "conversion_rate" };
const lists = {
	sources: { key: ["utm_source"], columns: traffic },
	mediums: { key: ["utm_medium"], columns: traffic },
	"geo/countries": { key: ["country"], columns: metrics },
	pages: {
		key: ["path", "content_grouping"],
		columns: {
			entrances: "entrances",
			engaged_entrances: "engaged_entrances",
			page_views: "page_views",
			conversions: "conversions",
			bounce_rate: "bounce_rate",
		},
	},
} as const;

const listQuestion = fc.record({
	report: fc.constantFrom(...(Object.keys(lists) as (keyof typeof lists)[])),
	sortBy: fc.constantFrom("entrances", "conversions", "bounce_rate", "page_views"),
	sortOrder: fc.constantFrom("asc", "desc"),
	page: fc.constantFrom(1, 1, 2),
	pageSize: fc.constantFrom(2, 100),
	sites: fc.subarray([0, 1, 2], { minLength: 2 }),
});

const rates = new Set(["bounce_rate", "conversion_rate"]);

type Question = typeof listQuestion extends fc.Arbitrary<infer Value> ? Value : never;

const FIRST = "2024-12-01";
const LAST = "2026-11-22";
const days = `start_date=${FIRST}&end_date=${LAST}`;

const within = (facts: readonly Fact[], sites: readonly string[]) =>
	facts.filter(({ site, date }) => sites.includes(site) && date >= FIRST && date <= LAST);

function expectedList(facts: readonly Fact[], sites: readonly string[], { report, sortBy, sortOrder }: Question) {
	const { key, columns } = lists[report];
	const counted = Object.keys(columns).filter((name) => !rates.has(name));
	const hasCount = (some: readonly Fact[]) => counted.some((name) => figures(some)[name] !== 0);
	const groups = Map.groupBy(within(facts, sites), ({ labels }) => JSON.stringify(key.map((name) => labels[name])));
	return [...groups]
		.map(([name, own]) => {
			const perSite = [...Map.groupBy(own, ({ site }) => site).values()].filter(hasCount);
			return { labels: JSON.parse(name) as string[], own, account_count: perSite.length };
		})
		.filter(({ own }) => hasCount(own))
		.sort((one, other) => {
			const byNumber = (sortValue(one.own, sortBy) - sortValue(other.own, sortBy)) * (sortOrder === "asc" ? 1 : -1);
			const byText = one.labels.map((text, at) => bytes(text, other.labels[at] ?? "")).find((order) => order !== 0);
			return byNumber || (byText ?? 0);
		})
		.map(({ labels, own, account_count }) => ({
			...Object.fromEntries(key.map((name, at) => [name, labels[at]])),
			account_count,
			...shown(figures(own), columns),
		}));
}

const picked = (row: Record<string, unknown>, names: readonly string[]) =>
	Object.fromEntries(names.map((name) => [name, row[name]]));

async function checkList(facts: readonly Fact[], ids: readonly string[], question: Question): Promise<void> {
	const { report, sortBy, sortOrder, page, pageSize } = question;
	const accounts = ids.map((id) => `account_ids=${id}`).join("&");
	const query = `${accounts}&${days}&sort_by=${sortBy}&sort_order=${sortOrder}&page=${page}&page_size=${pageSize}`;
	const body = await ask(`/stats/aggregate/${report}?${query}`);
	const expected = expectedList(facts, ids, question);
	const names = Object.keys(expected[0] ?? {});
	const rows = body.data.map((row: Record<string, unknown>) => picked(row, names));
	const wanted = expected.slice((page - 1) * pageSize, page * pageSize);
	assert.deepEqual([rows, body.total], [wanted, expected.length], `${report} ${query}`);
}

async function checkOverview(facts: readonly Fact[], ids: readonly string[]): Promise<void> {
	const accounts = ids.map((id) => `account_ids=${id}`).join("&");
	const { data } = await ask(`/stats/aggregate/overview?${accounts}&${days}&include_per_account=true`);
	const chosen = within(facts, ids);
	assert.deepEqual(picked(data.traffic, Object.keys(traffic)), shown(figures(chosen), traffic));
	for (const account of data.traffic.by_account) {
		const own = chosen.filter(({ site }) => site === account.account_id);
		assert.deepEqual(picked(account, Object.keys(traffic)), shown(figures(own), traffic));
	}
	const points: { value: number }[] = data.page_views_series.points;
	assert.equal(
		points.reduce((sum, { value }) => sum + value, 0),
		data.traffic.page_views,
	);
}

test("reports over several sites equal a recomputation over the facts", oracleLimit(120_000), async () => {
	const questions = fc.array(listQuestion, { minLength: 5, maxLength: 8 });
	const property = fc.asyncProperty(dataSets, questions, async ({ sites, facts }, asked) => {
		await here.add(sites, facts);
		for (const question of asked) {
			const ids = question.sites.map((index) => sites[index]?.id ?? "");
			await checkList(facts, ids, question);
			await checkOverview(facts, ids);
		}
	});
	await fc.assert(property, oracleRuns(15));
});
