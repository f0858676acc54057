import assert from "node:assert/strict";
import { after, before, beforeEach, describe, test } from "node:test";
import { createSite, type Session, signIn } from "../../../../test/support/accounts.ts";
import { type AskedAccess, askForAccess, codeVerifier } from "../../../../test/support/ask-for-access.ts";
import { hiddenFields, type PageClient, pageClient } from "../../../../test/support/page-client.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

const password = "correct horse battery staple 7";
const login = { email: "ann@example.com", password };
const SIGN_IN = "/oauth/consent/sign-in";
const DECISION = "/oauth/consent/decision";
const SWITCH = "/oauth/consent/switch";

let app: TestApp;
let ann: Session;
let asked: AskedAccess;
let browser: PageClient;

before(async () => {
	app = await testApp({ env: { PUBLIC_URL: "https://stats.example" } });
	ann = await signIn(app);
	await createSite(app, ann, { name: "Shop" });
	const eve = await signIn(app, { email: "eve@example.com", name: "Eve" });
	await createSite(app, eve, { name: "Other" });
});
after(() => app?.close());

beforeEach(async () => {
	asked = await askForAccess(app);
	browser = pageClient(app.inject);
});

const onConsent = async () => {
	await browser.open(asked.page);
	return browser.submit(SIGN_IN, login);
};

/** Where the answer leads. */
const goesTo = (refresh: unknown): URL => new URL(String(refresh).replace(/^0; url=/, ""));

describe("the page that asks who is there", () => {
	test("it may not be framed, cached or scripted, and its form goes nowhere else", async () => {
		const { statusCode, headers, body } = await browser.open(asked.page);
		assert.equal(statusCode, 200);
		assert.equal(headers["content-type"], "text/html; charset=utf-8");
		assert.equal(headers["cache-control"], "no-store");
		assert.equal(headers["x-frame-options"], "DENY");
		assert.equal(headers["referrer-policy"], "same-origin");
		assert.match(
			String(headers["content-security-policy"]),
			/^default-src 'none'; style-src 'sha256-[^']+'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
		);
		assert.doesNotMatch(body, /<script|javascript:| on\w+=/);
		assert.match(body, /<h1>Sign in<\/h1>/);
		assert.match(body, /<bdi>Notebook<\/bdi>.*<strong>notebook\.example<\/strong>/s);
	});

	test("a password that is right leads to the question by a session in three cookies", async () => {
		const page = await onConsent();
		assert.equal(page.statusCode, 200);
		assert.match(page.body, /<h1>Allow access\?<\/h1>/);
		for (const name of ["svc_access_token", "svc_refresh_token", "svc_csrf_token"]) {
			assert.ok(browser.cookies.has(name), name);
		}
	});

	test("a wrong password and an unknown address get one answer, in the words of the API", async () => {
		const said: string[] = [];
		for (const email of ["ann@example.com", "nobody@example.com"]) {
			await browser.open(asked.page);
			const { statusCode, body } = await browser.submit(SIGN_IN, { email, password: "not the password" });
			assert.equal(statusCode, 401);
			assert.match(body, /<div class="error" role="alert"><p>E-mail or password is wrong\.<\/p><\/div>/);
			assert.match(body, /<title>Error: Sign in – Footfall<\/title>/);
			assert.ok(body.includes(`value="${email}"`));
			assert.ok(!body.includes("not the password"));
			said.push(body.replaceAll(email, "").replaceAll(/value="[0-9a-f]{64}"/g, ""));
		}
		assert.equal(said[0], said[1]);
		assert.ok(!browser.cookies.has("svc_access_token"));
	});

	test("guesses count together with those at the API", async () => {
		const headers = { "x-forwarded-for": "203.0.113.66" };
		const guess = { email: "eve@example.com", password: "a guess" };
		for (let tries = 0; tries < 9; tries++) {
			await app.inject({ method: "POST", url: "/api/v1/auth/token", headers, payload: guess });
		}
		const guessing = pageClient(app.inject, "203.0.113.66");
		await guessing.open(asked.page);
		assert.equal((await guessing.submit(SIGN_IN, guess)).statusCode, 401);
		const refused = await guessing.submit(SIGN_IN, { ...guess, password });
		assert.equal(refused.statusCode, 429);
		assert.equal(refused.headers["retry-after"], "900");
		const atApi = await app.inject({
			method: "POST",
			url: "/api/v1/auth/token",
			headers,
			payload: { ...guess, password },
		});
		assert.equal(atApi.statusCode, 429);
		assert.ok(refused.body.includes(atApi.json().error.message));
	});

	test("fields that are empty, far too long or hold control characters are refused", async () => {
		await browser.open(asked.page);
		assert.equal((await browser.submit(SIGN_IN, { email: "ann@example.com", password: "" })).statusCode, 422);
		assert.equal((await browser.submit(SIGN_IN, { ...login, email: "ann\u0000@example.com" })).statusCode, 400);
		await browser.open(asked.page);
		assert.equal((await browser.submit(SIGN_IN, { ...login, email: "a".repeat(300) })).statusCode, 422);
		assert.equal((await browser.submit(SIGN_IN, { ...login, password: "a".repeat(20_000) })).statusCode, 413);
	});

	test("an API key or a bearer token signs nobody in here", async () => {
		const page = await app.inject({ method: "GET", url: asked.page, headers: ann.headers });
		assert.match(page.body, /<h1>Sign in<\/h1>/);
	});
});

