import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import fc from "fast-check";
import type { EventStore } from "../src/platform/event-store/event-store.ts";
import type { App } from "../src/platform/http/app.ts";
import { insertRows, openOracleStore, oracleApp } from "./support/oracle-app.ts";
import { dataSets, NOW, type OracleSite, requestsTo } from "./support/oracle-data.ts";
import { factToRow } from "./support/oracle-facts.ts";
import { expectedAnswer } from "./support/oracle-reports.ts";
import { addressOf } from "./support/oracle-request.ts";

let store: EventStore | undefined;
let app: App | undefined;
const known = new Map<string, OracleSite>();

before(async () => {
	store = await openOracleStore();
	app = await oracleApp(store, known);
});

// Closed even when the set-up failed half-way, or the store's process would keep the test alive.
after(async () => {
	await app?.close();
	await store?.close();
});

const withRequests = dataSets.chain((data) =>
	fc.record({ data: fc.constant(data), requests: fc.array(requestsTo(data.sites), { minLength: 8, maxLength: 12 }) }),
);

test("every report equals the oracle's recomputation on random data and requests", { timeout: 120_000 }, async () => {
	assert.ok(store && app);
	const [events, api] = [store, app];
	await fc.assert(
		fc.asyncProperty(withRequests, async ({ data, requests }) => {
			const isNew = data.sites.some((site) => !known.has(site.id));
			for (const site of data.sites) known.set(site.id, site);
			if (isNew) await insertRows(events, data.facts.map(factToRow));
			for (const asked of requests) {
				const response = await api.inject({ url: addressOf(asked) });
				const body = response.json();
				assert.equal(response.statusCode, 200, response.body);
				const expected = expectedAnswer(data.facts, asked, NOW);
				assert.deepEqual(asked.report === "overview" ? { data: body.data } : body, expected, addressOf(asked));
			}
		}),
		{ numRuns: Number(process.env.ORACLE_RUNS ?? 20), endOnFailure: true },
	);
});
