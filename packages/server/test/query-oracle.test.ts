import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import type { EventStore } from "../src/platform/event-store/event-store.ts";
import type { App } from "../src/platform/http/app.ts";
import { insertRows, openOracleStore, oracleApp } from "./support/oracle-app.ts";
import { dataSets, type OracleSite } from "./support/oracle-data.ts";
import { type Fact, factToRow } from "./support/oracle-facts.ts";
import { hitSets } from "./support/oracle-hit-data.ts";
import { factsOfHits } from "./support/oracle-hits.ts";
import { expectedQuery } from "./support/oracle-query.ts";
import { type Question, queriesTo } from "./support/oracle-query-ask.ts";
import { oracleLimit, oracleRuns } from "./support/oracle-runs.ts";

let store: EventStore | undefined;
let app: App | undefined;
const known = new Map<string, OracleSite>();

before(async () => {
	store = await openOracleStore();
	app = await oracleApp(store, known);
});
after(async () => {
	await app?.close();
	await store?.close();
});

async function post(path: string, { site, written }: Omit<Question, "asked">, payload: object) {
	assert.ok(app);
	const query = new URLSearchParams({ site_id: site.id });
	if (written !== undefined) query.set("segment_filters", JSON.stringify(written));
	const response = await app.inject({ method: "POST", url: `/stats/${path}?${query}`, payload });
	assert.equal(response.statusCode, 200, response.body);
	return response;
}

const withQuestions = <Data extends { readonly sites: readonly OracleSite[] }>(sets: fc.Arbitrary<Data>) =>
	sets.chain((data) =>
		fc.record({
			data: fc.constant(data),
			questions: fc.array(queriesTo(data.sites), { minLength: 8, maxLength: 12 }),
		}),
	);

async function check(sites: readonly OracleSite[], facts: readonly Fact[], questions: readonly Question[]) {
	assert.ok(store);
	for (const site of sites) known.set(site.id, site);
	await insertRows(store, facts.map(factToRow));
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
	const property = fc.asyncProperty(withQuestions(dataSets), ({ data, questions }) =>
		check(data.sites, data.facts, questions),
	);
	await fc.assert(property, oracleRuns(15));
});

test("every query equals the oracle's recomputation on visits", oracleLimit(200_000), async () => {
	const property = fc.asyncProperty(withQuestions(hitSets), ({ data, questions }) =>
		check(data.sites, factsOfHits(data.hits), questions),
	);
	await fc.assert(property, oracleRuns(15));
});

test(
	"pages of a query neither drop nor repeat a row, and groups add up to the total",
	oracleLimit(200_000),
	async () => {
		const property = fc.asyncProperty(withQuestions(dataSets), async ({ data, questions }) => {
			assert.ok(store);
			for (const site of data.sites) known.set(site.id, site);
			await insertRows(store, data.facts.map(factToRow));
			for (const { asked, site } of questions.slice(0, 3)) {
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
