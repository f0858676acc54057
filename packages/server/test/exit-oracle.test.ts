import assert from "node:assert/strict";
import fc from "fast-check";
import { reportsOn } from "./support/oracle-app.ts";
import { requestTo, wholeReport } from "./support/oracle-ask.ts";
import { dataSets, importedSets, NOW, type OracleSite, visitSets, withRequests } from "./support/oracle-data.ts";
import { askedDays, baselineStart, comparedDays, type Days, elapsedFacts, shift } from "./support/oracle-dates.ts";
import type { Fact } from "./support/oracle-facts.ts";
import { byBytes, rounded, total } from "./support/oracle-figures.ts";
import { selected } from "./support/oracle-filters.ts";
import { pageOf } from "./support/oracle-lists.ts";
import { type Asked, addressOf } from "./support/oracle-request.ts";
import { oracleTest } from "./support/oracle-runs.ts";

const here = reportsOn();

interface Counts {
	readonly exits: number;
	readonly page_views: number;
}

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
	const listed = [...byPath].filter(([path]) => path.toLowerCase().includes(search));
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
const requestsTo = (sites: readonly OracleSite[]) =>
	fc
		.record({
			asked: fc.constantFrom(...sites).chain((site) => requestTo("sources", site)),
			sortBy: fc.constantFrom(undefined, "exits", "exit_rate", "page_views"),
			search: fc.constantFrom(undefined, undefined, "/", "BLOG", "ñ", "%", "a,b"),
		})
		.map(({ asked, ...own }): Asked => ({ ...asked, ...own }));

async function check(sites: readonly OracleSite[], drawn: readonly Fact[], requests: readonly Asked[]): Promise<void> {
	const facts = apart(drawn);
	await here.add(sites, facts);
	for (const asked of requests) {
		if (asked.segment !== undefined) here.segments.set("chosen", asked.segment);
		const url = addressOf(asked).replace("/stats/sources", "/stats/exit-pages");
		assert.deepEqual(await here.get(url), expectedExits(facts, asked), url);
	}
}

const visits = withRequests(visitSets, requestsTo);
oracleTest("exit pages equal a recomputation visit by visit", 15, visits, ({ sites, facts, requests }) =>
	check(sites, facts, requests),
);

/** A request for each day on which a site has facts: visits that go on after midnight end on one of them alone. */
function eachDay(sites: readonly OracleSite[], facts: readonly Fact[]): Asked[] {
	return sites.flatMap((site) => {
		const days = new Set(facts.filter((fact) => fact.site === site.id).map(({ date }) => date));
		return [...days].map((day) => ({ ...wholeReport("sources", site, day), dates: { start: day, end: day } }));
	});
}

const wild = withRequests(fc.oneof(dataSets, importedSets), requestsTo);
const title = "exit pages equal a recomputation on wild facts, imported ones among them";
oracleTest(title, 10, wild, ({ sites, facts: drawn, requests }) => {
	// A few visits, which go on over midnights.
	const facts = drawn.map((fact, index) => (fact.imported ? fact : { ...fact, session: String(1 + (index % 5)) }));
	return check(sites, facts, [...requests, ...eachDay(sites, facts)]);
});
