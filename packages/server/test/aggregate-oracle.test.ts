import assert from "node:assert/strict";
import fc from "fast-check";
import { registerAggregateStats } from "../src/features/reporting/stats/index.ts";
import { systemClock } from "../src/platform/lib/clock.ts";
import { reportsOn } from "./support/oracle-app.ts";
import { dataSets, NOW } from "./support/oracle-data.ts";
import type { Fact } from "./support/oracle-facts.ts";
import { figures, groupsOf, isShown, named, pick } from "./support/oracle-figures.ts";
import { oracleTest } from "./support/oracle-runs.ts";

const here = reportsOn({
	addRoutes: ({ app, store, sites }) =>
		registerAggregateStats(app, {
			eventStore: store,
			clock: { ...systemClock, now: () => NOW },
			segments: async () => undefined,
			sites: { get: (id) => sites.get(id) as never },
		}),
});

const counted = ["entrances", "engaged_entrances", "page_views", "microconversions", "conversions", "revenue"];
const metrics = [...counted, "bounce_rate"];
const traffic = [...metrics, "conversion_rate"];
const ofPages = ["entrances", "engaged_entrances", "page_views", "conversions", "bounce_rate"];
const lists = {
	sources: { key: ["utm_source"], columns: traffic },
	mediums: { key: ["utm_medium"], columns: traffic },
	"geo/countries": { key: ["country"], columns: metrics },
	pages: { key: ["path", "content_grouping"], columns: ofPages },
} as const;

const question = fc.record({
	report: fc.constantFrom(...(Object.keys(lists) as (keyof typeof lists)[])),
	sort: fc.constantFrom("entrances", "conversions", "bounce_rate", "page_views"),
	order: fc.constantFrom("asc" as const, "desc" as const),
	page: fc.constantFrom(1, 1, 2),
	size: fc.constantFrom(2, 100),
	sites: fc.subarray([0, 1, 2], { minLength: 2 }),
});

type Question = typeof question extends fc.Arbitrary<infer Value> ? Value : never;

const FIRST = "2024-12-01";
const LAST = "2026-11-22";

function expectedList(chosen: readonly Fact[], { report, sort, order }: Question) {
	const { key, columns } = lists[report];
	const shows = columns.filter((name) => counted.includes(name));
	return groupsOf(chosen, key, { shows, sort, order }).map(({ texts, facts }) => {
		const perSite = [...Map.groupBy(facts, ({ site }) => site).values()].filter((own) => isShown(own, shows));
		return { ...named(key, texts), account_count: perSite.length, ...pick(figures(facts), columns) };
	});
}

const drawn = fc.tuple(dataSets, fc.array(question, { minLength: 5, maxLength: 8 }));
oracleTest("reports over several sites equal a recomputation over the facts", 15, drawn, async ([data, questions]) => {
	await here.add(data.sites, data.facts);
	for (const asked of questions) {
		const ids = asked.sites.map((index) => data.sites[index]?.id ?? "");
		const common = `${ids.map((id) => `account_ids=${id}`).join("&")}&start_date=${FIRST}&end_date=${LAST}`;
		const chosen = data.facts.filter(({ site, date }) => ids.includes(site) && date >= FIRST && date <= LAST);

		const { report, sort, order, page, size } = asked;
		const query = `${common}&sort_by=${sort}&sort_order=${order}&page=${page}&page_size=${size}`;
		const body = await here.get(`/stats/aggregate/${report}?${query}`);
		const expected = expectedList(chosen, asked);
		const names = Object.keys(expected[0] ?? {});
		const rows = body.data.map((row: Record<string, number>) => pick(row, names));
		const wanted = expected.slice((page - 1) * size, page * size);
		assert.deepEqual([rows, body.total], [wanted, expected.length], `${report} ${query}`);

		const overview = (await here.get(`/stats/aggregate/overview?${common}&include_per_account=true`)).data;
		assert.deepEqual(pick(overview.traffic, traffic), pick(figures(chosen), traffic));
		for (const account of overview.traffic.by_account) {
			const own = chosen.filter(({ site }) => site === account.account_id);
			assert.deepEqual(pick(account, traffic), pick(figures(own), traffic));
		}
		const points: { value: number }[] = overview.page_views_series.points;
		const sum = points.reduce((all, { value }) => all + value, 0);
		assert.equal(sum, overview.traffic.page_views);
	}
});
