import assert from "node:assert/strict";
import { test } from "node:test";
import { issueOneTimeToken } from "../../src/features/people/one-time-tokens/index.ts";
import { organizationMembers } from "../../src/features/tenancy/organizations/index.ts";
import { createSite, signIn, signInAgain } from "../support/accounts.ts";
import { auditTrail } from "../support/audit-trail.ts";
import { mailbox } from "../support/mailbox.ts";
import * as oauth from "../support/oauth-flow.ts";
import { requestOf } from "../support/request-of.ts";
import { password } from "../support/test-users.ts";

const api = `${oauth.publicUrl}/api/v1`;
const mcp = `${oauth.publicUrl}/mcp`;
const DAY = 86_400_000;

const scene = oauth.sharedScene();

type Times = Readonly<Record<"created_at" | "last_used_at", string>>;
type Caller = { readonly headers: Readonly<Record<string, string>> };

const call = (route: string, { as = scene.owner, body }: { as?: Caller; body?: object } = {}) =>
	scene.app.inject(requestOf(route, { headers: as.headers, body }));
const statusOf = async (token: string) => (await oauth.ask(scene, token)).statusCode;
const connections = async (as: Caller) => (await call("GET /oauth/connections", { as })).json().data;
const lastRevocations = async (count = 1) =>
	(await auditTrail(scene.app, "oauth_grant.revoked")).slice(-count).map(({ user, details }) => [user, details.reason]);
/** Neither token of a pair is good for anything. */
async function assertEnded({ access_token: access, refresh_token: next }: oauth.Tokens) {
	assert.deepEqual([await statusOf(access), (await oauth.askMcp(scene, access)).statusCode], [401, 401]);
	assert.deepEqual(oauth.refusal(await oauth.refresh(scene, next)), [400, "invalid_grant"]);
}

test("a token opens only the audience that was asked for, and a refresh keeps it", async () => {
	const forMcp = await oauth.tokensFor(scene, { resource: mcp });
	const refreshed = oauth.tokensIn(await oauth.refresh(scene, forMcp.refresh_token));
	const [forApi, forBoth] = [await oauth.tokensFor(scene, { resource: api }), await oauth.tokensFor(scene)];
	for (const [{ access_token: token }, atApi, atMcp] of [
		[forMcp, 401, 200],
		[refreshed, 401, 200],
		[forApi, 200, 401],
		[forBoth, 200, 200],
	] as const) {
		assert.deepEqual([await statusOf(token), (await oauth.askMcp(scene, token)).statusCode], [atApi, atMcp]);
	}
	assert.equal((await oauth.ask(scene, forMcp.access_token)).json().error.code, "token_invalid");
	for (const resource of [api, "https://evil.example/mcp"]) {
		const code = await oauth.codeOf(scene, { resource: mcp });
		assert.equal((await oauth.exchange(scene, code, { resource })).statusCode, 400);
		assert.equal((await oauth.refresh(scene, refreshed.refresh_token, { resource })).statusCode, 400);
	}
});

test("scopes grow neither at the exchange nor at a refresh", async () => {
	const code = await oauth.codeOf(scene, { scope: "analytics:read" });
	const narrow = oauth.tokensIn(await oauth.exchange(scene, code, { scope: "analytics:read offline_access" }));
	assert.deepEqual([narrow.scope, narrow.refresh_token], ["analytics:read", undefined]);
	const { refresh_token: token } = await oauth.tokensFor(scene);
	const wider = await oauth.refresh(scene, token, { scope: "analytics:read analytics:write" });
	assert.deepEqual(oauth.refusal(wider), [400, "invalid_scope"]);
});

test("a refresh gives a new pair; an old token, even of two rotations ago, is refused for ten seconds and then ends the grant", async () => {
	for (const rotations of [1, 2]) {
		const first = await oauth.tokensFor(scene);
		let last = first;
		for (let i = 0; i < rotations; i++) last = oauth.tokensIn(await oauth.refresh(scene, last.refresh_token));
		assert.notEqual(last.refresh_token, first.refresh_token);
		assert.notEqual(last.access_token, first.access_token);
		for (const ms of [0, 5000, 5000]) {
			scene.app.clock.advance(ms);
			assert.deepEqual(oauth.refusal(await oauth.refresh(scene, first.refresh_token)), [400, "invalid_grant"]);
			assert.equal(await statusOf(last.access_token), 200);
		}
		scene.app.clock.advance(1);
		assert.deepEqual(oauth.refusal(await oauth.refresh(scene, first.refresh_token)), [400, "invalid_grant"]);
		await assertEnded(last);
		assert.deepEqual(await lastRevocations(), [[scene.owner.userId, "a refresh token was used again"]]);
	}
});

