import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { createSite, type Session, signIn } from "../../../test/support/accounts.ts";
import { type TestApp, testApp } from "../../../test/support/test-app.ts";

let app: TestApp;
let ann: Session;
before(async () => {
	app = await testApp();
	ann = await signIn(app);
	await createSite(app, ann);
});
after(() => app.close());

const ask = (url: string, encoding?: string) =>
	app.inject({
		url: `/api/v1${url}`,
		headers: { ...ann.headers, ...(encoding !== undefined && { "accept-encoding": encoding }) },
	});

const series = "/stats/overview?site_id=shop&period=30d&granularity=daily";

test("a large report is compressed as the client takes it, Brotli before gzip, and says the same", async () => {
	const plain = await ask(series);
	assert.equal(plain.headers["content-encoding"], undefined);
	assert.match(String(plain.headers.vary), /Accept-Encoding/);
	const data = plain.json().data;
	const brotli = await ask(series, "gzip, deflate, br");
	assert.equal(brotli.headers["content-encoding"], "br");
	assert.deepEqual(JSON.parse(brotliDecompressSync(brotli.rawPayload).toString()).data, data);
	assert.ok(brotli.rawPayload.length * 10 < plain.rawPayload.length, `${brotli.rawPayload.length} bytes`);
	assert.equal(Number(brotli.headers["content-length"]), brotli.rawPayload.length);
	const gzip = await ask(series, "br;q=0, gzip");
	assert.equal(gzip.headers["content-encoding"], "gzip");
	assert.deepEqual(JSON.parse(gunzipSync(gzip.rawPayload).toString()).data, data);
});

test("short answers, errors of a kilobyte at most and answers that may hold a secret go as they are", async () => {
	const before = [
		await ask("/stats/overview?site_id=shop&period=today", "br"),
		await ask("/stats/overview?site_id=shop&period=8d", "br"),
		await ask("/sites", "br"),
		await ask("/api-tokens", "br"),
		await ask("/sites/config/timezones", "br"),
	];
	assert.deepEqual(
		before.map(({ headers }) => headers["content-encoding"]),
		[undefined, undefined, undefined, undefined, undefined],
	);
	assert.equal(before[1]?.statusCode, 422);
});
