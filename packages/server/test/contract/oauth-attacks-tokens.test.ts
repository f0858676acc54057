import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { insertMember } from "../../src/features/tenancy/organizations/index.ts";
import { createSite, signIn, signInAgain } from "../support/accounts.ts";
import {
	ask,
	askMcp,
	authorize,
	codeOf,
	exchange,
	locationOf,
	type OAuthScene,
	oauthScene,
	postForm,
	refresh,
	refusal,
	registerClient,
	tokensFor,
	tokensIn,
} from "../support/oauth-flow.ts";

let scene: OAuthScene;
before(async () => {
	scene = await oauthScene();
});
after(() => scene.app.close());

test("a token of another app's refresh is refused, and stays good for its own", async () => {
	const tokens = await tokensFor(scene);
	const other = await registerClient(scene.app);
	assert.deepEqual(refusal(await refresh(scene, tokens.refresh_token, { client_id: other })), [400, "invalid_grant"]);
});

test("without offline_access there is no refresh token", async () => {
	const response = await exchange(scene, await codeOf(scene, { scope: "analytics:read" }));
	assert.deepEqual(Object.keys(response.json()).sort(), ["access_token", "expires_in", "scope", "token_type"]);
});

test("an access token is no refresh token, and a refresh token opens no route", async () => {
	const tokens = await tokensFor(scene);
	assert.deepEqual(refusal(await refresh(scene, tokens.access_token)), [400, "invalid_grant"]);
	const response = await ask(scene, tokens.refresh_token);
	assert.deepEqual([response.statusCode, response.json().error.code], [401, "token_invalid"]);
});

test("scopes cannot grow: not at the consent, not at the exchange, not at a refresh", async () => {
	for (const scope of ["analytics:write", "analytics:read admin", "read write", "stats:read", "*", "openid"]) {
		const url = locationOf(await authorize(scene, { scope }));
		assert.equal(url.searchParams.get("error"), "invalid_scope", scope);
	}
	const narrow = tokensIn(
		await exchange(scene, await codeOf(scene, { scope: "analytics:read" }), {
			scope: "analytics:read offline_access",
		}),
	);
	assert.equal(narrow.scope, "analytics:read");
	assert.equal(narrow.refresh_token, undefined);
	const tokens = await tokensFor(scene);
	const wider = await refresh(scene, tokens.refresh_token, { scope: "analytics:read analytics:write" });
	assert.deepEqual(refusal(wider), [400, "invalid_scope"]);
});

test("a token reads its own site and changes nothing", async () => {
	const { access_token: token } = await tokensFor(scene);
	const second = await createSite(scene.app, scene.owner, { name: "Second" });
	assert.equal((await ask(scene, token)).statusCode, 200);
	assert.equal((await ask(scene, token, `/stats/overview?site_id=${second}`)).statusCode, 403);
	const sites = (await ask(scene, token, "/sites")).json().data;
	assert.deepEqual(
		(Array.isArray(sites) ? sites : sites.sites).map(({ id }: { id: string }) => id),
		[scene.site],
	);
	assert.equal((await ask(scene, token, `/sites/${second}`)).statusCode, 403);
	for (const [method, url] of [
		["POST", "/sites"],
		["PATCH", `/sites/${scene.site}`],
		["DELETE", `/sites/${scene.site}`],
		["POST", `/stats/query?site_id=${scene.site}`],
		["POST", "/batch"],
		["GET", "/auth/sessions"],
		["DELETE", "/auth/sessions"],
		["GET", "/users/me"],
		["GET", "/api-tokens"],
		["POST", "/api-tokens"],
		["GET", "/oauth/connections"],
		["GET", "/organizations"],
		["POST", "/2fa/setup"],
	] as const) {
		const response = await scene.app.inject({
			method,
			url: `/api/v1${url}`,
			headers: { authorization: `Bearer ${token}` },
			...(method === "GET" || method === "DELETE" ? {} : { payload: { name: "x" } }),
		});
		assert.equal(response.statusCode, 403, `${method} ${url}: ${response.body}`);
	}
});

