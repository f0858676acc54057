import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Tables } from "../../../../../migrations/metadata/tables/index.ts";
import { type AccountsApp, onBothEngines, password, type SignedIn } from "../../../../../test/support/accounts-app.ts";
import {
	appCallback,
	appTokens,
	askForAccess,
	registerApp,
	requestIdIn,
} from "../../../../../test/support/app-token.ts";
import { auditTrail } from "../../../../../test/support/audit-trail.ts";
import { mailbox } from "../../../../../test/support/mailbox.ts";

const root = "https://stats.example";
const MINUTE = 60_000;
const gone = { code: "not_found", message: "The request is not open any more" };

onBothEngines("the decision about an app", (open) => {
	let app: AccountsApp;
	let ann: SignedIn;
	let site: string;
	before(async () => {
		app = await open();
		ann = await app.user("Ann");
		site = await app.site(ann);
	});
	after(() => app.close());

	const waiting = async (changes: Readonly<Record<string, string>> = {}, fields: object = {}) =>
		requestIdIn(await askForAccess(app, await registerApp(app, fields), changes));
	const look = (requestId: string, as?: SignedIn) =>
		app.call(`GET /oauth/consent/${requestId}`, as === undefined ? {} : { as });
	const decide = (requestId: string, body: object, as = ann) =>
		app.call(`POST /oauth/consent/${requestId}/decision`, { as, body });
	const approval = { decision: "approve", site_id: "shop" };
	const refusal = (response: { statusCode: number; json(): { error: unknown } }) => [
		response.statusCode,
		response.json().error,
	];

	test("whoever has the id of a request reads what the app asks for; a signed-in user also what to choose from", async () => {
		const clientId = await registerApp(app, { client_name: "Reader <b>", redirect_uris: ["cursor://oauth/cb"] });
		const changes = { redirect_uri: "cursor://oauth/cb", resource: `${root}/mcp`, scope: "analytics:read" };
		const requestId = requestIdIn(await askForAccess(app, clientId, changes));
		const told = {
			request_id: requestId,
			client: { client_id: clientId, client_name: "Reader <b>", redirect_host: "cursor:" },
			scopes: ["analytics:read"],
			resource: `${root}/mcp`,
			expires_at: new Date(app.clock.now() + 30 * MINUTE).toISOString(),
		};
		assert.deepEqual((await look(requestId)).json().data, { ...told, user: null, sites: [] });
		assert.deepEqual((await look(requestId, ann)).json().data, {
			...told,
			user: { id: ann.id, email: "ann@example.com" },
			sites: [{ id: site, name: "Shop" }],
		});
	});

	test("a request that is unknown, decided or half an hour old is not found", async () => {
		assert.deepEqual(refusal(await look("unknown", ann)), [404, gone]);
		assert.deepEqual(refusal(await decide("unknown", approval)), [404, gone]);
		const [denied, approved, late] = [await waiting(), await waiting(), await waiting()];
		assert.equal((await decide(denied, { decision: "deny" })).statusCode, 200);
		assert.equal((await decide(approved, approval)).statusCode, 200);
		for (const requestId of [denied, approved]) {
			assert.deepEqual(refusal(await look(requestId, ann)), [404, gone]);
			assert.deepEqual(refusal(await decide(requestId, approval)), [404, gone]);
		}
		app.clock.advance(30 * MINUTE - 1);
		ann = await app.signIn(ann.email);
		assert.equal((await look(late, ann)).statusCode, 200);
		app.clock.advance(1);
		assert.deepEqual(refusal(await look(late, ann)), [404, gone]);
		assert.deepEqual(refusal(await decide(late, approval)), [404, gone]);
	});

	test("of ten approvals at once one wins, and one grant is made", async () => {
		const requestId = await waiting();
		const before = (await auditTrail(app, "oauth_grant.approved")).length;
		const answers = await Promise.all(Array.from({ length: 10 }, () => decide(requestId, approval)));
		assert.deepEqual(answers.map(({ statusCode }) => statusCode).sort(), [200, ...Array(9).fill(404)]);
		assert.equal((await auditTrail(app, "oauth_grant.approved")).length, before + 1);
	});

	test("a site that does not exist or is out of reach is refused, none is a fault; the request stays open", async () => {
		const bob = await app.user("Bob");
		const far = await app.site(bob, { name: "Far" });
		const requestId = await waiting();
		for (const siteId of [far, "no-such-site", "Not A Slug"]) {
			const refused = await decide(requestId, { decision: "approve", site_id: siteId });
			assert.deepEqual(refusal(refused), [403, { code: "forbidden", message: `Access denied to account: ${siteId}` }]);
		}
		const none = await decide(requestId, { decision: "approve" });
		assert.equal(none.statusCode, 422);
		assert.deepEqual(none.json().error.detail, [{ field: "body.site_id", message: "is required", type: "missing" }]);
		const unknown = await decide(requestId, { decision: "perhaps" });
		assert.equal(unknown.json().error.detail[0].field, "body.decision");
		assert.equal((await decide(requestId, approval)).statusCode, 200);
	});

	test("a session in a cookie decides with its CSRF token only", async () => {
		const requestId = await waiting();
		const { cookies } = await app.signIn(ann.email);
		const url = `POST /oauth/consent/${requestId}/decision`;
		const forged = await app.call(url, { cookies, body: approval });
		assert.deepEqual([forged.statusCode, forged.json().error.code], [403, "csrf_failed"]);
		const headers = { "x-csrf-token": cookies.svc_csrf_token ?? "" };
		assert.equal((await app.call(url, { cookies, headers, body: approval })).statusCode, 200);
	});

	test("neither nobody, nor a key, nor an app decides, nor a superadmin who acts as the user", async () => {
		const requestId = await waiting();
		const url = `POST /oauth/consent/${requestId}/decision`;
		assert.equal((await app.call(url, { body: approval })).statusCode, 401);
		const { data: key } = (await app.call("POST /api-tokens", { as: ann, body: { name: "k" } })).json();
		const byKey = await app.call(url, { headers: { "x-api-key": key.token }, body: approval });
		assert.deepEqual(refusal(byKey), [403, { code: "forbidden", message: "Required scope: write" }]);
		const { accessToken } = await appTokens(app, { headers: ann.headers, site });
		const byApp = await app.call(url, { headers: { authorization: `Bearer ${accessToken}` }, body: approval });
		assert.deepEqual(refusal(byApp), [403, { code: "forbidden", message: "Required scope: write" }]);
		const root = await app.user("Root", "superadmin");
		const asked = { user_id: ann.id, reason: "To help" };
		const acting = (await app.call("POST /admin/impersonate-user", { as: root, body: asked })).json().data;
		const headers = { authorization: `Bearer ${acting.access_token}` };
		for (const route of [url, "GET /oauth/connections"]) {
			const { statusCode, body } = await app.call(route, { headers, ...(route === url && { body: approval }) });
			assert.deepEqual([statusCode, JSON.parse(body).error.message], [403, "Not allowed while impersonating"], route);
		}
		assert.equal((await look(requestId)).statusCode, 200);
	});

	test("a site whose list shuts this address cannot be chosen, and its list is kept for apps as for keys", async () => {
		const shut = await app.site(ann, { name: "Shut" });
		const tokens = await appTokens(app, { headers: ann.headers, site: shut });
		const account = `account_id=${shut}`;
		await app.call(`POST /ip-allowlist/patterns?${account}`, { as: ann, body: { pattern: "127.0.0.1" } });
		const settings = { is_enabled: true, enforce_for_dashboard: true, enforce_for_api_tokens: true };
		const set = await app.call(`PUT /ip-allowlist/settings?${account}`, { as: ann, body: settings });
		assert.equal(set.statusCode, 200, set.body);
		const requestId = await waiting();
		const from = (remoteAddress: string, method: "GET" | "POST", url: string, token: string, payload?: object) =>
			app.inject({
				method,
				url: `/api/v1${url}`,
				remoteAddress,
				headers: { authorization: `Bearer ${token}` },
				...(payload !== undefined && { payload }),
			});
		const outside = "203.0.113.9";
		const seen = (await from(outside, "GET", `/oauth/consent/${requestId}`, ann.token)).json().data.sites;
		assert.ok(!seen.some(({ id }: { id: string }) => id === shut));
		const choice = { decision: "approve", site_id: shut };
		const decision = await from(outside, "POST", `/oauth/consent/${requestId}/decision`, ann.token, choice);
		const message = "Access from this IP address is not allowed";
		const detail = [{ field: "ip_address", message: outside, type: "ip_not_allowed" }];
		assert.deepEqual(refusal(decision), [403, { code: "forbidden", message, detail }]);
		const read = await from(outside, "GET", `/sites/${shut}`, tokens.accessToken);
		assert.deepEqual(refusal(read), [403, { code: "forbidden", message, detail }]);
		assert.equal((await from("127.0.0.1", "GET", `/sites/${shut}`, tokens.accessToken)).statusCode, 200);
		const { attempts } = (await app.call(`GET /ip-allowlist/audit?${account}`, { as: ann })).json().data;
		const byApp = attempts.filter((log: { auth_type: string }) => log.auth_type === "oauth");
		assert.deepEqual(
			byApp.map((log: { ip_address: string; access_granted: boolean }) => [log.ip_address, log.access_granted]).sort(),
			[
				["127.0.0.1", true],
				[outside, false],
			],
		);
	});

	test("a user lists and ends the own connections only; an ended one is not found again", async () => {
		const cleo = await app.user("Cleo");
		const mine = await appTokens(app, { headers: ann.headers, site });
		const { data } = (await app.call("GET /oauth/connections", { as: ann })).json();
		const { grant_id: grantId } = data.find((grant: { client_id: string }) => grant.client_id === mine.clientId);
		assert.deepEqual((await app.call("GET /oauth/connections", { as: cleo })).json().data, []);
		const url = `DELETE /oauth/connections/${grantId}`;
		const missing = { code: "not_found", message: "Connection not found" };
		assert.deepEqual(refusal(await app.call(url, { as: cleo })), [404, missing]);
		const asApp = () => app.call(`GET /sites/${site}`, { headers: { authorization: `Bearer ${mine.accessToken}` } });
		assert.equal((await asApp()).statusCode, 200);
		const ended = await app.call(`DELETE /oauth/connections/${grantId.toUpperCase()}`, { as: ann });
		assert.deepEqual(ended.json().data, { message: "The app can no longer read the site" });
		assert.equal((await asApp()).statusCode, 401);
		assert.deepEqual(refusal(await app.call(url, { as: ann })), [404, missing]);
		const left = (await app.call("GET /oauth/connections", { as: ann })).json().data;
		assert.ok(!left.some((grant: { grant_id: string }) => grant.grant_id === grantId));
		assert.equal((await app.call("DELETE /oauth/connections/7", { as: ann })).statusCode, 422);
		const entry = (await auditTrail(app, "oauth_grant.revoked")).at(-1);
		assert.deepEqual([entry?.user, entry?.resource], [ann.id, grantId]);
	});

	test("whoever signs up for an app may decide on its request and nothing else, until the address is confirmed", async () => {
		const requestId = await waiting();
		const other = await waiting();
		const email = "new@example.com";
		const newcomer = {
			email,
			name: "New",
			password,
			accept_terms: true,
			site_name: "Bakery",
			domain: "bakery.example",
		};
		const signedUp = await app.call("POST /oauth/onboarding", { body: { ...newcomer, request_id: requestId } });
		assert.equal(signedUp.statusCode, 200, signedUp.body);
		const { user_id: userId, ...rest } = signedUp.json().data;
		assert.ok(Number.isInteger(userId) && userId > 0);
		assert.deepEqual(rest, {
			email,
			name: "New",
			access_token: "",
			token_type: "bearer",
			expires_in: 0,
			requires_email_verification: true,
			requires_subscription: false,
			session_created: true,
			email_sent: true,
			message: "You are signed in for this request; the mail that is on its way confirms the address",
		});
		const cookies = Object.fromEntries(signedUp.cookies.map(({ name, value }) => [name, value]));
		assert.deepEqual(Object.keys(cookies).sort(), ["svc_access_token", "svc_csrf_token", "svc_refresh_token"]);
		const headers = { "x-csrf-token": cookies.svc_csrf_token ?? "" };
		const unconfirmed = { code: "email_not_verified", message: "E-mail address is not verified" };
		for (const route of ["GET /sites", "GET /users/me", "GET /oauth/connections", "GET /sites/bakery", "POST /sites"]) {
			const response = await app.call(route, { cookies, headers, ...(route.startsWith("POST") && { body: {} }) });
			assert.deepEqual(refusal(response), [403, unconfirmed], route);
		}
		const refreshed = await app.call("POST /auth/refresh", { cookies });
		assert.equal(refreshed.statusCode, 200);
		const again = { authorization: `Bearer ${refreshed.json().data.access_token}` };
		assert.deepEqual(refusal(await app.call("GET /sites", { headers: again })), [403, unconfirmed]);
		const foreign = (await app.call(`GET /oauth/consent/${other}`, { cookies })).json().data;
		assert.deepEqual([foreign.user, foreign.sites], [null, []]);
		const choice = { decision: "approve", site_id: "bakery" };
		const wrong = await app.call(`POST /oauth/consent/${other}/decision`, { cookies, headers, body: choice });
		assert.deepEqual(refusal(wrong), [403, unconfirmed]);
		const own = (await app.call(`GET /oauth/consent/${requestId}`, { cookies })).json().data;
		assert.deepEqual([own.user, own.sites], [{ id: userId, email }, [{ id: "bakery", name: "Bakery" }]]);
		const decided = await app.call(`POST /oauth/consent/${requestId}/decision`, { cookies, headers, body: choice });
		assert.ok(decided.json().data.redirect_to.startsWith(`${appCallback}?code=oac_`), decided.body);
		const [mail] = await mailbox(app).to(email);
		const [, token] = /token=([\w-]+)/.exec(mail?.text ?? "") ?? [];
		const verified = await app.call("POST /email/verify", { body: { token } });
		const anew = { authorization: `Bearer ${verified.json().data.access_token}` };
		const confirmed = await app.call("GET /sites", { headers: anew });
		assert.equal(confirmed.json().data.sites[0].id, "bakery");
		// Whoever signed up need not be who reads the mails.
		const before = await app.call("GET /sites", { cookies });
		assert.deepEqual(refusal(before), [401, { code: "unauthorized", message: "Session has been revoked" }]);
		assert.deepEqual(confirmed.json().data.sites[0].domains, ["bakery.example"]);
	});

	test("signing up with a known address answers a registration without a session, and changes nothing", async () => {
		const requestId = await waiting();
		const body = { email: ann.email, name: "X", password: `${password}x`, accept_terms: true, request_id: requestId };
		const response = await app.call("POST /oauth/onboarding", { body: { ...body, site_name: "Stolen" } });
		const { user_id: userId, session_created: hasSession, access_token: token } = response.json().data;
		assert.deepEqual([response.statusCode, userId, hasSession, token], [200, 0, false, ""]);
		assert.deepEqual(response.cookies, []);
		await app.signIn(ann.email);
		const { data } = (await app.call("GET /sites", { as: ann })).json();
		assert.ok(!data.sites.some(({ name }: { name: string }) => name === "Stolen"));
	});

	test("signing up needs an open request, accepted terms, a good password and a good domain; else nobody is made", async () => {
		const requestId = await waiting();
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
			const response = await app.call("POST /oauth/onboarding", { body: { ...body, ...change } });
			assert.deepEqual([response.statusCode, response.json().error.code], [status, code], JSON.stringify(change));
		}
		const made = await app.metadata
			.withTables<Tables>()
			.selectFrom("users")
			.select("email")
			.where("email", "=", "never@example.com")
			.execute();
		assert.deepEqual(made, []);
	});
});
