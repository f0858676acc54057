import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Tables } from "../../../../../migrations/metadata/tables/index.ts";
import { signInAgain } from "../../../../../test/support/accounts.ts";
import { apiCall } from "../../../../../test/support/accounts-app.ts";
import { registerApp } from "../../../../../test/support/app-token.ts";
import { mailbox } from "../../../../../test/support/mailbox.ts";
import {
	approved,
	decide,
	type OAuthScene,
	oauthScene,
	pendingRequest,
	redirectUri,
} from "../../../../../test/support/oauth-flow.ts";
import { password } from "../../../../../test/support/test-users.ts";

const docs = "https://stats.example/docs#/Connections";
const reset = "https://stats.example/reset-password";

let scene: OAuthScene;
let call: ReturnType<typeof apiCall>;
before(async () => {
	scene = await oauthScene({ env: { REGISTRATION: "open" } });
	call = apiCall(scene.app);
});
after(() => scene.app.close());

const refusal = (response: { statusCode: number; json(): { error: unknown } }) => [
	response.statusCode,
	response.json().error,
];

test("whoever signs up for an app may decide on its request and nothing else, until the address is confirmed", async () => {
	const requestId = await pendingRequest(scene);
	const other = await pendingRequest(scene);
	const email = "new@example.com";
	const newcomer = { email, name: "New", password, accept_terms: true, site_name: "Bakery", domain: "bakery.example" };
	const signedUp = await call("POST /oauth/onboarding", { body: { ...newcomer, request_id: requestId } });
	const { user_id: userId, access_token: token, message, ...rest } = signedUp.json().data;
	assert.ok(Number.isInteger(userId) && userId > 0);
	const facts = { email, name: "New", token_type: "bearer", expires_in: 0, session_created: true, email_sent: true };
	assert.deepEqual(rest, { ...facts, requires_email_verification: true, requires_subscription: false });
	assert.equal(message, "You are signed in for this request. Confirm your address with the link in the email");
	assert.equal(token, "");
	const cookies = Object.fromEntries(signedUp.cookies.map(({ name, value }) => [name, value]));
	assert.deepEqual(Object.keys(cookies).sort(), ["svc_access_token", "svc_csrf_token", "svc_refresh_token"]);
	const headers = { "x-csrf-token": cookies.svc_csrf_token ?? "" };
	const unconfirmed = { code: "email_not_verified", message: "Email address is not verified" };
	for (const route of ["GET /sites", "GET /users/me", "GET /oauth/connections", "GET /sites/bakery", "POST /sites"]) {
		const response = await call(route, { cookies, headers, ...(route.startsWith("POST") && { body: {} }) });
		assert.deepEqual(refusal(response), [403, unconfirmed], route);
	}
	const refreshed = await call("POST /auth/refresh", { cookies });
	const again = { authorization: `Bearer ${refreshed.json().data.access_token}` };
	assert.deepEqual(refusal(await call("GET /sites", { headers: again })), [403, unconfirmed]);
	const foreign = (await call(`GET /oauth/consent/${other}`, { cookies })).json().data;
	assert.deepEqual([foreign.user, foreign.sites], [null, []]);
	const choice = { decision: "approve", site_id: "bakery" };
	const wrong = await call(`POST /oauth/consent/${other}/decision`, { cookies, headers, body: choice });
	assert.deepEqual(refusal(wrong), [403, unconfirmed]);
	const own = (await call(`GET /oauth/consent/${requestId}`, { cookies })).json().data;
	assert.deepEqual([own.user, own.sites], [{ id: userId, email }, [{ id: "bakery", name: "Bakery" }]]);
	const decided = await call(`POST /oauth/consent/${requestId}/decision`, { cookies, headers, body: choice });
	assert.ok(decided.json().data.redirect_to.startsWith(`${redirectUri}?code=oac_`), decided.body);
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
	const requestId = await pendingRequest(scene);
	const email = scene.owner.email;
	const body = { email, name: "X", password: `${password}x`, accept_terms: true, request_id: requestId };
	const response = await call("POST /oauth/onboarding", { body: { ...body, site_name: "Stolen" } });
	const { user_id: userId, session_created: hasSession, access_token: token } = response.json().data;
	assert.deepEqual([response.statusCode, userId, hasSession, token], [200, 0, false, ""]);
	assert.deepEqual(response.cookies, []);
	await signInAgain(scene.app, scene.owner);
	const { data } = (await call("GET /sites", scene.owner)).json();
	assert.ok(!data.sites.some(({ name }: { name: string }) => name === "Stolen"));
});

test("signing up needs an open request, accepted terms, a good password and a good domain; else nobody is made", async () => {
	const requestId = await pendingRequest(scene);
	const body = { email: "never@example.com", name: "N", password, accept_terms: true, request_id: requestId };
	const answers: readonly [object, number, string][] = [
		[{ request_id: "unknown" }, 404, "not_found"],
		[{ accept_terms: false }, 400, "bad_request"],
		[{ password: "short" }, 422, "validation_error"],
		[{ password: "password1234" }, 422, "validation_error"],
		[{ email: "nobody" }, 422, "validation_error"],
		[{ site_name: "S", domain: "not a domain" }, 400, "invalid_domain"],
	];
	for (const [change, status, code] of answers) {
		const response = await call("POST /oauth/onboarding", { body: { ...body, ...change } });
		assert.deepEqual([response.statusCode, response.json().error.code], [status, code], JSON.stringify(change));
	}
	const users = scene.app.metadata.withTables<Tables>().selectFrom("users").selectAll();
	assert.deepEqual(await users.where("email", "=", body.email).execute(), []);
});

const approvals = async (address: string) =>
	(await mailbox(scene.app).to(address)).filter(({ subject }) => subject === "An app has access to your site");

test("an approval is told to its user: app, where its answer goes, site and moment, and how to end it", async () => {
	const clientId = await registerApp(scene.app, { client_name: "Sheets <b>" });
	await approved(scene, { client_id: clientId });
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
	await approved(scene, { scope: "analytics:read" });
	const mails = await approvals(scene.owner.email);
	assert.match(mails.at(-1)?.text ?? "", /\n\nIt has access for an hour\.\n\n/);
	const id = await pendingRequest(scene);
	assert.equal((await decide(scene, id, { body: { decision: "deny" } })).statusCode, 200);
	assert.equal((await decide(scene, id)).statusCode, 404);
	assert.equal((await approvals(scene.owner.email)).length, mails.length);
});

test("to an address that nobody has confirmed, nothing is sent that the app or a stranger wrote", async () => {
	const clientId = await registerApp(scene.app, { client_name: "Win at evil.example" });
	const requestId = await pendingRequest(scene, { client_id: clientId });
	const email = "win@example.com";
	const newcomer = { email, name: "Win at evil.example", password, accept_terms: true, request_id: requestId };
	const signedUp = await call("POST /oauth/onboarding", { body: { ...newcomer, site_name: "evil.example" } });
	const cookies = Object.fromEntries(signedUp.cookies.map(({ name, value }) => [name, value]));
	const decided = await call(`POST /oauth/consent/${requestId}/decision`, {
		cookies,
		headers: { "x-csrf-token": cookies.svc_csrf_token ?? "" },
		body: { decision: "approve", site_id: "evil-example" },
	});
	assert.equal(decided.statusCode, 200, decided.body);
	const [mail, ...others] = await approvals(email);
	assert.equal(others.length, 0);
	assert.deepEqual(mail?.links, ["https://stats.example", docs, reset]);
	for (const { text, html } of await mailbox(scene.app).to(email)) assert.doesNotMatch(text + html, /evil/);
});
