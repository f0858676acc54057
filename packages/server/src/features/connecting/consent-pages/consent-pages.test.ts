import assert from "node:assert/strict";
import { after, before, beforeEach, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { allowlistClient, OFFICE, OUTSIDE } from "../../../../test/support/allowlist-client.ts";
import { type AskedAccess, askForAccess, codeVerifier } from "../../../../test/support/ask-for-access.ts";
import { hiddenFields, type PageClient, pageClient } from "../../../../test/support/page-client.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const password = "correct horse battery staple 7";
const SIGN_IN = "/oauth/consent/sign-in";
const DECISION = "/oauth/consent/decision";
const MINUTE_MS = 60_000;

let app: TestApp;
let ann: Session;
/** The site of ann's. */
let shop: string;
let other: string;
let asked: AskedAccess;
let browser: PageClient;
let users = 0;

before(async () => {
	app = await testApp({ env: { PUBLIC_URL: "https://stats.example" } });
	other = await createSite(app, await signIn(app, { email: "eve@example.com", name: "Eve" }), { name: "Other" });
});
after(() => app?.close());

beforeEach(async () => {
	ann = await signIn(app, { email: `ann${++users}@example.com` });
	shop = await createSite(app, ann, { name: `Shop ${users}` });
	asked = await askForAccess(app);
	browser = pageClient(app.inject);
	await browser.open(asked.page);
});

const enter = (email = ann.email) => browser.submit(SIGN_IN, { email, password });
const approve = (site_id = shop) => browser.submit(DECISION, { decision: "approve", site_id });

/** Signs in; all that the form which allows sends. */
async function rightForm(): Promise<Readonly<Record<string, string>>> {
	await enter();
	return { ...hiddenFields(browser.page.body, DECISION), decision: "approve", site_id: shop };
}

/** Where the answer leads. */
const goesTo = (refresh: unknown): URL => new URL(String(refresh).replace(/^0; url=/, ""));

test("a wrong password and an unknown address get one answer, in the words of the API; overlong fields are refused", async () => {
	const said = new Set<string>();
	for (const email of [ann.email, "nobody@example.com"]) {
		await browser.open(asked.page);
		const { statusCode, body } = await browser.submit(SIGN_IN, { email, password: "not the password" });
		assert.equal(statusCode, 401);
		assert.match(body, /<div class="error" role="alert"><p>Email or password is wrong\.<\/p><\/div>/);
		assert.match(body, /<title>Error: Sign in – Footfall<\/title>/);
		assert.ok(body.includes(`value="${email}"`) && !body.includes("not the password"));
		said.add(body.replaceAll(email, "").replaceAll(/value="[0-9a-f]{64}"/g, ""));
	}
	assert.deepEqual([said.size, browser.cookies.has("svc_access_token")], [1, false]);
	const byBearer = await app.inject({ method: "GET", url: asked.page, headers: ann.headers });
	assert.match(byBearer.body, /<h1>Sign in<\/h1>/);
	for (const [fields, status] of [
		[{ email: `${"a".repeat(250)}@x.example` }, 422],
		[{ password: "a".repeat(1025) }, 422],
		[{ email: "ann\u0000@example.com" }, 400],
	] as const) {
		const answer = await browser.submit(SIGN_IN, { email: ann.email, password, ...fields });
		assert.equal(answer.statusCode, status, JSON.stringify(fields));
	}
});

test("guesses count together with those at the API", async () => {
	const headers = { "x-forwarded-for": "203.0.113.66" };
	const ask = (given: string) =>
		app.inject({ method: "POST", url: "/api/v1/auth/token", headers, payload: { email: ann.email, password: given } });
	for (let tries = 0; tries < 9; tries++) await ask("a guess");
	const guessing = pageClient(app.inject, "203.0.113.66");
	await guessing.open(asked.page);
	assert.equal((await guessing.submit(SIGN_IN, { email: ann.email, password: "a guess" })).statusCode, 401);
	const refused = await guessing.submit(SIGN_IN, { email: ann.email, password });
	assert.deepEqual([refused.statusCode, refused.headers["retry-after"]], [429, "900"]);
	assert.ok(refused.body.includes((await ask(password)).json().error.message));
});

test("it names the app, where the answer goes, what is asked, who is signed in, and the sites of that person", async () => {
	assert.match(browser.page.body, /<bdi>Notebook<\/bdi>.*<strong>notebook\.example<\/strong>/s);
	assert.match(browser.page.body, /<a href="\/reset-password">Reset it<\/a>/);
	const { body } = await enter();
	assert.match(body, /“<bdi>Notebook<\/bdi>”/);
	assert.match(body, /<dt>The answer goes to<\/dt>\n<dd><strong>notebook\.example<\/strong><\/dd>/);
	assert.ok(body.includes(`<dd><bdi>${ann.email}</bdi></dd>`));
	assert.match(body, /has not been reviewed/);
	assert.match(body, /<li>Read every report of the site that you choose/);
	assert.match(body, /<li>Do so for an hour; then it has to ask you again<\/li>/);
	assert.doesNotMatch(body, /Keep this access while you are away/);
	assert.ok(body.includes(`<input id="site-${shop}" name="site_id" type="radio" value="${shop}" required>`));
	assert.doesNotMatch(body, new RegExp(`value="${other}"|required checked`));
});

test("it says so when the app wants to come back, and when names and addresses of people are read", async () => {
	const people = /<li>Read the names and email addresses of all people with access to that site, including yours<\/li>/;
	await enter();
	const questionTo = async (options: Parameters<typeof askForAccess>[1]) =>
		(await browser.open((await askForAccess(app, options)).page)).body;
	const lasting = await questionTo({ scope: "analytics:read offline_access" });
	assert.match(lasting, /<li>Keep this access while you are away/);
	assert.doesNotMatch(lasting, /for an hour/);
	assert.match(lasting, people);
	assert.match(await questionTo({ resource: "https://stats.example/api/v1" }), people);
	const tools = await questionTo({ resource: "https://stats.example/mcp" });
	assert.match(tools, /<li>Read every report of the site that you choose/);
	assert.doesNotMatch(tools, /names and email addresses/);
});

test("allowing leads back to the app with a code, its state and who answers, and works once", async () => {
	const fields = await rightForm();
	const { headers, body } = await browser.post(DECISION, fields);
	assert.match(body, /<h1>Access is allowed<\/h1>/);
	const url = goesTo(headers.refresh);
	assert.equal(url.origin + url.pathname, "https://notebook.example/callback");
	const { code = "", ...rest } = Object.fromEntries(url.searchParams);
	assert.deepEqual(rest, { state: "state of the app", iss: "https://stats.example" });
	// For browsers that do not go by themselves; kept by no cache, and no other page is told of this one.
	assert.equal(body.split(code).length, 2);
	assert.ok(body.includes(`<a href="${url.href.replaceAll("&", "&amp;")}">Go back to the app</a>`), body);
	assert.deepEqual([headers["cache-control"], headers["referrer-policy"]], ["no-store", "same-origin"]);
	assert.equal((await browser.post(DECISION, fields)).statusCode, 404);
	assert.match((await browser.open(asked.page)).body, /<h1>This request has ended<\/h1>/);
	const grant = {
		grant_type: "authorization_code",
		client_id: asked.clientId,
		redirect_uri: "https://notebook.example/callback",
		code_verifier: codeVerifier,
		code,
	};
	const tokens = await browser.post("/api/v1/oauth/token", grant);
	assert.equal(tokens.statusCode, 200, tokens.body);
});

test("without a site, with a foreign one or without a button nothing is allowed and the question stands", async () => {
	await enter();
	for (const [fields, status, said] of [
		[{ decision: "approve" }, 422, /<p>Choose the site that the app may read\.<\/p>/],
		[{ decision: "approve", site_id: other }, 403, /Access denied to account/],
		[{ site_id: shop }, 422, /<h1>Allow access\?<\/h1>/],
	] as const) {
		const refused = await browser.submit(DECISION, fields);
		assert.deepEqual([refused.statusCode, refused.headers.refresh], [status, undefined]);
		assert.match(refused.body, said);
	}
	assert.equal((await browser.open(asked.page)).statusCode, 200);
});

test("another account may be used instead; the session before it is over", async () => {
	await enter();
	const headers = { authorization: `Bearer ${browser.cookies.get("svc_access_token")}` };
	const page = await browser.submit("/oauth/consent/switch");
	assert.match(page.body, /<h1>Sign in<\/h1>/);
	assert.ok(!browser.cookies.has("svc_access_token"));
	assert.equal((await app.inject({ method: "GET", url: "/api/v1/auth/me", headers })).statusCode, 401);
	const { body } = await enter("eve@example.com");
	assert.ok(body.includes(`value="${other}"`) && !body.includes(`value="${shop}"`));
});

test("the address of the answer is told by its host, and is no link; an app with a document by that of the document", async () => {
	await enter();
	for (const [redirectUri, shown] of [
		["https://stats.example.evil.example/stats.example", "<strong>stats.example.evil.example</strong>"],
		["https://xn--fotfall-e6d.example/", "<strong>xn--fotfall-e6d.example</strong>"],
		["http://127.0.0.1:8765/callback", "an app on this device (<strong>127.0.0.1:8765</strong>)"],
		["http://localhost:8765/callback", "an app on this device (<strong>localhost:8765</strong>)"],
		["com.example.notebook:/callback", "an app on this device (<strong>com.example.notebook:</strong>)"],
	] as const) {
		const { body } = await browser.open((await askForAccess(app, { redirectUri })).page);
		assert.ok(body.includes(`<dd>${shown}</dd>`) && !body.includes(redirectUri), redirectUri);
	}
	const id = "https://apps.example/client.json";
	const requests = app.metadata.withTables<Tables>().updateTable("oauth_requests").set({ client_id: id });
	await requests.where("client_id", "=", asked.clientId).execute();
	const { body } = await browser.open(asked.page);
	assert.match(body, /<p>The app is described at <strong>apps\.example<\/strong>\. It has not been reviewed\.<\/p>/);
	assert.doesNotMatch(body, /client\.json/);
});

test("a request is open for 30 minutes, and a made-up one never was", async () => {
	app.clock.advance(30 * MINUTE_MS - 1);
	assert.equal((await browser.open(asked.page)).statusCode, 200);
	app.clock.advance(1);
	assert.equal((await enter()).statusCode, 404);
	assert.ok(!browser.cookies.has("svc_access_token"));
	for (const id of [asked.requestId, "0".repeat(43), `${asked.requestId}&request_id=x`]) {
		const { statusCode, body } = await browser.open(`/oauth/consent?request_id=${id}`);
		assert.ok([400, 404].includes(statusCode) && !body.includes("Notebook"), id);
	}
});

test("a session that ended meanwhile is asked to sign in again, and the question stands", async () => {
	await enter();
	app.clock.advance(15 * MINUTE_MS);
	const { statusCode, headers, body } = await approve();
	assert.deepEqual([statusCode, headers.refresh], [401, undefined]);
	assert.match(body, /<p>You were signed out meanwhile\. Please sign in again\.<\/p>/);
	assert.match((await enter()).body, /<h1>Allow access\?<\/h1>/);
});

test("without a site there is nothing to allow, only to deny, which leads back with the refusal", async () => {
	const { email } = await signIn(app, { email: `none${users}@example.com` });
	const { body } = await enter(email);
	assert.match(body, /You have no site yet\./);
	assert.doesNotMatch(body, /value="approve"/);
	const denied = await browser.submit(DECISION, { decision: "deny" });
	assert.match(denied.body, /<h1>Access is denied<\/h1>/);
	const { origin, searchParams } = goesTo(denied.headers.refresh);
	assert.equal(origin, "https://notebook.example");
	assert.deepEqual([searchParams.get("error"), searchParams.get("code")], ["access_denied", null]);
	assert.equal((await browser.open(asked.page)).statusCode, 404);
});

test("a site that this address may not open is neither offered nor allowed", async () => {
	const rules = allowlistClient({ ...app, inject: app.app.inject.bind(app.app) as never }, ann, shop);
	await rules.plan("enterprise");
	await rules.allow(OFFICE);
	browser = pageClient(app.inject, OUTSIDE);
	await browser.open(asked.page);
	assert.match((await enter()).body, /You have no site yet\./);
	const refused = await approve();
	assert.equal(refused.statusCode, 403);
	assert.match(refused.body, /Access from this IP address is not allowed/);
});

test("more than six sites are a list to open, by name, with none chosen", async () => {
	const names = ["zoo", "arena", "bakery", "cinema", "dance", "estate"];
	for (const name of names) await createSite(app, ann, { name });
	const { body } = await enter();
	assert.match(body, /<label for="site_id">Site<\/label>\n<select id="site_id" name="site_id" required>/);
	const options = [...body.matchAll(/<option value="([^"]*)">/g)].map(([, value]) => value);
	assert.deepEqual(options, ["", "arena", "bakery", "cinema", "dance", "estate", shop, "zoo"]);
	assert.equal((await approve("")).statusCode, 422);
	assert.equal((await approve("zoo")).statusCode, 200);
});

test("a superadmin who acts as somebody else answers for nobody", async () => {
	const root = await signIn(app, { email: "root@example.com", role: "superadmin" });
	const url = "/api/v1/admin/impersonate-user";
	const payload = { user_id: ann.userId, reason: "A question" };
	const acting = await app.inject({ method: "POST", url, headers: root.headers, payload });
	browser.cookies.set("svc_access_token", acting.json().data.access_token);
	const { statusCode, body } = await browser.open(asked.page);
	assert.equal(statusCode, 403);
	assert.doesNotMatch(body, /<form/);
	assert.match(body, /Only users themselves can give apps access\./);
});

test("a form that comes from elsewhere, with no token or another one, or in another shape, decides nothing; its own does", async () => {
	const right = await rightForm();
	const csrf = browser.cookies.get("svc_csrf_token") ?? "";
	const { form_token: _, ...without } = right;
	const eve = pageClient(app.inject);
	await eve.open(asked.page);
	await eve.submit(SIGN_IN, { email: "eve@example.com", password });
	const allow = { decision: "approve", site_id: shop };
	const origins = ["https://evil.example", "https://stats.example.evil.example", "http://stats.example", "null"];
	type Case = readonly [
		string,
		fields: Readonly<Record<string, string>> | string,
		headers: Record<string, string>,
		number,
	];
	const cases: readonly Case[] = [
		["no token", without, {}, 403],
		["an empty token", { ...right, form_token: "" }, {}, 403],
		["a made-up token", { ...right, form_token: "0".repeat(64) }, {}, 403],
		["the token of scripts", { ...right, form_token: csrf }, { "x-csrf-token": csrf }, 403],
		[
			"the form of another session, for the same request",
			{ ...hiddenFields(eve.page.body, DECISION), ...allow },
			{},
			403,
		],
		...origins.map((origin): Case => [origin, right, { origin }, 403]),
		["another type", right, { "content-type": "text/plain" }, 400],
		["a field twice", `${new URLSearchParams(right)}&decision=deny`, {}, 422],
	];
	for (const [what, fields, headers, status] of cases) {
		const answer = await browser.post(DECISION, fields, headers);
		assert.deepEqual([answer.statusCode, answer.headers.refresh], [status, undefined], what);
		assert.match(String(answer.headers["content-type"]), /^text\/html/);
	}
	assert.match((await browser.post(DECISION, without)).body, /This form was opened elsewhere, or is too old\./);
	assert.equal((await app.inject({ method: "GET", url: asked.page })).statusCode, 200, "the request still waits");
	const { statusCode, headers } = await browser.post(DECISION, right, { origin: "https://stats.example" });
	assert.equal(statusCode, 200);
	assert.match(String(headers.refresh), /[?&]code=/);
});

test("a form of one request decides on no other, although the session is the same", async () => {
	const { requestId, page } = await askForAccess(app, { name: "Other", redirectUri: "https://other.example/callback" });
	assert.equal((await browser.post(DECISION, { ...(await rightForm()), request_id: requestId })).statusCode, 403);
	assert.equal((await app.inject({ method: "GET", url: page })).statusCode, 200);
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
	await enter();
	assert.equal((await browser.post("/oauth/consent/switch", { request_id: asked.requestId })).statusCode, 403);
	assert.ok((await browser.open(asked.page)).body.includes(ann.email));
});

test("no address decides by being opened", async () => {
	assert.equal((await browser.open(`${DECISION}?${new URLSearchParams(await rightForm())}`)).statusCode, 405);
	assert.equal((await app.inject({ method: "GET", url: asked.page })).statusCode, 200);
});

test("what the pages are told is in no line of the log", async () => {
	await browser.post(DECISION, await rightForm());
	const log = app.logLines.join("");
	for (const secret of [asked.requestId, password, ann.email, "203.0.113.7", "code="]) {
		assert.ok(!log.includes(secret), secret);
	}
});
