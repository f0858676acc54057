import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { reportsOn } from "./support/oracle-app.ts";
import { type OracleSite, withRequests } from "./support/oracle-data.ts";
import { baselineStart } from "./support/oracle-dates.ts";
import type { Fact, Label } from "./support/oracle-facts.ts";
import { figures, rounded } from "./support/oracle-figures.ts";
import { textOf } from "./support/oracle-filters.ts";
import { hitSets } from "./support/oracle-hit-data.ts";
import { factsOfHits } from "./support/oracle-hits.ts";
import { importedSets } from "./support/oracle-imports.ts";
import { chosenFacts, earlierFacts, testOf } from "./support/oracle-query.ts";
import { type AskedQuery, queriesTo } from "./support/oracle-query-ask.ts";
import { oracleLimit, oracleRuns } from "./support/oracle-runs.ts";

const here = reportsOn();

const same = (...names: readonly Label[]) => names.map((name) => [name, name] as const);

/** Dimensions with the labels that they stand for. */
const labels: Readonly<Record<string, Label>> = Object.fromEntries([
	...same("channel_group", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"),
	...same("referrer_domain", "landing_page", "country", "device_type", "browser", "os", "path", "conversion_type"),
	["content_grouping", "landing_content_grouping"] as const,
]);

const metrics = [..."entrances engaged_entrances page_views microconversions conversions revenue visitors".split(" ")];

interface Question {
	readonly site: OracleSite;
	readonly asked: AskedQuery;
	readonly compare: NonNullable<AskedQuery["compare"]>;
	readonly metric: string;
	readonly dimensions: readonly string[];
}

const questionsTo = (sites: readonly OracleSite[]): fc.Arbitrary<Question> =>
	fc
		.record({
			query: queriesTo(sites),
			metric: fc.constantFrom(...metrics),
			dimensions: fc.shuffledSubarray(Object.keys(labels), { minLength: 1 }),
		})
		.map(({ query, ...own }) => ({ ...query, ...own, compare: query.asked.compare ?? "previous" }));

/** Ten-thousandths, so that all that is added, divided and rounded is whole. */
const steps = (value: number) => Math.round(value * 10_000);

/** The answer that an explanation must get, recomputed value by value. */
function expectedChange(facts: readonly Fact[], { site, asked, compare, metric, dimensions }: Question) {
	const passed = earlierFacts(facts, site.timezone, asked, compare);
	// An explanation is about visits, whatever it is split by.
	const test = testOf(facts, { ...asked, dimensions: [] }, undefined);
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
	const bytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
	const moved = (rows: readonly { readonly change: number }[]) =>
		rows.reduce((sum, { change }) => sum + Math.abs(change), 0);
	const dimension = (name: string, label: Label) => {
		const values = new Set([...now, ...before].map((fact) => textOf(fact, label)));
		const rows = [...values]
			.map((value) => ({ value, ...changeOf((fact) => textOf(fact, label) === value) }))
			.filter((row) => row.now !== 0 || row.before !== 0)
			.sort((one, other) => Math.abs(other.change) - Math.abs(one.change) || bytes(one.value, other.value));
		const first = rows.slice(0, 10);
		return {
			name,
			explained: rounded(moved(first), moved(rows), 100),
			rows: first.map(({ value, ...row }) => ({
				value,
				...shown(row),
				share: rounded(row.change, total.change, 100),
			})),
		};
	};
	return {
		total: shown(total),
		dimensions: dimensions.flatMap((name) => {
			const label = labels[name];
			return label === undefined ? [] : [dimension(name, label)];
		}),
	};
}

async function check(sites: readonly OracleSite[], facts: readonly Fact[], questions: readonly Question[]) {
	await here.add(sites, facts);
	for (const question of questions) {
		const { site, asked, compare, metric, dimensions } = question;
		const { date_from, date_to, filters, compare_start, compare_end, compare_align } = asked;
		const days = { date_from, date_to, compare, compare_start, compare_end, compare_align };
		const payload = { ...days, metric, dimensions, filters };
		const response = await here.app.inject({ method: "POST", url: `/stats/explain?site_id=${site.id}`, payload });
		assert.equal(response.statusCode, 200, response.body);
		const { data, meta } = response.json();
		const { days: earlier } = earlierFacts(facts, site.timezone, asked, compare);
		const expected = [expectedChange(facts, question), baselineStart(facts, { site: site.id }, earlier)];
		assert.deepEqual([data, meta], expected, JSON.stringify(payload));
	}
}

test(
	"what moved a metric equals a recomputation on wild facts, imported ones among them",
	oracleLimit(120_000),
	async () => {
		const property = fc.asyncProperty(withRequests(importedSets, questionsTo), ({ data, requests }) =>
			check(data.sites, data.facts, requests),
		);
		await fc.assert(property, oracleRuns(15));
	},
);

test("what moved a metric equals a recomputation on visits", oracleLimit(120_000), async () => {
	const property = fc.asyncProperty(withRequests(hitSets, questionsTo), ({ data, requests }) =>
		check(data.sites, factsOfHits(data.hits), requests),
	);
	await fc.assert(property, oracleRuns(15));
});