test("a token approves no other app", async () => {
	const { access_token: token } = await tokensFor(scene);
	const id = locationOf(await authorize(scene)).searchParams.get("request_id");
	const response = await scene.app.inject({
		method: "POST",
		url: `/api/v1/oauth/consent/${id}/decision`,
		headers: { authorization: `Bearer ${token}` },
		payload: { decision: "approve", site_id: scene.site },
	});
	assert.equal(response.statusCode, 403, response.body);
});

test("a token is read from the header only", async () => {
	const { access_token: token } = await tokensFor(scene);
	const url = `/api/v1/stats/overview?site_id=${scene.site}`;
	for (const request of [
		{ url: `${url}&access_token=${token}` },
		{ url, cookies: { svc_access_token: token } },
		{ url, headers: { "x-api-key": token } },
	]) {
		assert.equal((await scene.app.inject(request)).statusCode, 401);
	}
});

test("a revoked grant fails at its next request, at both of its audiences", async () => {
	const tokens = await tokensFor(scene);
	assert.equal((await ask(scene, tokens.access_token)).statusCode, 200);
	assert.equal((await askMcp(scene, tokens.access_token)).statusCode, 200);
	const hint = { token: tokens.refresh_token, token_type_hint: "access_token" };
	assert.equal((await postForm(scene.app, "revoke", hint)).statusCode, 200);
	assert.equal((await ask(scene, tokens.access_token)).statusCode, 401);
	assert.equal((await askMcp(scene, tokens.access_token)).statusCode, 401);
	assert.deepEqual(refusal(await refresh(scene, tokens.refresh_token)), [400, "invalid_grant"]);
});

test("a revoked access token takes nothing but itself with it", async () => {
	const tokens = await tokensFor(scene);
	assert.equal((await postForm(scene.app, "revoke", { token: tokens.access_token })).statusCode, 200);
	assert.equal((await ask(scene, tokens.access_token)).statusCode, 401);
	const next = tokensIn(await refresh(scene, tokens.refresh_token));
	assert.equal((await ask(scene, next.access_token)).statusCode, 200);
});

test("an app revokes no token of another one", async () => {
	const tokens = await tokensFor(scene);
	const other = await registerClient(scene.app);
	const foreign = { token: tokens.refresh_token, client_id: other };
	assert.equal((await postForm(scene.app, "revoke", foreign)).statusCode, 200);
	assert.equal((await ask(scene, tokens.access_token)).statusCode, 200);
});

test("a revocation says nothing about a token", async () => {
	const live = (await tokensFor(scene)).access_token;
	const answers = await Promise.all(
		[live, "unknown", "svc_".padEnd(64, "x"), "a.b.c", "x".repeat(5000)].map((token) =>
			postForm(scene.app, "revoke", { token }),
		),
	);
	assert.deepEqual([...new Set(answers.map(({ statusCode, body }) => `${statusCode} ${body}`))].length, 1);
});

test("a connection that its user ends fails at its next request; nobody else can end it", async () => {
	const tokens = await tokensFor(scene);
	const { data } = (await scene.app.inject({ url: "/api/v1/oauth/connections", headers: scene.owner.headers })).json();
	const grant = data[0].grant_id;
	const stranger = await signIn(scene.app, { email: "mallory@example.com" });
	const end = (headers: Readonly<Record<string, string>>) =>
		scene.app.inject({ method: "DELETE", url: `/api/v1/oauth/connections/${grant}`, headers });
	const theirs = await scene.app.inject({ url: "/api/v1/oauth/connections", headers: stranger.headers });
	assert.deepEqual(theirs.json().data, []);
	assert.equal((await end(stranger.headers)).statusCode, 404);
	assert.equal((await end({ authorization: `Bearer ${tokens.access_token}` })).statusCode, 403);
	for (const { grant_id: id } of data) {
		const response = await scene.app.inject({
			method: "DELETE",
			url: `/api/v1/oauth/connections/${id}`,
			headers: scene.owner.headers,
		});
		assert.equal(response.statusCode, 200, response.body);
	}
	assert.equal((await ask(scene, tokens.access_token)).statusCode, 401);
	assert.deepEqual(refusal(await refresh(scene, tokens.refresh_token)), [400, "invalid_grant"]);
});

