import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { reportsOn } from "./support/oracle-app.ts";
import { dataSets, type OracleSite, withRequests } from "./support/oracle-data.ts";
import type { Fact } from "./support/oracle-facts.ts";
import { hitSets } from "./support/oracle-hit-data.ts";
import { factsOfHits } from "./support/oracle-hits.ts";
import { expectedQuery } from "./support/oracle-query.ts";
import { type Question, queriesTo } from "./support/oracle-query-ask.ts";
import { oracleLimit, oracleRuns } from "./support/oracle-runs.ts";

const here = reportsOn();

async function post(path: string, { site, written }: Omit<Question, "asked">, payload: object) {
	const query = new URLSearchParams({ site_id: site.id });
	if (written !== undefined) query.set("segment_filters", JSON.stringify(written));
	const response = await here.app.inject({ method: "POST", url: `/stats/${path}?${query}`, payload });
	assert.equal(response.statusCode, 200, response.body);
	return response;
}

async function check(sites: readonly OracleSite[], facts: readonly Fact[], questions: readonly Question[]) {
	await here.add(sites, facts);
	for (const question of questions) {
		const { asked } = question;
		const { body } = await post("query", question, asked);
		assert.deepEqual(JSON.parse(body), expectedQuery(facts, question), JSON.stringify(question));
		const answer = JSON.parse(body);
		const file = await post("query/export", question, asked);
		const lines = 1 + answer.data.length + (answer.comparison_data?.length ?? 0);
		assert.equal(unquoted(file.body).split("\r\n").length - 1, lines, JSON.stringify(asked));
	}
}

/** Without what quotes hold, so that each line break ends a line. */
const unquoted = (csv: string) => csv.replace(/"(?:[^"]|"")*"/g, "");

test("every query equals the oracle's recomputation on wild facts", oracleLimit(200_000), async () => {
	const property = fc.asyncProperty(withRequests(dataSets, queriesTo), ({ data, requests }) =>
		check(data.sites, data.facts, requests),
	);
	await fc.assert(property, oracleRuns(15));
});

test("every query equals the oracle's recomputation on visits", oracleLimit(200_000), async () => {
	const property = fc.asyncProperty(withRequests(hitSets, queriesTo), ({ data, requests }) =>
		check(data.sites, factsOfHits(data.hits), requests),
	);
	await fc.assert(property, oracleRuns(15));
});

test(
	"pages of a query neither drop nor repeat a row, and groups add up to the total",
	oracleLimit(200_000),
	async () => {
		const property = fc.asyncProperty(withRequests(dataSets, queriesTo), async ({ data, requests }) => {
			await here.add(data.sites, data.facts);
			for (const { asked, site } of requests.slice(0, 3)) {
				const at = { site };
				const ofEvents = asked.dimensions?.includes("conversion_type");
				const metrics = ofEvents ? ["conversions", "microconversions"] : ["entrances", "page_views", "conversions"];
				const { compare, compare_align, compare_rows, compare_start, compare_end, ...plain } = asked;
				// These mean the same with and without groups.
				const filters = Object.entries(asked.filters ?? {}).filter(
					([name]) => !/^(path|content_grouping|conversion_type)/.test(name),
				);
				const all = { ...plain, metrics, filters: Object.fromEntries(filters), order_by: [] };
				const whole = (await post("query", at, { ...all, limit: 10_000, offset: 0 })).json();
				const pages: object[] = [];
				for (let offset = 0; offset < whole.meta.total_rows; offset += 7) {
					pages.push(...(await post("query", at, { ...all, limit: 7, offset })).json().data);
				}
				assert.deepEqual(pages, whole.data);
				const ungrouped = { ...all, dimensions: [], granularity: "total", limit: 1, offset: 0 };
				const [total] = (await post("query", at, ungrouped)).json().data;
				for (const name of all.metrics) {
					const sum = whole.data.reduce((so: number, row: Record<string, number>) => so + (row[name] ?? 0), 0);
					assert.equal(sum, total[name]);
				}
			}
		});
		await fc.assert(property, oracleRuns(5));
	},
);
