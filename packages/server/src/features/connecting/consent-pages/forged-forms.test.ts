import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { type AskedAccess, askForAccess } from "../../../../test/support/ask-for-access.ts";
import { hiddenFields, type PageClient, pageClient } from "../../../../test/support/page-client.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const password = "correct horse battery staple 7";
const SIGN_IN = "/oauth/consent/sign-in";
const DECISION = "/oauth/consent/decision";
const SWITCH = "/oauth/consent/switch";
const allow = { decision: "approve", site_id: "shop" };

let app: TestApp;
let asked: AskedAccess;
let victim: PageClient;

before(async () => {
	app = await testApp({ env: { PUBLIC_URL: "https://stats.example" } });
	await createSite(app, await signIn(app), { name: "Shop" });
	await createSite(app, await signIn(app, { email: "eve@example.com", name: "Eve" }), { name: "Other" });
});
after(() => app?.close());

beforeEach(async () => {
	asked = await askForAccess(app);
	victim = await signedIn("ann@example.com");
});

async function signedIn(email: string, page = asked.page): Promise<PageClient> {
	const browser = pageClient(app.inject);
	await browser.open(page);
	assert.match((await browser.submit(SIGN_IN, { email, password })).body, /Allow access\?/);
	return browser;
}

/** The request still waits: nothing was given away. */
async function assertNothingHappened(page = asked.page): Promise<void> {
	assert.equal((await app.inject({ method: "GET", url: page })).statusCode, 200);
}

test("a decision without the token of its form, or with a wrong one, is refused", async () => {
	for (const token of [{}, { form_token: "" }, { form_token: "0".repeat(64) }, { csrf_token: "x" }]) {
		const { statusCode, headers, body } = await victim.post(DECISION, {
			request_id: asked.requestId,
			...allow,
			...token,
		});
		assert.equal(statusCode, 403);
		assert.equal(headers.refresh, undefined);
		assert.match(body, /This form was opened elsewhere, or is too old\./);
	}
	await assertNothingHappened();
});

test("the token that scripts of the service send with a header is not the token of a form", async () => {
	const token = victim.cookies.get("svc_csrf_token") ?? "";
	const fields = { request_id: asked.requestId, ...allow, form_token: token };
	assert.equal((await victim.post(DECISION, fields, { "x-csrf-token": token })).statusCode, 403);
	await assertNothingHappened();
});

test("a form of one request decides on no other, although the session is the same", async () => {
	const { form_token: token = "" } = hiddenFields(victim.page.body, DECISION);
	const other = await askForAccess(app, { name: "Other app", redirectUri: "https://other.example/callback" });
	const fields = { request_id: other.requestId, ...allow, form_token: token };
	assert.equal((await victim.post(DECISION, fields)).statusCode, 403);
	await assertNothingHappened(other.page);
});

test("a form of one session decides in no other, although the request is the same", async () => {
	const eve = await signedIn("eve@example.com");
	const fields = { ...hiddenFields(eve.page.body, DECISION), ...allow };
	assert.equal((await victim.post(DECISION, fields)).statusCode, 403);
	await assertNothingHappened();
});

test("a form that comes from another origin, or from a page that hides where it is, is refused with the right token too", async () => {
	const fields = { ...hiddenFields(victim.page.body, DECISION), ...allow };
	for (const origin of ["https://evil.example", "https://stats.example.evil.example", "http://stats.example", "null"]) {
		assert.equal((await victim.post(DECISION, fields, { origin })).statusCode, 403, origin);
	}
	await assertNothingHappened();
	const { statusCode, headers } = await victim.post(DECISION, fields, { origin: "https://stats.example" });
	assert.equal(statusCode, 200);
	assert.match(String(headers.refresh), /[?&]code=/);
});

test("nobody can be signed in, or out, by a form of another page", async () => {
	const eve = pageClient(app.inject);
	await eve.open(asked.page);
	const planted = { ...hiddenFields(eve.page.body, SIGN_IN), email: "eve@example.com", password };
	const fresh = pageClient(app.inject);
	await fresh.open(asked.page);
	assert.equal((await fresh.post(SIGN_IN, planted)).statusCode, 403);
	assert.ok(!fresh.cookies.has("svc_access_token"));
	assert.equal((await pageClient(app.inject).post(SIGN_IN, planted)).statusCode, 403);
	assert.equal((await victim.post(SWITCH, { request_id: asked.requestId })).statusCode, 403);
	assert.match((await victim.open(asked.page)).body, /ann@example\.com/);
});

test("no address decides by being opened", async () => {
	const fields = { ...hiddenFields(victim.page.body, DECISION), ...allow };
	const { statusCode } = await victim.open(`${DECISION}?${new URLSearchParams(fields)}`);
	assert.equal(statusCode, 405);
	await assertNothingHappened();
});

test("a form of another type, or with a field twice, decides nothing", async () => {
	const fields = { ...hiddenFields(victim.page.body, DECISION), ...allow };
	const text = await victim.post(DECISION, fields, { "content-type": "text/plain" });
	assert.equal(text.statusCode, 400);
	assert.match(String(text.headers["content-type"]), /^text\/html/);
	const twice = `${new URLSearchParams(fields)}&decision=deny`;
	assert.equal((await victim.post(DECISION, twice)).statusCode, 422);
	await assertNothingHappened();
});

test("what the pages are told is in no line of the log", async () => {
	await victim.post(DECISION, { ...hiddenFields(victim.page.body, DECISION), ...allow });
	const log = app.logLines.join("");
	for (const secret of [asked.requestId, password, "ann@example.com", "203.0.113.7", "code="]) {
		assert.ok(!log.includes(secret), secret);
	}
});