test("an access token lives an hour, to the second", async () => {
	const tokens = await tokensFor(scene);
	assert.deepEqual([tokens.token_type, tokens.expires_in], ["Bearer", 3600]);
	scene.app.clock.advance(3_599_000);
	assert.equal((await ask(scene, tokens.access_token)).statusCode, 200);
	scene.app.clock.advance(1000);
	const late = await ask(scene, tokens.access_token);
	assert.deepEqual([late.statusCode, late.json().error.code], [401, "token_expired"]);
	assert.equal((await askMcp(scene, tokens.access_token)).statusCode, 401);
	scene = { ...scene, owner: await signInAgain(scene.app, scene.owner) };
});

test("a refresh token lives thirty days from its last use, to the second", async () => {
	const thirtyDays = 30 * 24 * 3600 * 1000;
	const first = await tokensFor(scene);
	scene.app.clock.advance(thirtyDays - 1000);
	const second = tokensIn(await refresh(scene, first.refresh_token));
	scene.app.clock.advance(thirtyDays - 1000);
	const third = tokensIn(await refresh(scene, second.refresh_token));
	scene.app.clock.advance(thirtyDays);
	assert.deepEqual(refusal(await refresh(scene, third.refresh_token)), [400, "invalid_grant"]);
	scene = { ...scene, owner: await signInAgain(scene.app, scene.owner) };
});

test("a site that the user loses is lost to the app at its next request, and for good", async () => {
	const bob = await signIn(scene.app, { email: "bob@example.com" });
	const users = `/api/v1/sites/${scene.site}/users`;
	const organization = await scene.app.inject({
		method: "POST",
		url: "/api/v1/organizations",
		headers: scene.owner.headers,
		payload: { name: "Acme" },
	});
	await insertMember(scene.app.metadata, {
		organizationId: organization.json().data.id,
		userId: bob.userId,
		role: "member",
		nowMs: scene.app.clock.now(),
	});
	const share = () =>
		scene.app.inject({ method: "POST", url: users, headers: scene.owner.headers, payload: { user_id: bob.userId } });
	const shared = await share();
	assert.equal(shared.statusCode, 201, shared.body);
	const bobs = { ...scene, owner: bob };
	const tokens = await tokensFor(bobs);
	const idle = await tokensFor(bobs);
	assert.equal((await ask(scene, tokens.access_token)).statusCode, 200);
	const removed = await scene.app.inject({
		method: "DELETE",
		url: `${users}/${bob.userId}`,
		headers: scene.owner.headers,
	});
	assert.equal(removed.statusCode, 200, removed.body);
	assert.ok([401, 403].includes((await ask(scene, tokens.access_token)).statusCode));
	assert.deepEqual(refusal(await refresh(scene, idle.refresh_token)), [400, "invalid_grant"]);
	assert.equal((await share()).statusCode, 201);
	assert.equal((await ask(scene, tokens.access_token)).statusCode, 401);
	assert.deepEqual(refusal(await refresh(scene, tokens.refresh_token)), [400, "invalid_grant"]);
});

test("of a user who is deactivated every app loses access at its next request", async () => {
	const scene = await oauthScene();
	try {
		const tokens = await tokensFor(scene);
		const admin = await signIn(scene.app, { email: "root@example.com", role: "superadmin" });
		const response = await scene.app.inject({
			method: "PATCH",
			url: `/api/v1/users/${scene.owner.userId}`,
			headers: admin.headers,
			payload: { is_active: false },
		});
		assert.equal(response.statusCode, 200, response.body);
		assert.equal((await ask(scene, tokens.access_token)).statusCode, 401);
		assert.deepEqual(refusal(await refresh(scene, tokens.refresh_token)), [400, "invalid_grant"]);
	} finally {
		await scene.app.close();
	}
});