describe("the question", () => {
	test("it names the app, where the answer goes, what is asked, who is signed in, and the sites of that person", async () => {
		const signIn = await browser.open(asked.page);
		assert.match(signIn.body, /<a href="\/reset-password">Ask for a new one<\/a>/);
		const { body } = await onConsent();
		assert.match(body, /“<bdi>Notebook<\/bdi>”/);
		assert.match(body, /<dt>The answer goes to<\/dt>\n<dd><strong>notebook\.example<\/strong><\/dd>/);
		assert.match(body, /<dd><bdi>ann@example\.com<\/bdi><\/dd>/);
		assert.match(body, /nobody here has checked who runs it/);
		assert.match(body, /<li>Read every report of the site that you choose/);
		assert.match(body, /<li>Do so for an hour; then it has to ask you again<\/li>/);
		assert.doesNotMatch(body, /Keep this access while you are away/);
		assert.match(body, /<input id="site-shop" name="site_id" type="radio" value="shop" required>/);
		assert.doesNotMatch(body, /value="other"|required checked/);
	});

	test("it says so when the app wants to come back without its user", async () => {
		asked = await askForAccess(app, { scope: "analytics:read offline_access" });
		const { body } = await onConsent();
		assert.match(body, /<li>Keep this access while you are away/);
		assert.doesNotMatch(body, /for an hour/);
	});

	test("it says that names and addresses of people are read, and does not where the app cannot read them", async () => {
		const people =
			/<li>Read the names and e-mail addresses of everybody who has access to that site, you among them<\/li>/;
		assert.match((await onConsent()).body, people);
		asked = await askForAccess(app, { resource: "https://stats.example/api/v1" });
		assert.match((await browser.open(asked.page)).body, people);
		asked = await askForAccess(app, { resource: "https://stats.example/mcp" });
		const { body } = await browser.open(asked.page);
		assert.match(body, /<li>Read every report of the site that you choose/);
		assert.doesNotMatch(body, /names and e-mail addresses/);
	});

	test("allowing leads back to the app with a code, its state and who answers, and works once", async () => {
		await onConsent();
		const fields = { ...hiddenFields(browser.page.body, DECISION), decision: "approve", site_id: "shop" };
		const { statusCode, headers, body } = await browser.post(DECISION, fields);
		assert.equal(statusCode, 200);
		assert.match(body, /<h1>Access is allowed<\/h1>/);
		const url = goesTo(headers.refresh);
		assert.equal(url.origin + url.pathname, "https://notebook.example/callback");
		assert.deepEqual([...url.searchParams.keys()].sort(), ["code", "iss", "state"]);
		assert.equal(url.searchParams.get("state"), "state of the app");
		assert.equal(url.searchParams.get("iss"), "https://stats.example");
		const code = url.searchParams.get("code") ?? "";
		// For browsers that do not go by themselves; kept by no cache, and no other page is told of this one.
		const link = `<a href="${url.href.replaceAll("&", "&amp;")}">Go back to the app</a>`;
		assert.equal(body.split(code).length, 2);
		assert.ok(body.includes(link), body);
		assert.deepEqual([headers["cache-control"], headers["referrer-policy"]], ["no-store", "same-origin"]);
		assert.equal((await browser.post(DECISION, fields)).statusCode, 404);
		assert.match((await browser.open(asked.page)).body, /<h1>This request has ended<\/h1>/);
		const tokens = await app.inject({
			method: "POST",
			url: "/api/v1/oauth/token",
			headers: { "content-type": "application/x-www-form-urlencoded" },
			payload: new URLSearchParams({
				grant_type: "authorization_code",
				client_id: asked.clientId,
				redirect_uri: "https://notebook.example/callback",
				code_verifier: codeVerifier,
				code,
			}).toString(),
		});
		assert.equal(tokens.statusCode, 200, tokens.body);
	});

	test("denying leads back with the refusal, needs no site, and ends the request", async () => {
		await onConsent();
		const { headers, body } = await browser.submit(DECISION, { decision: "deny" });
		assert.match(body, /<h1>Access is denied<\/h1>/);
		const url = goesTo(headers.refresh);
		assert.equal(url.origin, "https://notebook.example");
		assert.equal(url.searchParams.get("error"), "access_denied");
		assert.equal(url.searchParams.get("code"), null);
		assert.equal((await browser.open(asked.page)).statusCode, 404);
	});

	test("without a site, with a foreign one or without a button nothing is allowed and the question stands", async () => {
		await onConsent();
		const without = await browser.submit(DECISION, { decision: "approve" });
		assert.equal(without.statusCode, 422);
		assert.match(without.body, /<p>Choose the site that the app may read\.<\/p>/);
		const foreign = await browser.submit(DECISION, { decision: "approve", site_id: "other" });
		assert.deepEqual([foreign.statusCode, foreign.headers.refresh], [403, undefined]);
		assert.match(foreign.body, /Access denied to account/);
		const unpressed = await browser.submit(DECISION, { site_id: "shop" });
		assert.equal(unpressed.statusCode, 422);
		assert.equal(unpressed.headers.refresh, undefined);
		assert.equal((await browser.open(asked.page)).statusCode, 200);
	});

	test("another account may be used instead; the session before it is over", async () => {
		await onConsent();
		const token = browser.cookies.get("svc_access_token");
		const page = await browser.submit(SWITCH);
		assert.match(page.body, /<h1>Sign in<\/h1>/);
		assert.ok(!browser.cookies.has("svc_access_token"));
		const headers = { authorization: `Bearer ${token}` };
		assert.equal((await app.inject({ method: "GET", url: "/api/v1/auth/me", headers })).statusCode, 401);
		const other = await browser.submit(SIGN_IN, { email: "eve@example.com", password });
		assert.match(other.body, /value="other"/);
		assert.doesNotMatch(other.body, /value="shop"/);
	});
});

describe("an app cannot make the page say something else", () => {
	test("the address of the answer is told by its host, and is no link", async () => {
		const hosts: Readonly<Record<string, string>> = {
			"https://stats.example.evil.example/stats.example": "<strong>stats.example.evil.example</strong>",
			"https://xn--fotfall-e6d.example/": "<strong>xn--fotfall-e6d.example</strong>",
			"http://127.0.0.1:8765/callback": "an app on this device (<strong>127.0.0.1:8765</strong>)",
			"http://localhost:8765/callback": "an app on this device (<strong>localhost:8765</strong>)",
			"com.example.notebook:/callback": "an app on this device (<strong>com.example.notebook:</strong>)",
		};
		for (const [redirectUri, shown] of Object.entries(hosts)) {
			asked = await askForAccess(app, { redirectUri });
			browser = pageClient(app.inject);
			const { body } = await onConsent();
			assert.ok(body.includes(`<dd>${shown}</dd>`), redirectUri);
			assert.ok(!body.includes(redirectUri), redirectUri);
		}
	});
});
