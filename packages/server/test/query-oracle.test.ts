import assert from "node:assert/strict";
import fc from "fast-check";
import { reportsOn } from "./support/oracle-app.ts";
import {
	dataSets,
	importedSets,
	type OracleSite,
	type ValueOf,
	visitSets,
	withRequests,
} from "./support/oracle-data.ts";
import { baselineStart } from "./support/oracle-dates.ts";
import type { Fact, Label } from "./support/oracle-facts.ts";
import { byBytes, figures, rounded } from "./support/oracle-figures.ts";
import { textOf } from "./support/oracle-filters.ts";
import { chosenFacts, earlierFacts, expectedQuery, type Question, queriesTo, testOf } from "./support/oracle-query.ts";
import { oracleTest } from "./support/oracle-runs.ts";
import { words } from "./support/words.ts";

const here = reportsOn();

async function post(path: string, { site, written }: Omit<Question, "asked">, payload: object) {
	const query = new URLSearchParams({ site_id: site.id });
	if (written !== undefined) query.set("segment_filters", JSON.stringify(written));
	const response = await here.app.inject({ method: "POST", url: `/stats/${path}?${query}`, payload });
	assert.equal(response.statusCode, 200, response.body);
	return response;
}

/** Without what quotes hold, so that each line break ends a line. */
const unquoted = (csv: string) => csv.replace(/"(?:[^"]|"")*"/g, "");

for (const [what, sets] of Object.entries({ "wild facts": dataSets, visits: visitSets })) {
	const drawn = withRequests(sets, queriesTo);
	const title = `every query equals the oracle's recomputation on ${what}`;
	oracleTest(title, 15, drawn, async ({ sites, facts, requests }) => {
		await here.add(sites, facts);
		for (const question of requests) {
			const { asked } = question;
			const { body } = await post("query", question, asked);
			const answer = JSON.parse(body);
			assert.deepEqual({ ...answer }, expectedQuery(facts, question), JSON.stringify(question));
			const file = await post("query/export", question, asked);
			const lines = 1 + answer.data.length + (answer.comparison_data?.length ?? 0);
			assert.equal(unquoted(file.body).split("\r\n").length - 1, lines, JSON.stringify(asked));
		}
	});
}

const dimensionNames = words(`
	channel_group utm_source utm_medium utm_campaign utm_term utm_content referrer_domain landing_page content_grouping
	country device_type browser os path conversion_type
`);
const labelOf = (name: string) => (name === "content_grouping" ? "landing_content_grouping" : name) as Label;

const metrics = words("entrances engaged_entrances page_views microconversions conversions revenue visitors");

const questionsTo = (sites: readonly OracleSite[]) =>
	fc
		.record({
			query: queriesTo(sites),
			metric: fc.constantFrom(...metrics),
			dimensions: fc.shuffledSubarray(dimensionNames, { minLength: 1 }),
		})
		.map(({ query, ...own }) => ({ ...query, ...own, compare: query.asked.compare ?? ("previous" as const) }));

type ChangeQuestion = ValueOf<ReturnType<typeof questionsTo>>;

/** Ten-thousandths, so that all that is added, divided and rounded is whole. */
const steps = (value: number) => Math.round(value * 10_000);

/** The answer that an explanation must get, recomputed value by value. */
function expectedChange(facts: readonly Fact[], { site, asked, compare, metric, dimensions }: ChangeQuestion) {
	const passed = earlierFacts(facts, site.timezone, asked, compare);
	// An explanation is about visits, whatever it is split by.
	const test = testOf(facts, { ...asked, dimensions: [] });
	const now = chosenFacts(facts, site.id, test, [asked.date_from, asked.date_to]);
	const before = chosenFacts(passed.facts, site.id, test, passed.days);
	const figureIn = (some: readonly Fact[]) => steps(figures(some)[metric] ?? Number.NaN);
	const changeOf = (of: (fact: Fact) => boolean) => {
		const [one, other] = [figureIn(now.filter(of)), figureIn(before.filter(of))];
		return { now: one, before: other, change: one - other };
	};
	const shown = (row: ReturnType<typeof changeOf>) =>
		Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value / 10_000]));
	const total = changeOf(() => true);
	const moved = (rows: readonly { readonly change: number }[]) =>
		rows.reduce((sum, { change }) => sum + Math.abs(change), 0);
	const dimension = (name: string, label: Label) => {
		const values = new Set([...now, ...before].map((fact) => textOf(fact, label)));
		const rows = [...values]
			.map((value) => ({ value, ...changeOf((fact) => textOf(fact, label) === value) }))
			.filter((row) => row.now !== 0 || row.before !== 0)
			.sort((one, other) => Math.abs(other.change) - Math.abs(one.change) || byBytes(one.value, other.value));
		const first = rows.slice(0, 10);
		return {
			name,
			explained: rounded(moved(first), moved(rows), 100),
			rows: first.map(({ value, ...row }) => ({ value, ...shown(row), share: rounded(row.change, total.change, 100) })),
		};
	};
	return { total: shown(total), dimensions: dimensions.map((name) => dimension(name, labelOf(name))) };
}

for (const [what, sets] of Object.entries({
	"wild facts, imported ones among them": importedSets,
	visits: visitSets,
})) {
	const drawn = withRequests(sets, questionsTo);
	oracleTest(
		`the drivers of a metric's change equal a recomputation on ${what}`,
		15,
		drawn,
		async ({ sites, facts, requests }) => {
			await here.add(sites, facts);
			for (const question of requests) {
				const { site, asked, compare, metric, dimensions } = question;
				const { date_from, date_to, filters, compare_start, compare_end, compare_align } = asked;
				const days = { date_from, date_to, compare, compare_start, compare_end, compare_align };
				const payload = { ...days, metric, dimensions, filters };
				const { data, meta } = (await post("explain", { site }, payload)).json();
				const { days: earlier } = earlierFacts(facts, site.timezone, asked, compare);
				const expected = [expectedChange(facts, question), baselineStart(facts, { site: site.id }, earlier)];
				assert.deepEqual([data, meta], expected, JSON.stringify(payload));
			}
		},
	);
}
