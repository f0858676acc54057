import assert from "node:assert/strict";
import { unescape as decodePercent } from "node:querystring";
import fc from "fast-check";
import { registerAggregateStats } from "../src/features/reporting/stats/index.ts";
import { systemClock } from "../src/platform/lib/clock.ts";
import { assertAnswer, pageOf } from "./support/oracle-answer.ts";
import { reportsOn } from "./support/oracle-app.ts";
import { requestsTo, requestTo, wholeReport } from "./support/oracle-ask.ts";
import {
	dataSets,
	importedSets,
	NOW,
	type OracleSite,
	type ValueOf,
	visitSets,
	withRequests,
} from "./support/oracle-data.ts";
import { askedDays, baselineStart, comparedDays, type Days, elapsedFacts, shift } from "./support/oracle-dates.ts";
import type { Fact } from "./support/oracle-facts.ts";
import { byBytes, figures, groupsOf, isShown, named, pick, rounded, total } from "./support/oracle-figures.ts";
import { selected } from "./support/oracle-filters.ts";
import { type Asked, addressOf } from "./support/oracle-request.ts";
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

for (const [what, sets] of [
	["on wild facts", dataSets],
	["on visits", visitSets],
	["on imported sums too, or without them on demand", importedSets],
] as const) {
	const drawn = withRequests(sets, requestsTo);
	const title = `every report equals the oracle's recomputation ${what}`;
	oracleTest(title, 15, drawn, async ({ sites, facts, requests }) => {
		await here.add(sites, facts);
		for (const asked of requests) {
			if (asked.segment !== undefined) here.segments.set("chosen", asked.segment);
			assertAnswer(await here.app.inject({ url: addressOf(asked) }), facts, asked, NOW);
		}
	});
}

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

type Question = ValueOf<typeof question>;

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

type Counts = Readonly<Record<"exits" | "page_views", number>>;

/** Page views in the same millisecond, of which any may be the last one, a millisecond apart. */
function apart(facts: readonly Fact[]): Fact[] {
	const taken = new Set<string>();
	return facts.map((fact) => {
		let { at } = fact;
		while (taken.has(`${fact.session} ${at}`)) at += 1;
		taken.add(`${fact.session} ${at}`);
		return { ...fact, at };
	});
}

const lastOf = (views: readonly Fact[]): Fact | undefined =>
	views.find((view) => views.every(({ at }) => at <= view.at));

/** Counts by page; a visit may last until the next day. */
function countsByPath(facts: readonly Fact[], asked: Asked, [first, last]: Days): Map<string, Counts> {
	const search = (asked.search ?? "").toLowerCase();
	const views = selected(facts, asked, [first, shift(last, 1)]).filter(
		(fact) => fact.kind === "pageview" && fact.imported === undefined,
	);
	const ends = [...Map.groupBy(views, ({ session }) => session).values()].map(lastOf);
	const within = views.filter(({ date }) => date <= last);
	const byPath = Map.groupBy(within, ({ labels }) => labels.path);
	const listed = [...byPath].filter(([path]) => decodePercent(path).toLowerCase().includes(search));
	return new Map(
		listed.map(([path, seen]) => {
			const exits = ends.filter((end) => end !== undefined && end.date <= last && end.labels.path === path).length;
			return [path, { exits, page_views: total(seen).page_views }];
		}),
	);
}

const numbers = ({ exits, page_views }: Counts) => ({ exits, exit_rate: rounded(exits, page_views, 100), page_views });

const nothing: Counts = { exits: 0, page_views: 0 };

const sumOf = (counts: ReadonlyMap<string, Counts>) =>
	numbers(
		[...counts.values()].reduce(
			(sum, one) => ({ exits: sum.exits + one.exits, page_views: sum.page_views + one.page_views }),
			nothing,
		),
	);

function sorted(counts: ReadonlyMap<string, Counts>, { sortBy = "exits", sortOrder }: Asked): [string, Counts][] {
	const direction = sortOrder === "asc" ? 1 : -1;
	const value = ({ exits, page_views }: Counts) =>
		({ exits, page_views, exit_rate: exits / page_views })[sortBy as "exits" | "page_views" | "exit_rate"];
	return [...counts].sort(
		([path, one], [otherPath, other]) => direction * (value(one) - value(other)) || byBytes(path, otherPath),
	);
}

function expectedExits(facts: readonly Fact[], asked: Asked) {
	const days = askedDays(asked, NOW);
	const counts = countsByPath(facts, asked, days);
	const { compare } = asked;
	const earlier = compare && countsByPath(elapsedFacts(facts, days, asked, NOW), asked, comparedDays(days, compare));
	const began = compare ? baselineStart(facts, asked, comparedDays(days, compare)) : {};
	const rows = sorted(counts, asked).map(([path, own]) => {
		const before = numbers(earlier?.get(path) ?? nothing);
		const previous = Object.entries(before).map(([name, value]) => [`${name}_prev`, value]);
		return { path, ...numbers(own), ...(earlier && Object.fromEntries(previous)) };
	});
	return {
		...pageOf(rows, asked),
		...(earlier && { comparison: sumOf(earlier) }),
		...("baseline_start" in began && { meta: began }),
		...(asked.includeTotals && { totals: sumOf(counts) }),
	};
}

/** Random requests; a list by source takes the same parameters, but for what it is sorted by. */
const exitRequestsTo = (sites: readonly OracleSite[]) =>
	fc
		.record({
			asked: fc.constantFrom(...sites).chain((site) => requestTo("sources", site)),
			sortBy: fc.constantFrom(undefined, "exits", "exit_rate", "page_views"),
			search: fc.constantFrom(undefined, undefined, "/", "BLOG", "ñ", "%", "a,b"),
		})
		.map(({ asked, ...own }): Asked => ({ ...asked, ...own }));

async function checkExits(
	sites: readonly OracleSite[],
	drawn: readonly Fact[],
	requests: readonly Asked[],
): Promise<void> {
	const facts = apart(drawn);
	await here.add(sites, facts);
	for (const asked of requests) {
		if (asked.segment !== undefined) here.segments.set("chosen", asked.segment);
		const url = addressOf(asked).replace("/stats/sources", "/stats/exit-pages");
		assert.deepEqual(await here.get(url), expectedExits(facts, asked), url);
	}
}

const visits = withRequests(visitSets, exitRequestsTo);
oracleTest("exit pages equal a recomputation visit by visit", 15, visits, ({ sites, facts, requests }) =>
	checkExits(sites, facts, requests),
);

/** A request for each day on which a site has facts: visits that go on after midnight end on one of them alone. */
function eachDay(sites: readonly OracleSite[], facts: readonly Fact[]): Asked[] {
	return sites.flatMap((site) => {
		const days = new Set(facts.filter((fact) => fact.site === site.id).map(({ date }) => date));
		return [...days].map((day) => ({ ...wholeReport("sources", site, day), dates: { start: day, end: day } }));
	});
}

const wild = withRequests(fc.oneof(dataSets, importedSets), exitRequestsTo);
const title = "exit pages equal a recomputation on wild facts, imported ones among them";
oracleTest(title, 10, wild, ({ sites, facts: drawn, requests }) => {
	// A few visits, which go on over midnights.
	const facts = drawn.map((fact, index) => (fact.imported ? fact : { ...fact, session: String(1 + (index % 5)) }));
	return checkExits(sites, facts, [...requests, ...eachDay(sites, facts)]);
});