test("an access token is no refresh token, and neither works for another app", async () => {
	const tokens = await oauth.tokensFor(scene);
	assert.deepEqual(oauth.refusal(await oauth.refresh(scene, tokens.access_token)), [400, "invalid_grant"]);
	const other = { client_id: await oauth.registerClient(scene.app) };
	assert.deepEqual(oauth.refusal(await oauth.refresh(scene, tokens.refresh_token, other)), [400, "invalid_grant"]);
	const foreign = await oauth.postForm(scene.app, "revoke", { token: tokens.refresh_token, ...other });
	assert.deepEqual([foreign.statusCode, foreign.json()], [200, {}]);
	assert.equal(await statusOf(tokens.access_token), 200);
	oauth.tokensIn(await oauth.refresh(scene, tokens.refresh_token));
});

test("a token reads its own site, and lists of sites have no other", async () => {
	const { access_token: token } = await oauth.tokensFor(scene);
	await createSite(scene.app, scene.owner, { name: "Second" });
	assert.equal((await oauth.ask(scene, token, `/stats/overview?site_id=${scene.site}`)).statusCode, 200);
	const { data } = (await oauth.ask(scene, token, "/sites")).json();
	assert.deepEqual([data.total, data.sites.map(({ id }: { id: string }) => id)], [1, [scene.site]]);
});

test("revoking a refresh token ends the grant at both audiences, an access token ends itself alone", async () => {
	const tokens = await oauth.tokensFor(scene);
	const revoke = async (token: string, hint: string) =>
		assert.equal((await oauth.postForm(scene.app, "revoke", { token, token_type_hint: hint })).statusCode, 200);
	const second = oauth.tokensIn(await oauth.refresh(scene, tokens.refresh_token));
	await revoke(tokens.access_token, "refresh_token");
	assert.deepEqual([await statusOf(tokens.access_token), await statusOf(second.access_token)], [401, 200]);
	assert.equal((await oauth.askMcp(scene, second.access_token)).statusCode, 200);
	await revoke(second.refresh_token, "access_token");
	await assertEnded(second);
	assert.deepEqual(await lastRevocations(), [[scene.owner.userId, "revoked by the app"]]);
});

test("a revocation answers the same for a live, an unknown, a malformed and a missing token", async () => {
	const { access_token: live } = await oauth.tokensFor(scene);
	const tokens = [live, "oat_unknown", "unknown", "svc_".padEnd(64, "x"), "a.b.c", "x".repeat(5000)];
	const forms = [{}, { token: "oat_unknown", token_type_hint: "nonsense" }, ...tokens.map((token) => ({ token }))];
	const answers = [await call("POST /oauth/revoke", { as: { headers: {} } })];
	for (const form of forms) answers.push(await oauth.postForm(scene.app, "revoke", form));
	for (const { statusCode, body } of answers) assert.deepEqual([statusCode, body], [200, "{}"]);
});

test("a user sees and ends the own connections only; an ended one is refused at its next request and not found again", async () => {
	const tokens = await oauth.tokensFor(scene);
	const mallory = await signIn(scene.app, { email: "mallory@example.com" });
	assert.deepEqual(await connections(mallory), []);
	const url = (id: string) => `DELETE /oauth/connections/${id}`;
	const missing = { code: "not_found", message: "Connection not found" };
	assert.equal((await call(url("7"))).statusCode, 422);
	for (const { grant_id: id } of await connections(scene.owner)) {
		assert.equal((await call(url(id), { as: mallory })).statusCode, 404);
		const ended = await call(url(id.toUpperCase()));
		assert.deepEqual(ended.json().data, { message: "The app can no longer read the site" });
		assert.deepEqual((await call(url(id))).json().error, missing);
		const entry = (await auditTrail(scene.app, "oauth_grant.revoked")).at(-1);
		assert.deepEqual([entry?.user, entry?.resource], [scene.owner.userId, id]);
	}
	assert.deepEqual(await connections(scene.owner), []);
	await assertEnded(tokens);
});

test("a connection shows the moment at which it began and the minute of its last use", async () => {
	scene.app.clock.set("2027-02-03T10:11:42.000Z");
	scene.owner = await signInAgain(scene.app, scene.owner);
	const { access_token: token } = await oauth.tokensFor(scene);
	const times = async () => (await connections(scene.owner)).map((one: Times) => [one.created_at, one.last_used_at]);
	assert.deepEqual(await times(), [["2027-02-03T10:11:42.000Z", null]]);
	assert.equal(await statusOf(token), 200);
	assert.deepEqual(await times(), [["2027-02-03T10:11:42.000Z", "2027-02-03T10:11:00.000Z"]]);
});

