import assert from "node:assert/strict";
import { after, beforeEach, test } from "node:test";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { apiCall } from "../../../../test/support/accounts-app.ts";
import { allowlistClient, OFFICE, OUTSIDE } from "../../../../test/support/allowlist-client.ts";
import { enableTwoFactor, wrongCode } from "../../../../test/support/authenticator.ts";
import { type AskedAccess, askForAccess, exchangeCode } from "../../../../test/support/oauth-flow.ts";
import { hiddenFields, type PageClient, pageClient } from "../../../../test/support/page-client.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import { password } from "../../../../test/support/test-users.ts";

const SIGN_IN = "/oauth/consent/sign-in";
const CODE = "/oauth/consent/code";
const DECISION = "/oauth/consent/decision";
const MINUTE_MS = 60_000;
const callback = "https://notebook.example/callback";

let ann: Session;
/** The site of ann's, and the one of eve's. */
let shop: string;
let asked: AskedAccess;
let browser: PageClient;
let users = 0;

const app = await testApp({ env: { PUBLIC_URL: "https://stats.example", REGISTRATION: "open" } });
const other = await createSite(app, await signIn(app, { email: "eve@example.com", name: "Eve" }), { name: "Other" });
after(() => app?.close());

beforeEach(async () => {
	ann = await signIn(app, { email: `ann${++users}@example.com` });
	shop = await createSite(app, ann, { name: `Shop ${users}` });
	asked = await askForAccess(app);
	browser = await opened();
});

/** A browser in which the app's request was opened. */
async function opened(address?: string): Promise<PageClient> {
	const client = pageClient(app.inject, address);
	await client.open(asked.page);
	return client;
}
const enter = (email = ann.email) => browser.submit(SIGN_IN, { email, password });
const approve = (site_id = shop) => browser.submit(DECISION, { decision: "approve", site_id });
const isSignedIn = ({ cookies } = browser) => cookies.has("svc_access_token");

/** Signs in; all that the form which allows sends. */
async function rightForm(): Promise<Readonly<Record<string, string>>> {
	await enter();
	return { ...hiddenFields(browser.page.body, DECISION), decision: "approve", site_id: shop };
}
const stillWaits = async () => assert.equal((await app.inject({ url: asked.page })).statusCode, 200);

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
	assert.deepEqual([said.size, isSignedIn()], [1, false]);
	const byBearer = await app.inject({ url: asked.page, headers: ann.headers });
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
		apiCall(app)("POST /auth/token", { headers, body: { email: ann.email, password: given } });
	for (let tries = 0; tries < 9; tries++) await ask("a guess");
	const guessing = await opened("203.0.113.66");
	assert.equal((await guessing.submit(SIGN_IN, { email: ann.email, password: "a guess" })).statusCode, 401);
	const refused = await guessing.submit(SIGN_IN, { email: ann.email, password });
	assert.deepEqual([refused.statusCode, refused.headers["retry-after"]], [429, "900"]);
	assert.ok(refused.body.includes((await ask(password)).json().error.message));
});

