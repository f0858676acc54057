import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { oracleApp } from "../../../../test/support/oracle-app.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { createVirtualClock } from "../../../../test/support/test-clock.ts";
import { streamPage } from "../../../analytics/query/engine/stream.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";

const MIB = 2 ** 20;

let app: TestApp;
let ann: Session;

before(async () => {
	app = await testApp({ env: { EVENT_STORE_MEMORY: String(512 * MIB) } });
	ann = await signIn(app);
	await createSite(app, ann);
	// Their memory counts too.
	await app.eventStore.command("SYSTEM STOP MERGES events");
	for (let part = 0; part < 40; part++) {
		await app.eventStore.command(`
			INSERT INTO events (site, date, hour, ts, session, kind, utm_term, country, page_view)
			SELECT 'shop', toDate('2026-11-20'), number % 24, now64(3), number, 'pageview',
				concat(repeat('search term ', 30), toString(${part} * 10000 + number)), 'ES', 1
			FROM numbers(10000)`);
	}
});
after(() => app.close());

const days = { date_from: "2026-11-20", date_to: "2026-11-20" };

async function ask(path: string, payload: object) {
	const url = `/api/v1/${path}?site_id=shop`;
	const response = await app.inject({ method: "POST", url, headers: ann.headers, payload });
	return { status: response.statusCode, body: response.json() };
}

const tooBig = { ...days, granularity: "hourly", dimensions: ["utm_term", "country", "os"], limit: 10_000 };
const small = { ...days, dimensions: ["country"], metrics: ["page_views"] };

const inBatch = (id: string, params: object) => ({
	id,
	endpoint: "/stats/query",
	params: { site_id: "shop", ...params },
});

test("a query beyond the memory limit ends with gateway_timeout and says what to ask instead, and those beside it are answered", async () => {
	const [big, exported, beside] = await Promise.all([
		ask("stats/query", tooBig),
		ask("stats/query/export", tooBig),
		ask("stats/query", small),
	]);
	for (const { status, body } of [big, exported]) {
		assert.deepEqual([status, body.error?.code], [504, "gateway_timeout"]);
		assert.match(body.error.message, /needs more memory .* fewer days, dimensions or rows/);
	}
	assert.deepEqual(beside.body.data, [{ country: "ES", page_views: 400_000 }]);
	const batch = await ask("batch", { queries: [inBatch("big", tooBig), inBatch("small", small)] });
	const { big: failed, small: answered } = batch.body.results;
	assert.deepEqual([failed.status, failed.error?.code], ["error", "gateway_timeout"]);
	assert.deepEqual(answered.data.data, beside.body.data);
});

test("a query beyond the time limit ends with gateway_timeout", async () => {
	const hurried = <Query extends object>(query: Query) => ({ ...query, settings: { max_execution_time: "0.001" } });
	const eventStore: EventStore = {
		...app.eventStore,
		query: (query) => app.eventStore.query(hurried(query)),
		stream: (query) => app.eventStore.stream(hurried(query)),
	};
	const other = await oracleApp(eventStore, new Map([["shop", { id: "shop", timezone: "UTC" }]]));
	try {
		for (const path of ["query", "query/export"]) {
			const url = `/stats/${path}?site_id=shop`;
			const response = await other.inject({ method: "POST", url, payload: tooBig });
			assert.deepEqual([response.statusCode, response.json().error.code], [504, "gateway_timeout"]);
		}
	} finally {
		await other.close();
	}
});

test("an export whose first rows take too long ends with gateway_timeout", async () => {
	const day = Temporal.PlainDate.from("2026-11-20");
	const question = { site: "shop", range: { start: day, end: day }, conditions: [], metrics: ["page_views"] as const };
	const page = { order: [{ by: "page_views", direction: "desc" }], limit: 10, offset: 0 } as const;
	const clock = createVirtualClock("2026-11-21T12:00:00Z");
	const rows = streamPage({ ...app, clock }, { ...question, dimensions: ["utm_term"] }, page).next();
	clock.advance(30_000);
	await assert.rejects(rows, { code: "gateway_timeout" });
});

test("the failures are logged without a value of the data", () => {
	const failures = app.logLines.filter((line) => line.includes("Request failed"));
	assert.equal(failures.length, 3);
	assert.ok(!failures.join("").includes("search term"));
});
