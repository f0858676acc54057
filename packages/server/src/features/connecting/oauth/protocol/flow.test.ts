import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AccountsApp, onBothEngines, type SignedIn } from "../../../../../test/support/accounts-app.ts";
import {
	appCallback,
	approvedCode,
	appTokens,
	askForAccess,
	exchangeCode,
	exchangeRefresh,
	type Fields,
	registerApp,
	requestIdIn,
} from "../../../../../test/support/app-token.ts";
import { auditTrail } from "../../../../../test/support/audit-trail.ts";

const root = "https://stats.example";
const MINUTE = 60_000;

onBothEngines("an app gets access", (open) => {
	let app: AccountsApp;
	let ann: SignedIn;
	let site: string;
	before(async () => {
		app = await open();
		ann = await app.user("Ann");
		site = await app.site(ann);
	});
	after(() => app.close());

	const exchange = (clientId: string, code: string, changes: Fields = {}) => exchangeCode(app, clientId, code, changes);
	const refresh = (clientId: string, token: string) => exchangeRefresh(app, clientId, token);
	const asApp = (token: string, path = `/sites/${site}`) =>
		app.call(`GET ${path}`, { headers: { authorization: `Bearer ${token}` } });
	const newCode = async (clientId: string) =>
		approvedCode(app, requestIdIn(await askForAccess(app, clientId)), { headers: ann.headers, site });
	const revocations = async () =>
		(await auditTrail(app, "oauth_grant.revoked")).map(({ user, details }) => [
			user,
			(details as { reason: string }).reason,
		]);

	test("registration answers what was registered; unknown fields are ignored", async () => {
		const response = await app.call("POST /oauth/register", {
			body: { redirect_uris: [appCallback, "com.example.app:/cb"], logo_uri: "https://x", software_id: 7 },
		});
		assert.equal(response.statusCode, 201);
		assert.equal(response.headers["cache-control"], "no-store");
		const { client_id: clientId, ...rest } = response.json();
		assert.match(clientId, /^[0-9a-f-]{36}$/);
		assert.deepEqual(rest, {
			client_id_issued_at: Date.parse("2026-11-21T12:00:00Z") / 1000,
			client_name: "MCP client",
			redirect_uris: [appCallback, "com.example.app:/cb"],
			token_endpoint_auth_method: "none",
			grant_types: ["authorization_code", "refresh_token"],
			response_types: ["code"],
		});
	});

	test("from the request of the app over the user's approval to tokens, with literal answers", async () => {
		const clientId = await registerApp(app);
		const asked = await askForAccess(app, clientId, { state: "a b&c" });
		assert.equal(asked.statusCode, 302);
		assert.equal(asked.headers["cache-control"], "no-store");
		const requestId = requestIdIn(asked);
		assert.equal(asked.headers.location, `${root}/oauth/consent?request_id=${requestId}`);
		const decided = await app.call(`POST /oauth/consent/${requestId}/decision`, {
			as: ann,
			body: { decision: "approve", site_id: site },
		});
		assert.equal(decided.statusCode, 200);
		assert.equal(decided.headers["cache-control"], "no-store");
		const back = new URL(decided.json().data.redirect_to);
		const code = back.searchParams.get("code") ?? "";
		assert.match(code, /^oac_[A-Za-z0-9_-]{43}$/);
		assert.equal(back.href, `${appCallback}?${new URLSearchParams({ code, state: "a b&c", iss: root })}`);
		const answered = await exchange(clientId, code);
		assert.equal(answered.statusCode, 200);
		assert.equal(answered.headers["cache-control"], "no-store");
		const { access_token: access, refresh_token: next, ...rest } = answered.json();
		assert.deepEqual(rest, { token_type: "Bearer", expires_in: 3600, scope: "analytics:read offline_access" });
		assert.match(access, /^oat_[A-Za-z0-9_-]{43}$/);
		assert.match(next, /^ort_[A-Za-z0-9_-]{43}$/);
		assert.equal((await asApp(access)).json().data.id, site);
	});

	test("an approval is in the audit log under the user, with the app and the site", async () => {
		const clientId = await registerApp(app, { client_name: "Sheets" });
		await appTokens(app, { headers: ann.headers, site, clientId });
		const entry = (await auditTrail(app, "oauth_grant.approved")).at(-1);
		assert.equal(entry?.user, ann.id);
		assert.deepEqual(entry?.details, {
			client_id: clientId,
			client_name: "Sheets",
			scopes: "analytics:read offline_access",
		});
	});

	test("a denied request goes back with access_denied, state and issuer, and leaves no connection", async () => {
		const clientId = await registerApp(app);
		const requestId = requestIdIn(await askForAccess(app, clientId));
		const decision = { as: ann, body: { decision: "deny" } };
		const decided = await app.call(`POST /oauth/consent/${requestId}/decision`, decision);
		const back = new URL(decided.json().data.redirect_to);
		assert.deepEqual(Object.fromEntries(back.searchParams), {
			error: "access_denied",
			error_description: "The user denied the request",
			state: "af0ifjsldkj",
			iss: root,
		});
		const { data } = (await app.call("GET /oauth/connections", { as: ann })).json();
		assert.ok(!data.some((grant: { client_id: string }) => grant.client_id === clientId));
	});

	test("without offline_access there is no refresh token; the scope is what reads, whatever is left out", async () => {
		const clientId = await registerApp(app);
		for (const scope of ["", "analytics:read"]) {
			const code = await approvedCode(app, requestIdIn(await askForAccess(app, clientId, { scope })), {
				headers: ann.headers,
				site,
			});
			const { access_token: _, ...rest } = (await exchange(clientId, code)).json();
			assert.deepEqual(rest, { token_type: "Bearer", expires_in: 3600, scope: "analytics:read" });
		}
		const offline = await appTokens(app, { headers: ann.headers, site, clientId, scope: "offline_access" });
		assert.equal((await asApp(offline.accessToken)).statusCode, 200);
		assert.notEqual(offline.refreshToken, "");
	});

	test("a code that fails a check stays good for the app that it was made for; used again it ends the grant", async () => {
		const clientId = await registerApp(app);
		const stranger = await registerApp(app);
		const code = await newCode(clientId);
		const faults = [
			exchange(stranger, code),
			exchange(clientId, code, { redirect_uri: `${appCallback}/` }),
			exchange(clientId, code, { code_verifier: "x".repeat(43) }),
			exchange(clientId, `${code}x`),
		];
		for (const answer of await Promise.all(faults)) {
			assert.deepEqual(
				[answer.statusCode, answer.json()],
				[400, { error: "invalid_grant", error_description: "The code is not valid for this request" }],
			);
		}
		const elsewhere = await exchange(clientId, code, { resource: `${root}/mcp` });
		assert.equal(elsewhere.json().error, "invalid_request");
		const { access_token: access } = (await exchange(clientId, code)).json();
		assert.equal((await asApp(access)).statusCode, 200);
		assert.equal((await exchange(clientId, code)).json().error, "invalid_grant");
		const refused = await asApp(access);
		assert.deepEqual([refused.statusCode, refused.json().error.code], [401, "token_invalid"]);
		assert.deepEqual((await revocations()).at(-1), [ann.id, "an authorization code was used again"]);
	});

	test("a code is over after five minutes, to the millisecond", async () => {
		const clientId = await registerApp(app);
		const [early, late] = [await newCode(clientId), await newCode(clientId)];
		app.clock.advance(5 * MINUTE - 1);
		assert.equal((await exchange(clientId, early)).statusCode, 200);
		app.clock.advance(1);
		assert.equal((await exchange(clientId, late)).json().error, "invalid_grant");
		ann = await app.signIn(ann.email);
	});

	test("a refresh gives a new pair; the old refresh token ends the grant when it comes again", async () => {
		const { clientId, refreshToken } = await appTokens(app, { headers: ann.headers, site });
		const { access_token: access, refresh_token: second } = (await refresh(clientId, refreshToken)).json();
		assert.notEqual(second, refreshToken);
		assert.equal((await asApp(access)).statusCode, 200);
		app.clock.advance(10_001);
		assert.equal((await refresh(clientId, refreshToken)).json().error, "invalid_grant");
		assert.equal((await asApp(access)).statusCode, 401);
		assert.equal((await refresh(clientId, second)).json().error, "invalid_grant");
		assert.deepEqual((await revocations()).at(-1), [ann.id, "a refresh token was used again"]);
	});

	test("an access token is over after an hour, a refresh token thirty days after the last refresh", async () => {
		const { clientId, accessToken, refreshToken } = await appTokens(app, { headers: ann.headers, site });
		app.clock.advance(60 * MINUTE - 1);
		assert.equal((await asApp(accessToken)).statusCode, 200);
		app.clock.advance(1);
		const expired = await asApp(accessToken);
		assert.deepEqual(
			[expired.statusCode, expired.json().error.code, expired.json().error.message],
			[401, "token_expired", "Token has expired"],
		);
		const { refresh_token: second } = (await refresh(clientId, refreshToken)).json();
		app.clock.advance(30 * 24 * 60 * MINUTE - 1);
		const { refresh_token: third } = (await refresh(clientId, second)).json();
		app.clock.advance(30 * 24 * 60 * MINUTE);
		assert.equal((await refresh(clientId, third)).json().error, "invalid_grant");
		ann = await app.signIn(ann.email);
	});
});
