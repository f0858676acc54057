import assert from "node:assert/strict";
import { test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { sql } from "kysely";
import type { Tables } from "../../../../../migrations/metadata/tables/index.ts";
import { signIn, signInAgain } from "../../../../../test/support/accounts.ts";
import { apiCall } from "../../../../../test/support/accounts-app.ts";
import { mailbox } from "../../../../../test/support/mailbox.ts";
import * as oauth from "../../../../../test/support/oauth-flow.ts";
import { askForAccess, registerApp } from "../../../../../test/support/oauth-flow.ts";
import { hiddenFields, pageClient } from "../../../../../test/support/page-client.ts";
import { testApp } from "../../../../../test/support/test-app.ts";
import { password } from "../../../../../test/support/test-users.ts";

const docs = "https://stats.example/docs#/Connections";
const reset = "https://stats.example/reset-password";

const scene = oauth.sharedScene({ env: { REGISTRATION: "open" } });
const call = apiCall({ inject: (request) => scene.app.inject(request) });

/** Signs up for the app that asks; the answer, and the session that it opens. */
async function signUp(requestId: string, person: object) {
	const body = { name: "New", password, accept_terms: true, request_id: requestId, ...person };
	const answer = await call("POST /oauth/onboarding", { body });
	const cookies = Object.fromEntries(answer.cookies.map(({ name, value }) => [name, value]));
	return { answer, session: { cookies, headers: { "x-csrf-token": cookies.svc_csrf_token ?? "" } } };
}

const refusal = (response: LightMyRequestResponse) => [response.statusCode, response.json().error];

test("a user who signs up for an app may decide on its request and nothing else, until the address is confirmed", async () => {
	const requestId = await oauth.pendingRequest(scene);
	const other = await oauth.pendingRequest(scene);
	const email = "new@example.com";
	const { answer, session } = await signUp(requestId, { email, site_name: "Bakery", domain: "bakery.example" });
	const { user_id: userId, ...rest } = answer.json().data;
	assert.ok(Number.isInteger(userId) && userId > 0);
	const signedIn = { email, name: "New", access_token: "", token_type: "bearer", expires_in: 0, session_created: true };
	const message = "You are signed in for this request. Confirm your address with the link in the email";
	const next = { message, email_sent: true, requires_email_verification: true, requires_subscription: false };
	assert.deepEqual(rest, { ...signedIn, ...next });
	const { cookies } = session;
	assert.deepEqual(Object.keys(cookies).sort(), ["svc_access_token", "svc_csrf_token", "svc_refresh_token"]);
	const unconfirmed = { code: "email_not_verified", message: "Email address is not verified" };
	for (const route of ["GET /sites", "GET /users/me", "GET /oauth/connections", "GET /sites/bakery", "POST /sites"]) {
		const response = await call(route, { ...session, ...(route.startsWith("POST") && { body: {} }) });
		assert.deepEqual(refusal(response), [403, unconfirmed], route);
	}
	const refreshed = await call("POST /auth/refresh", { cookies });
	const again = { authorization: `Bearer ${refreshed.json().data.access_token}` };
	assert.deepEqual(refusal(await call("GET /sites", { headers: again })), [403, unconfirmed]);
	const foreign = (await call(`GET /oauth/consent/${other}`, { cookies })).json().data;
	assert.deepEqual([foreign.user, foreign.sites], [null, []]);
	const choice = { decision: "approve", site_id: "bakery" };
	const wrong = await call(`POST /oauth/consent/${other}/decision`, { ...session, body: choice });
	assert.deepEqual(refusal(wrong), [403, unconfirmed]);
	const own = (await call(`GET /oauth/consent/${requestId}`, { cookies })).json().data;
	assert.deepEqual([own.user, own.sites], [{ id: userId, email }, [{ id: "bakery", name: "Bakery" }]]);
	const decided = await call(`POST /oauth/consent/${requestId}/decision`, { ...session, body: choice });
	assert.ok(decided.json().data.redirect_to.startsWith(`${oauth.redirectUri}?code=oac_`), decided.body);
	const [mail] = await mailbox(scene.app).to(email);
	const [, mailed] = /token=([\w-]+)/.exec(mail?.text ?? "") ?? [];
	const verified = await call("POST /email/verify", { body: { token: mailed } });
	const anew = { authorization: `Bearer ${verified.json().data.access_token}` };
	const [confirmed] = (await call("GET /sites", { headers: anew })).json().data.sites;
	assert.deepEqual([confirmed.id, confirmed.domains], ["bakery", ["bakery.example"]]);
	// The person who signed up and the reader of the mails may be two.
	const before = await call("GET /sites", { cookies });
	assert.deepEqual(refusal(before), [401, { code: "unauthorized", message: "Session has been revoked" }]);
});

test("signing up with a known address answers a registration without a session, and changes nothing", async () => {
	const requestId = await oauth.pendingRequest(scene);
	const email = scene.owner.email;
	const { answer } = await signUp(requestId, { email, password: `${password}x`, site_name: "Stolen" });
	const { user_id: userId, session_created: hasSession, access_token: token } = answer.json().data;
	assert.deepEqual([answer.statusCode, userId, hasSession, token, answer.cookies], [200, 0, false, "", []]);
	await signInAgain(scene.app, scene.owner);
	const { data } = (await call("GET /sites", scene.owner)).json();
	assert.ok(!data.sites.some(({ name }: { name: string }) => name === "Stolen"));
});

test("signing up needs an open request, accepted terms, a good password and a good domain; else nobody is made", async () => {
	const requestId = await oauth.pendingRequest(scene);
	const email = "never@example.com";
	const answers: readonly [object, number, string][] = [
		[{ request_id: "unknown" }, 404, "not_found"],
		[{ accept_terms: false }, 400, "bad_request"],
		[{ password: "short" }, 422, "validation_error"],
		[{ password: "password1234" }, 422, "validation_error"],
		[{ email: "nobody" }, 422, "validation_error"],
		[{ site_name: "S", domain: "not a domain" }, 400, "invalid_domain"],
	];
	for (const [change, status, code] of answers) {
		const { answer } = await signUp(requestId, { email, ...change });
		assert.deepEqual([answer.statusCode, answer.json().error.code], [status, code], JSON.stringify(change));
	}
	const users = scene.app.metadata.withTables<Tables>().selectFrom("users").selectAll();
	assert.deepEqual(await users.where("email", "=", email).execute(), []);
});

const SIGN_UP = "/oauth/consent/sign-up";
const form = { name: "New Person", password, site_name: "My shop", accept_terms: "true" };

/** A browser in which the form of an app's new request is open. */
async function atForm(app = scene.app) {
	const asked = await askForAccess(app);
	const browser = pageClient(app.inject);
	await browser.open(`${SIGN_UP}?request_id=${asked.requestId}`);
	return { asked, browser };
}

test("the form that signs up leads to the question, with the site that was named, and from there back to this app alone", async () => {
	const { asked, browser } = await atForm();
	const { body } = await browser.submit(SIGN_UP, { ...form, email: "form@example.com", domain: "my-shop.example" });
	assert.match(body, /<h1>Allow access\?<\/h1>.*<dd><bdi>form@example\.com<\/bdi><\/dd>.*We sent you an email\./s);
	assert.ok(body.includes(`<label for="site-my-shop"><bdi>My shop</bdi> (my-shop)</label>`));
	const again = await browser.open(`${SIGN_UP}?request_id=${asked.requestId}`);
	assert.deepEqual([again.statusCode, again.headers.location], [303, asked.page], "who is signed in is led on");
	const other = await askForAccess(scene.app, { redirectUri: "https://other.example/callback" });
	assert.match((await browser.open(other.page)).body, /<h1>Sign in<\/h1>/);
	const action = "/oauth/consent/decision";
	const allow = { decision: "approve", site_id: "my-shop" };
	const fields = { ...hiddenFields((await browser.open(asked.page)).body, action), ...allow };
	assert.equal((await browser.post(action, { ...fields, request_id: other.requestId })).statusCode, 401);
	const answer = await browser.post(action, fields);
	assert.match(String(answer.headers.refresh), /^0; url=https:\/\/notebook\.example\/callback\?code=/);
});

test("an address that is registered opens no session by the form, whose faults do not tell it; its owner gets a mail", async () => {
	const { asked, browser } = await atForm();
	const { email } = await signIn(scene.app, { email: "registered@example.com" });
	const bodies = new Set<string>();
	for (const one of [email, "another@example.com"]) {
		const faulty = await browser.submit(SIGN_UP, { ...form, email: one, domain: "no host" });
		assert.equal(faulty.statusCode, 422);
		bodies.add(faulty.body.replaceAll(one, ""));
	}
	assert.equal(bodies.size, 1);
	const { statusCode, body } = await browser.submit(SIGN_UP, { ...form, email });
	assert.equal(statusCode, 200);
	assert.match(body, /<h1>Check your email<\/h1>/);
	assert.equal((await mailbox(scene.app).to(email)).length, 1);
	assert.match((await browser.open(asked.page)).body, /<h1>Sign in<\/h1>/);
});

test("an error stands at its field, with everything typed but the password", async () => {
	const { browser } = await atForm();
	const own = { email: "newperson@example.com", password: "i am newperson too" };
	const faults: readonly (readonly [field: string, value: string, sentence: string, own?: object])[] = [
		["name", "", "The name is required."],
		["email", "nonsense", "The email address must be an email address."],
		["password", "short", "The password must have at least 12 characters."],
		["password", "passwordpassword", "The password is too common or was leaked elsewhere."],
		["password", "", "The password must not", own],
		["site_name", "", "The site&#39;s name is required."],
		["site_name", "x".repeat(256), "The site&#39;s name must have at most 255 characters."],
		["domain", "not a domain", "The domain must be a host name, such as shop.example."],
		["accept_terms", "", "The terms must be accepted."],
	];
	const mails = (await mailbox(scene.app).all()).length;
	for (const [field, value, sentence, more] of faults) {
		const typed = { ...form, email: "faulty@example.com", [field]: value, ...more };
		const { statusCode, body } = await browser.submit(SIGN_UP, typed);
		assert.equal(statusCode, 422, sentence);
		assert.match(body, new RegExp(`<p class="fault" id="${field}-fault">${sentence.replaceAll(".", "\\.")}`));
		assert.match(body, new RegExp(`name="${field}"[^>]*aria-invalid="true"`), sentence);
		assert.ok(body.includes('value="New Person"') || field === "name", sentence);
		assert.ok(!body.includes("battery") && !body.includes("i am newperson"), sentence);
	}
	assert.equal((await mailbox(scene.app).all()).length, mails);
});

test("signing up by the form counts with signing up at the API: three an hour, and forms with faults do not count", async () => {
	await using limited = await testApp({ env: { RATE_LIMIT_ENABLED: "true", REGISTRATION: "open" } });
	const { browser } = await atForm(limited);
	const email = "limited@example.com";
	for (let tries = 0; tries < 4; tries++) {
		assert.equal((await browser.submit(SIGN_UP, { ...form, email, password: "short" })).statusCode, 422);
	}
	const headers = { "x-forwarded-for": "203.0.113.7" };
	for (const one of ["a@example.com", "b@example.com", "c@example.com"]) {
		const body = { email: one, name: "Bot", password, accept_terms: true };
		assert.equal((await apiCall(limited)("POST /auth/register", { headers, body })).statusCode, 200);
	}
	const refused = await browser.submit(SIGN_UP, { ...form, email });
	assert.deepEqual([refused.statusCode, refused.headers["retry-after"]], [429, "3600"]);
	assert.match(refused.body, /<p>Too many requests\. Try again in 3600 seconds\.<\/p>/);
	assert.equal((await mailbox(limited).to(email)).length, 0);
});

const approvals = async (address: string) =>
	(await mailbox(scene.app).to(address)).filter(({ subject }) => subject === "An app has access to your site");

test("an approval is told to its user: app, where its answer goes, site and moment, and how to end it", async () => {
	const clientId = await registerApp(scene.app, { client_name: "Sheets <b>" });
	await oauth.codeOf(scene, { client_id: clientId });
	const [mail, ...others] = await approvals(scene.owner.email);
	assert.equal(others.length, 0);
	assert.deepEqual(mail?.text.split("\n\n"), [
		"You allowed the app “Sheets <b>” to read the site “Shop” (shop) of your account with Footfall at https://stats.example.",
		"The app chose its own name. Access was sent to: app.example",
		"Allowed on: 21 November 2026 at 12:00 UTC",
		"It has access until you disconnect it, or until it is unused for 30 days.",
		`Manage connections:\n${docs}`,
		"If this wasn't you, choose a new password: this ends all sessions and the access of all apps.",
		`Choose a new password:\n${reset}\n`,
	]);
	assert.match(mail?.html ?? "", /“Sheets &lt;b&gt;”/);
	assert.ok(mail?.html.includes(`<a href="${docs}"`) && mail.html.includes(`<a href="${reset}"`));
});

test("it says when the access ends by itself; a refusal, and a decision that came too late, send nothing", async () => {
	await oauth.codeOf(scene, { scope: "analytics:read" });
	const mails = await approvals(scene.owner.email);
	assert.match(mails.at(-1)?.text ?? "", /\n\nIt has access for an hour\.\n\n/);
	const id = await oauth.pendingRequest(scene);
	assert.equal((await oauth.decide(scene, id, { body: { decision: "deny" } })).statusCode, 200);
	assert.equal((await oauth.decide(scene, id)).statusCode, 404);
	assert.equal((await approvals(scene.owner.email)).length, mails.length);
});

test("an approval whose session ends behind its guard is refused as a whole, and can be given again", async () => {
	const { metadata } = scene.app;
	const connections = async () => (await call("GET /oauth/connections", { headers: scene.owner.headers })).json().data;
	const [requestId, before] = [await oauth.pendingRequest(scene), await connections()];
	// Stands for a reset of the password that is faster than the decision.
	await sql`create trigger faster_reset after update of decided_at on oauth_requests
		begin update sessions set revoked_at = 1 where user_id = ${sql.lit(scene.owner.userId)}; end`.execute(metadata);
	const refused = await oauth.decide(scene, requestId);
	await sql`drop trigger faster_reset`.execute(metadata);
	assert.deepEqual(refusal(refused), [401, { code: "unauthorized", message: "Session has been revoked" }]);
	assert.deepEqual(await connections(), before);
	assert.equal((await oauth.decide(scene, requestId)).statusCode, 200);
});

test("to an address that nobody has confirmed, nothing is sent that the app or a stranger wrote", async () => {
	const clientId = await registerApp(scene.app, { client_name: "Win at evil.example" });
	const requestId = await oauth.pendingRequest(scene, { client_id: clientId });
	const email = "win@example.com";
	const { session } = await signUp(requestId, { email, name: "Win at evil.example", site_name: "evil.example" });
	const body = { decision: "approve", site_id: "evil-example" };
	const decided = await call(`POST /oauth/consent/${requestId}/decision`, { ...session, body });
	assert.equal(decided.statusCode, 200, decided.body);
	const [mail, ...others] = await approvals(email);
	assert.equal(others.length, 0);
	assert.deepEqual(mail?.links, ["https://stats.example", docs, reset]);
	for (const { text, html } of await mailbox(scene.app).to(email)) assert.doesNotMatch(text + html, /evil/);
});