test("an access token lives an hour, a refresh token thirty days from its last use, to the millisecond", async () => {
	const first = await oauth.tokensFor(scene);
	scene.app.clock.advance(3_600_000 - 1);
	assert.equal(await statusOf(first.access_token), 200);
	scene.app.clock.advance(1);
	const { error } = (await oauth.ask(scene, first.access_token)).json();
	assert.deepEqual(error, { code: "token_expired", message: "Token has expired" });
	const atMcp = await oauth.askMcp(scene, first.access_token);
	assert.deepEqual([atMcp.statusCode, atMcp.json().error.code], [401, "token_expired"]);
	scene.app.clock.advance(30 * DAY - 3_600_000 - 1);
	const second = oauth.tokensIn(await oauth.refresh(scene, first.refresh_token));
	scene.app.clock.advance(30 * DAY - 1);
	const third = oauth.tokensIn(await oauth.refresh(scene, second.refresh_token));
	scene.app.clock.advance(30 * DAY);
	assert.deepEqual(oauth.refusal(await oauth.refresh(scene, third.refresh_token)), [400, "invalid_grant"]);
	scene.owner = await signInAgain(scene.app, scene.owner);
});

test("a site that the user loses is lost to the app at its next request, and for good", async () => {
	const bob = await signIn(scene.app, { email: "bob@example.com" });
	const { id: organizationId } = (await call("POST /organizations", { body: { name: "Acme" } })).json().data;
	const { metadata, clock } = scene.app;
	await organizationMembers.insert(metadata, {
		organization_id: organizationId,
		user_id: bob.userId,
		role: "member",
		created_at: clock.now(),
	});
	const users = `/sites/${scene.site}/users`;
	const share = async () =>
		assert.equal((await call(`POST ${users}`, { body: { user_id: bob.userId } })).statusCode, 201);
	await share();
	const bobs = { ...scene, owner: bob };
	const [tokens, idle] = [await oauth.tokensFor(bobs), await oauth.tokensFor(bobs)];
	assert.equal(await statusOf(tokens.access_token), 200);
	assert.equal((await call(`DELETE ${users}/${bob.userId}`)).statusCode, 200);
	const refused = await oauth.ask(scene, tokens.access_token);
	assert.deepEqual([refused.statusCode, refused.json().error.message], [401, "Invalid token"]);
	assert.deepEqual(oauth.refusal(await oauth.refresh(scene, idle.refresh_token)), [400, "invalid_grant"]);
	await share();
	await assertEnded(tokens);
	const lost = [null, "the user no longer reaches the site"];
	assert.deepEqual(await lastRevocations(2), [lost, lost]);
});

test("the apps of a deactivated user lose access at their next request, and do not get it back with the user", async () => {
	const dan = await signIn(scene.app, { email: "dan@example.com" });
	const own = { ...scene, owner: dan, site: await createSite(scene.app, dan, { name: "Dans" }) };
	const tokens = await oauth.tokensFor(own);
	const as = await signIn(scene.app, { email: "root@example.com", role: "superadmin" });
	for (const isActive of [false, true]) {
		const changed = await call(`PATCH /users/${dan.userId}`, { as, body: { is_active: isActive } });
		assert.equal(changed.statusCode, 200, changed.body);
		await assertEnded(tokens);
	}
});

test("a reset of the password ends grants and codes of all apps, a change of it does not", async () => {
	const dora = await signIn(scene.app, { email: "dora@example.com" });
	const own = { ...scene, owner: dora, site: await createSite(scene.app, dora, { name: "Doras" }) };
	const tokens = await oauth.tokensFor(own);
	const [waiting, others] = [await oauth.codeOf(own), await oauth.tokensFor(scene)];
	const body = { current_password: password, new_password: "an entirely different secret 8" };
	assert.equal((await call("POST /users/me/password", { as: dora, body })).statusCode, 200);
	assert.equal((await oauth.ask(own, tokens.access_token)).statusCode, 200);
	const now = scene.app.clock.now();
	const { token } = await issueOneTimeToken(scene.app.metadata, "password_reset", dora.userId, now);
	const reset = { as: { headers: {} }, body: { token, new_password: password } };
	assert.equal((await call("POST /auth/reset-password", reset)).statusCode, 200);
	await assertEnded(tokens);
	assert.deepEqual(oauth.refusal(await oauth.exchange(own, waiting)), [400, "invalid_grant"]);
	assert.deepEqual(await connections(await signInAgain(scene.app, dora)), []);
	assert.equal(await statusOf(others.access_token), 200);
	const ended = [dora.userId, "the password was reset"];
	assert.deepEqual(await lastRevocations(2), [ended, ended]);
	const mail = (await mailbox(scene.app).to(dora.email)).at(-1);
	assert.match(mail?.text ?? "", /the access of connected apps were ended\./);
});
