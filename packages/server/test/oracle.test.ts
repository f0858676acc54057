import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import type { Condition } from "../src/analytics/catalog/filters.ts";
import type { EventStore } from "../src/platform/event-store/event-store.ts";
import type { App } from "../src/platform/http/app.ts";
import { assertAnswer } from "./support/oracle-answer.ts";
import { insertRows, openOracleStore, oracleApp } from "./support/oracle-app.ts";
import { requestsTo } from "./support/oracle-ask.ts";
import { dataSets, NOW, type OracleSite } from "./support/oracle-data.ts";
import { type Fact, factToRow } from "./support/oracle-facts.ts";
import { hitSets } from "./support/oracle-hit-data.ts";
import { factsOfHits } from "./support/oracle-hits.ts";
import { importedSets } from "./support/oracle-imports.ts";
import { type Asked, addressOf } from "./support/oracle-request.ts";
import { oracleLimit, oracleRuns } from "./support/oracle-runs.ts";

let store: EventStore | undefined;
let app: App | undefined;
const known = new Map<string, OracleSite>();
const segments = new Map<string, Condition>();

before(async () => {
	store = await openOracleStore();
	app = await oracleApp(store, known, segments);
});

// Closed even when the set-up failed half-way, or the store's process would keep the test alive.
after(async () => {
	await app?.close();
	await store?.close();
});

const withRequests = <Data extends { readonly sites: readonly OracleSite[] }>(sets: fc.Arbitrary<Data>) =>
	sets.chain((data) =>
		fc.record({ data: fc.constant(data), requests: fc.array(requestsTo(data.sites), { minLength: 8, maxLength: 12 }) }),
	);

/** Stores the facts and asks; every answer must be the oracle's. */
async function check(sites: readonly OracleSite[], facts: readonly Fact[], requests: readonly Asked[]): Promise<void> {
	assert.ok(store && app);
	const api: App = app;
	for (const site of sites) known.set(site.id, site);
	await insertRows(store, facts.map(factToRow));
	for (const asked of requests) {
		if (asked.segment !== undefined) segments.set("chosen", asked.segment);
		const response = await api.inject({ url: addressOf(asked) });
		assertAnswer(response, facts, asked, NOW);
	}
}

test("every report equals the oracle's recomputation on wild facts", oracleLimit(200_000), async () => {
	const property = fc.asyncProperty(withRequests(dataSets), ({ data, requests }) =>
		check(data.sites, data.facts, requests),
	);
	await fc.assert(property, oracleRuns(15));
});

test("every report equals the oracle's recomputation on visits", oracleLimit(200_000), async () => {
	const property = fc.asyncProperty(withRequests(hitSets), ({ data, requests }) =>
		check(data.sites, factsOfHits(data.hits), requests),
	);
	await fc.assert(property, oracleRuns(15));
});

test(
	"every report counts imported sums as the oracle does, and leaves them out on demand",
	oracleLimit(200_000),
	async () => {
		const property = fc.asyncProperty(withRequests(importedSets), ({ data, requests }) =>
			check(data.sites, data.facts, requests),
		);
		await fc.assert(property, oracleRuns(15));
	},
);