test("the password alone opens no session: the code is asked for, and then the question", async () => {
	const authenticator = await enableTwoFactor({ call: apiCall(app), clock: app.clock }, ann);
	const passwordGiven = async () => {
		const client = await opened();
		await client.submit(SIGN_IN, { email: ann.email, password });
		return client;
	};
	browser = await passwordGiven();
	assert.match(browser.page.body, /<h1>Enter your code<\/h1>.*<input id="code"[^>]* autocomplete="one-time-code"/s);
	const fields = { ...hiddenFields(browser.page.body, CODE), code: authenticator.code() };
	const elsewhere = await opened();
	assert.equal((await elsewhere.post(CODE, fields)).statusCode, 403, "the form of one browser is of no use in another");
	assert.deepEqual([isSignedIn(), isSignedIn(elsewhere)], [false, false]);
	assert.equal((await browser.submit(CODE, { code: "12345" })).statusCode, 422);
	const refused = await browser.submit(CODE, { code: wrongCode(authenticator.secret, app.clock.now()) });
	assert.equal(refused.statusCode, 401);
	assert.match(refused.body, /<p>The code is wrong\.<\/p>/);
	// Typed with a blank, as apps show it.
	const code = authenticator.code().replace(/^.../, "$& ");
	assert.match((await browser.submit(CODE, { code })).body, /<h1>Allow access\?<\/h1>/);
	assert.ok(isSignedIn());
	const [backup = ""] = authenticator.backupCodes;
	assert.match((await (await passwordGiven()).submit(CODE, { code: backup })).body, /Allow access\?/);
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

test("allowing leads back to the app with a code, its state and who answers, and works once", async () => {
	const fields = await rightForm();
	const { headers, body } = await browser.post(DECISION, fields);
	assert.match(body, /<h1>Access is allowed<\/h1>/);
	const url = goesTo(headers.refresh);
	assert.equal(url.origin + url.pathname, callback);
	const { code = "", ...rest } = Object.fromEntries(url.searchParams);
	assert.deepEqual(rest, { state: "state of the app", iss: "https://stats.example" });
	// For browsers that do not go by themselves; kept by no cache, and no other page is told of this one.
	assert.equal(body.split(code).length, 2);
	assert.ok(body.includes(`<a href="${url.href.replaceAll("&", "&amp;")}">Go back to the app</a>`), body);
	assert.deepEqual([headers["cache-control"], headers["referrer-policy"]], ["no-store", "same-origin"]);
	assert.equal((await browser.post(DECISION, fields)).statusCode, 404);
	assert.match((await browser.open(asked.page)).body, /<h1>This request has ended<\/h1>/);
	const tokens = await exchangeCode(app, asked.clientId, code, { redirect_uri: callback });
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
	await stillWaits();
});

test("another account may be used instead; the session before it is over", async () => {
	await enter();
	const headers = { authorization: `Bearer ${browser.cookies.get("svc_access_token")}` };
	assert.match((await browser.submit("/oauth/consent/switch")).body, /<h1>Sign in<\/h1>/);
	assert.ok(!isSignedIn());
	assert.equal((await app.inject({ url: "/api/v1/auth/me", headers })).statusCode, 401);
	const { body } = await enter("eve@example.com");
	assert.ok(body.includes(`value="${other}"`) && !body.includes(`value="${shop}"`));
});

test("a request that has ended and a made-up one show nothing and sign nobody in", async () => {
	app.clock.advance(30 * MINUTE_MS);
	assert.equal((await enter()).statusCode, 404);
	assert.ok(!isSignedIn());
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
	assert.deepEqual([origin, searchParams.get("error")], ["https://notebook.example", "access_denied"]);
	assert.deepEqual([searchParams.has("code"), (await browser.open(asked.page)).statusCode], [false, 404]);
});

test("a site that this address may not open is neither offered nor allowed", async () => {
	await allowlistClient(app, ann, shop).allow(OFFICE);
	browser = await opened(OUTSIDE);
	assert.match((await enter()).body, /You have no site yet\./);
	const refused = await approve();
	assert.equal(refused.statusCode, 403);
	assert.match(refused.body, /Access from this IP address is not allowed/);
});

test("more than six sites are a list to open, by name, with none chosen", async () => {
	for (const name of ["zoo", "arena", "bakery", "cinema", "dance", "estate"]) await createSite(app, ann, { name });
	const { body } = await enter();
	assert.match(body, /<label for="site_id">Site<\/label>\n<select id="site_id" name="site_id" required>/);
	const options = [...body.matchAll(/<option value="([^"]*)">/g)].map(([, value]) => value);
	assert.deepEqual(options, ["", "arena", "bakery", "cinema", "dance", "estate", shop, "zoo"]);
	assert.equal((await approve("")).statusCode, 422);
	assert.equal((await approve("zoo")).statusCode, 200);
});

test("a superadmin who acts as somebody else answers for nobody", async () => {
	const as = await signIn(app, { email: "root@example.com", role: "superadmin" });
	const body = { user_id: ann.userId, reason: "A question" };
	const acting = await apiCall(app)("POST /admin/impersonate-user", { as, body });
	browser.cookies.set("svc_access_token", acting.json().data.access_token);
	const page = await browser.open(asked.page);
	assert.equal(page.statusCode, 403);
	assert.doesNotMatch(page.body, /<form/);
	assert.match(page.body, /Only users themselves can give apps access\./);
});

test("a form that comes from elsewhere, with no token or another one, or in another shape, decides nothing; its own does", async () => {
	const right = await rightForm();
	const csrf = browser.cookies.get("svc_csrf_token") ?? "";
	const { form_token: _, ...without } = right;
	const eve = await opened();
	await eve.submit(SIGN_IN, { email: "eve@example.com", password });
	const ofEve = hiddenFields(eve.page.body, DECISION);
	const origins = ["https://evil.example", "https://stats.example.evil.example", "http://stats.example", "null"];
	type Case = readonly [string, Readonly<Record<string, string>> | string, Record<string, string>, number];
	const cases: readonly Case[] = [
		["no token", without, {}, 403],
		["an empty token", { ...right, form_token: "" }, {}, 403],
		["a made-up token", { ...right, form_token: "0".repeat(64) }, {}, 403],
		["the token of scripts", { ...right, form_token: csrf }, { "x-csrf-token": csrf }, 403],
		["the form of another session, for the same request", { ...right, ...ofEve }, {}, 403],
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
	await stillWaits();
	const { statusCode, headers } = await browser.post(DECISION, right, { origin: "https://stats.example" });
	assert.equal(statusCode, 200);
	assert.match(String(headers.refresh), /[?&]code=/);
});

test("a form of one request decides on no other, although the session is the same", async () => {
	const { requestId, page } = await askForAccess(app, { name: "Other", redirectUri: "https://other.example/callback" });
	assert.equal((await browser.post(DECISION, { ...(await rightForm()), request_id: requestId })).statusCode, 403);
	assert.equal((await app.inject({ url: page })).statusCode, 200);
});

test("a form of another page signs no user in, or out", async () => {
	const planted = { ...hiddenFields((await opened()).page.body, SIGN_IN), email: "eve@example.com", password };
	for (const victim of [browser, pageClient(app.inject)]) {
		assert.equal((await victim.post(SIGN_IN, planted)).statusCode, 403);
		assert.ok(!isSignedIn(victim));
	}
	await browser.open(asked.page);
	await enter();
	assert.equal((await browser.post("/oauth/consent/switch", { request_id: asked.requestId })).statusCode, 403);
	assert.ok((await browser.open(asked.page)).body.includes(ann.email));
});

test("no address decides by being opened", async () => {
	assert.equal((await browser.open(`${DECISION}?${new URLSearchParams(await rightForm())}`)).statusCode, 405);
	await stillWaits();
});

test("passwords and codes of the pages are in no line of the log", async () => {
	await browser.post(DECISION, await rightForm());
	const log = app.logLines.join("");
	for (const secret of [asked.requestId, password, ann.email, "203.0.113.7", "code="]) {
		assert.ok(!log.includes(secret), secret);
	}
});
