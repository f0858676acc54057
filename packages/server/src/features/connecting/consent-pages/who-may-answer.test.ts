import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { type AskedAccess, askForAccess } from "../../../../test/support/ask-for-access.ts";
import { hiddenFields, type PageClient, pageClient } from "../../../../test/support/page-client.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { insertUser, newUserRow } from "../../people/users/index.ts";

const password = "correct horse battery staple 7";
const DECISION = "/oauth/consent/decision";
const MINUTE_MS = 60_000;

let app: TestApp;
let ann: Session;
let asked: AskedAccess;
let browser: PageClient;
let users = 0;

before(async () => {
	app = await testApp();
});
after(() => app.close());
beforeEach(async () => {
	ann = await signIn(app, { email: `ann${++users}@example.com` });
	asked = await askForAccess(app);
	browser = pageClient(app.inject);
	await browser.open(asked.page);
});

const enter = (email = ann.email) => browser.submit("/oauth/consent/sign-in", { email, password });

test("a request is open for 30 minutes, and a made-up one never was", async () => {
	app.clock.advance(30 * MINUTE_MS - 1);
	assert.equal((await browser.open(asked.page)).statusCode, 200);
	const form = hiddenFields(browser.page.body, "/oauth/consent/sign-in");
	app.clock.advance(1);
	const late = await browser.post("/oauth/consent/sign-in", { ...form, email: ann.email, password });
	assert.equal(late.statusCode, 404);
	assert.ok(!browser.cookies.has("svc_access_token"));
	for (const id of [asked.requestId, "0".repeat(43), "", `${asked.requestId}&request_id=x`, "%00"]) {
		const { statusCode, body } = await browser.open(`/oauth/consent?request_id=${id}`);
		assert.ok([400, 404].includes(statusCode), id);
		assert.ok(!body.includes("Notebook"), id);
	}
	assert.match((await browser.open(asked.page)).body, /<h1>This request has ended<\/h1>/);
});

test("a session that ended meanwhile is asked to sign in again, and the question stands", async () => {
	const site_id = await createSite(app, ann);
	await enter();
	const fields = { ...hiddenFields(browser.page.body, DECISION), decision: "approve", site_id };
	app.clock.advance(15 * MINUTE_MS);
	const { statusCode, headers, body } = await browser.post(DECISION, fields);
	assert.equal(statusCode, 401);
	assert.equal(headers.refresh, undefined);
	assert.match(body, /<p>You were signed out meanwhile\. Please sign in again\.<\/p>/);
	assert.match((await enter()).body, /<h1>Allow access\?<\/h1>/);
});

test("an address that is not confirmed is told so, in the words of the API", async () => {
	const row = await newUserRow({ email: "new@example.com", name: "New", password, role: "user" }, app.clock.now());
	await insertUser(app.metadata, { ...row, email_verified_at: null });
	const { statusCode, body } = await enter("new@example.com");
	assert.equal(statusCode, 403);
	assert.match(body, /<p>E-mail address is not verified\.<\/p>/);
});

test("without a site there is nothing to allow, only to deny", async () => {
	const { body } = await enter();
	assert.match(body, /You have no site yet that could be chosen\./);
	assert.doesNotMatch(body, /value="approve"/);
	assert.match(String((await browser.submit(DECISION, { decision: "deny" })).headers.refresh), /error=access_denied/);
});

test("more than six sites are a list to open, by name, with none chosen", async () => {
	for (const name of ["Zoo", "Arena", "Bakery", "Cinema", "Dance", "Estate", "Forest"])
		await createSite(app, ann, { name });
	const { body } = await enter();
	assert.match(body, /<label for="site_id">Which site\?<\/label>\n<select id="site_id" name="site_id" required>/);
	const options = [...body.matchAll(/<option value="([^"]*)">/g)].map(([, value]) => value);
	assert.deepEqual(options, ["", "arena", "bakery", "cinema", "dance", "estate", "forest", "zoo"]);
	assert.equal((await browser.submit(DECISION, { decision: "approve", site_id: "" })).statusCode, 422);
	assert.equal((await browser.submit(DECISION, { decision: "approve", site_id: "zoo" })).statusCode, 200);
});

test("a site that this address may not open is neither offered nor allowed", async () => {
	const site_id = await createSite(app, ann);
	const headers = { ...ann.headers, "x-forwarded-for": "192.0.2.1" };
	const patterns = `/api/v1/ip-allowlist/patterns?account_id=${site_id}`;
	const settings = `/api/v1/ip-allowlist/settings?account_id=${site_id}`;
	await app.inject({ method: "POST", url: patterns, headers, payload: { pattern: "192.0.2.1" } });
	const switched = await app.inject({ method: "PUT", url: settings, headers, payload: { is_enabled: true } });
	assert.equal(switched.statusCode, 200, switched.body);
	const { body } = await enter();
	assert.ok(!body.includes(`value="${site_id}"`));
	const refused = await browser.submit(DECISION, { decision: "approve", site_id });
	assert.equal(refused.statusCode, 403);
	assert.equal(refused.headers.refresh, undefined);
	assert.match(refused.body, /Access from this IP address is not allowed/);
});

test("a superadmin who acts as somebody else answers for nobody", async () => {
	await createSite(app, ann);
	const root = await signIn(app, { email: "root@example.com", role: "superadmin" });
	const acting = await app.inject({
		method: "POST",
		url: "/api/v1/admin/impersonate-user",
		headers: root.headers,
		payload: { user_id: ann.userId, reason: "A question" },
	});
	assert.equal(acting.statusCode, 200, acting.body);
	browser.cookies.set("svc_access_token", acting.json().data.access_token);
	const { statusCode, body } = await browser.open(asked.page);
	assert.equal(statusCode, 403);
	assert.doesNotMatch(body, /<form/);
	assert.match(body, /Only the users themselves give apps access\./);
});

test("an app with a document of its own is told by the host of that document", async () => {
	await createSite(app, ann);
	const id = "https://apps.example/client.json";
	await app.metadata.withTables<Tables>().updateTable("oauth_requests").set({ client_id: id }).execute();
	const { body } = await enter();
	assert.match(body, /<p>The app is described at <strong>apps\.example<\/strong>\. Nobody here has checked it\.<\/p>/);
	assert.doesNotMatch(body, /client\.json/);
});
