import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { insertRows } from "../../../../test/support/oracle-app.ts";
import { testApp } from "../../../../test/support/test-app.ts";

test("the answers of a batch are held up to 64 MB; what would be beyond is refused by itself, and no more is asked", async (t) => {
	const app = await testApp();
	t.after(() => app.close());
	const ann = await signIn(app);
	await createSite(app, ann);
	const ts = Date.parse("2026-11-20T10:00:00Z");
	// Quotes take two characters in an answer: two megabytes a thousand rows.
	const pages = Array.from({ length: 1000 }, (_, at) => `/${'"'.repeat(1000)}${1000 + at}`);
	await insertRows(
		app.eventStore,
		pages.map((path) => pageviewRow({ site: "shop", ts, path })),
	);
	const large = { endpoint: "/stats/pages", params: { site_id: "shop", page_size: 1000 } };
	const queries = [
		...Array.from({ length: 40 }, (_, at) => ({ id: `q${at}`, ...large })),
		{ id: "small", endpoint: "/stats/overview", params: { site_id: "shop" } },
	];
	const response = await app.inject({
		method: "POST",
		url: "/api/v1/batch",
		headers: { ...ann.headers },
		payload: { queries, options: { parallel_limit: 1 } },
	});
	assert.equal(response.statusCode, 200);
	const { results, meta } = response.json();
	assert.deepEqual([meta.successful, meta.failed], [32, 9]);
	assert.equal(results.q31.data.data.length, 1000);
	for (const id of ["q32", "q39", "small"]) {
		const { code, message } = results[id].error;
		assert.equal(code, "payload_too_large", id);
		assert.match(message, /64 MB/);
	}
	assert.equal(app.logLines.filter((line) => line.includes("/stats/pages")).length, 33);
});
