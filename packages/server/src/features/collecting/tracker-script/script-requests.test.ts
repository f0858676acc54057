import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

let app: TestApp;
let ann: Session;
before(async () => {
	app = await testApp();
	ann = await signIn(app);
	await createSite(app, ann);
	await createSite(app, ann, { name: "Blog", domains: ["blog.example"] });
});
after(() => app.close());

const asked = async (site: string) => {
	const answer = await app.inject({ url: `/api/v1/sites/${site}/pixel/status`, headers: ann.headers });
	const { script_requests, last_script_request_at, installed } = answer.json().data;
	return [script_requests, last_script_request_at, installed];
};

test("a site tells how often its script was asked for, so that a tag is seen to be there before a hit arrives", async () => {
	assert.deepEqual(await asked("shop"), [0, null, false]);
	const first = await app.inject({ url: "/t.js?id=shop" });
	app.clock.advance(90_000);
	const again = await app.inject({ url: "/t.js?id=shop", headers: { "if-none-match": String(first.headers.etag) } });
	assert.deepEqual([first.statusCode, again.statusCode], [200, 304]);
	assert.deepEqual(await asked("shop"), [2, "2026-11-21T12:01:30.000Z", false]);
	assert.deepEqual(await asked("blog"), [0, null, false]);
});

test("what loads no script does not count", async () => {
	await app.inject({ method: "HEAD", url: "/t.js?id=blog" });
	await app.inject({ url: "/t.js?id=blog&events=none" });
	await app.inject({ url: "/t.js?id=unknown" });
	assert.deepEqual(await asked("blog"), [0, null, false]);
});
