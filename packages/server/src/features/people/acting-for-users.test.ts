import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { cookiesOf, type SignedIn, sharedAccountsApp, userForEach } from "../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../test/support/audit-trail.ts";
import { codeOf, messageOf } from "../../../test/support/refusals.ts";
import { renewSession } from "../../../test/support/renew-session.ts";
import { dropEndedTokens, listTokens } from "./api-tokens/index.ts";
import { updateUser } from "./users/index.ts";

const DAY = 86_400_000;

const app = sharedAccountsApp();
const ann = userForEach(app, "Ann");

describe("API tokens", () => {
	const create = (body: object, as = ann) => app.call("POST /api-tokens", { as, body });
	const key = async (body: object = {}): Promise<string> =>
		(await create({ name: "Key", scopes: ["accounts:read"], ...body })).json().data.token;
	const byKey = (route: string, token: string) => app.call(route, { headers: { "x-api-key": token } });
	const me = async (token: string) => messageOf(await byKey("GET /auth/me", token));
	const read = async (route: string) => (await app.call(route, { as: ann })).json().data;
	const invalid = [401, "Invalid API key"];

	test("a new token shows its value once; the store holds a hash of it", async () => {
		const site = await app.site(ann);
		const response = await create({ name: " Nightly export " });
		assert.deepEqual([response.statusCode, response.headers["cache-control"]], [201, "no-store"]);
		const { token, ...record } = response.json().data;
		assert.match(token, /^svc_[A-Za-z0-9]{60}$/);
		assert.deepEqual(record, {
			id: 1,
			name: "Nightly export",
			token_prefix: token.slice(0, 8),
			scopes: ["stats:read"],
			account_ids: [site],
			all_sites: true,
			expires_at: null,
			last_used_at: null,
			is_active: true,
			revoked_at: null,
			created_at: "2026-11-21T12:00:00.000Z",
		});
		assert.deepEqual(await read("GET /api-tokens/1"), record);
		assert.deepEqual(await read("GET /api-tokens"), { tokens: [record], total: 1 });
		const [row] = await listTokens(app.metadata, ann.id, { includeInactive: true, nowMs: 0 });
		assert.ok(!JSON.stringify(row).includes(token));
		assert.match(row?.token_hash ?? "", /^[0-9a-f]{64}$/);
	});

	test("the scopes that a caller may grant", async () => {
		const ids = ({ scopes }: { scopes: { id: string }[] }) => scopes.map(({ id }) => id);
		assert.deepEqual(ids(await read("GET /api-tokens/scopes")), ["stats:read", "sites:read", "accounts:read"]);
		const byToken = await byKey("GET /api-tokens/scopes", await key());
		assert.deepEqual(ids(byToken.json().data), ["accounts:read"]);
	});

	test("a key may be bound to sites that its owner reaches, to no other, and learns of no other", async () => {
		const mine = await app.site(ann, { name: "Mine" });
		await app.site(ann, { name: "Secret plan" });
		const theirs = await app.site(await app.user("Bob"), { name: "Theirs" });
		await create({ name: "All" });
		const scopes = ["sites:read", "accounts:read"];
		const bound = (await create({ name: "Key", account_ids: [mine, mine], scopes })).json().data;
		assert.deepEqual([bound.account_ids, bound.all_sites], [["mine"], false]);
		const [site, ...others] = (await byKey("GET /sites", bound.token)).json().data.sites;
		assert.deepEqual([site.id, others], ["mine", []]);
		assert.equal((await byKey("GET /sites/mine", bound.token)).statusCode, 200);
		assert.equal((await byKey("GET /sites/secret-plan", bound.token)).statusCode, 403);
		const { tokens } = (await byKey("GET /api-tokens", bound.token)).json().data;
		assert.deepEqual(
			tokens.map(({ name, account_ids }: { name: string; account_ids: string[] }) => `${name} ${account_ids}`),
			["Key mine", "All mine"],
		);
		for (const site of [theirs, "nowhere"]) {
			const refused = await create({ name: "Key", account_ids: [site] });
			assert.deepEqual(messageOf(refused), [403, `Access denied to account: ${site}`]);
		}
	});

	test("a revoked key answers 401 at its next request and stays listed on request", async () => {
		const token = await key();
		app.clock.advance(5000);
		const revoke = async () => (await app.call("DELETE /api-tokens/1", { as: ann })).json().data;
		const revoked = await revoke();
		assert.deepEqual([revoked.is_active, revoked.revoked_at], [false, "2026-11-21T12:00:05.000Z"]);
		assert.deepEqual(await me(token), invalid);
		const both = { ...ann.headers, "x-api-key": token };
		assert.deepEqual(messageOf(await app.call("GET /auth/me", { headers: both })), invalid, "beside a session, too");
		app.clock.advance(5000);
		assert.deepEqual(await revoke(), revoked);
		assert.equal((await read("GET /api-tokens")).total, 0);
		assert.equal((await read("GET /api-tokens?include_inactive=true")).total, 1);
	});

	test("a key ends on its day, and with its owner; its last use is kept to the minute", async () => {
		const [short, long] = [await key({ expires_in_days: 1 }), await key()];
		app.clock.advance(61_500);
		assert.equal((await byKey("GET /auth/me", short)).statusCode, 200);
		assert.equal((await read("GET /api-tokens/1")).last_used_at, "2026-11-21T12:01:00.000Z");
		app.clock.set("2026-11-22T11:59:59.999Z");
		assert.equal((await byKey("GET /auth/me", short)).statusCode, 200);
		app.clock.advance(1);
		assert.deepEqual(await me(short), [401, "Token has expired"]);
		await updateUser(app.metadata, ann.id, { is_active: 0 });
		assert.deepEqual(await me(long), invalid);
	});

	test("revoked and expired keys are listed for a year, others for ever", async () => {
		const names = async () =>
			(await read("GET /api-tokens?include_inactive=true")).tokens.map(({ name }: { name: string }) => name);
		for (const body of [{ name: "Revoked" }, { name: "Expired", expires_in_days: 1 }, { name: "Kept" }]) {
			await create(body);
		}
		await app.call("DELETE /api-tokens/1", { as: ann });
		for (const [ms, left] of [
			[365 * DAY + 1, ["Kept", "Expired"]],
			[2 * DAY, ["Kept"]],
		] as const) {
			app.clock.advance(ms);
			await dropEndedTokens(app);
			Object.assign(ann, { headers: await renewSession(app, ann.id) });
			assert.deepEqual(await names(), left);
		}
	});
});

type Cookies = Readonly<Record<string, string>>;

const END = "DELETE /admin/impersonate-user";
const unauthorized = [401, "unauthorized"];
const claimsOf = (token = "") => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

describe("impersonation", () => {
	const root = userForEach(app, "Root", "superadmin");

	/** A call as a browser makes it. */
	const browse = (route: string, cookies: Cookies, body?: object) =>
		app.call(route, { cookies, headers: { "x-csrf-token": cookies.svc_csrf_token ?? "" }, ...(body && { body }) });
	const begin = (cookies: Cookies, user_id = ann.id) =>
		browse("POST /admin/impersonate-user", cookies, { user_id, reason: "Ticket 7" });
	const impersonating = async () => ({ ...root.cookies, ...cookiesOf(await begin(root.cookies)) });
	const refresh = (cookies: Cookies) => app.call("POST /auth/refresh", { cookies });
	const status = async (cookies: Cookies) => (await browse("GET /auth/impersonation-status", cookies)).json().data;
	const whoIs = async (cookies: Cookies) => (await browse("GET /users/me", cookies)).json().data?.email;

	test("a superadmin's browser becomes the user's, with a token that names both and a status that tells whom", async () => {
		assert.deepEqual(await status(root.cookies), { is_impersonating: false });
		const before = (await app.call("GET /users/me", { as: ann })).json().data;
		app.clock.advance(1000);
		const response = await begin(root.cookies);
		const { access_token: token, ...rest } = response.json().data;
		assert.deepEqual(rest, { expires_in: 900 });
		const { sub, email, role, impersonated_by: by } = claimsOf(token);
		assert.deepEqual([sub, email, role, by], [String(ann.id), ann.email, "user", root.id]);
		assert.equal(claimsOf(ann.token).impersonated_by, undefined);
		assert.equal(await whoIs(cookiesOf(response)), ann.email);
		assert.deepEqual(await status(cookiesOf(response)), {
			is_impersonating: true,
			impersonated_user_id: ann.id,
			impersonated_email: ann.email,
			started_at: "2026-11-21T12:00:01.000Z",
		});
		assert.deepEqual((await app.call("GET /users/me", { as: ann })).json().data, before, "no sign-in of the user's");
		const setCookies = [response.headers["set-cookie"]].flat().map((cookie) => String(cookie).replace(/=[^;]+/, "=…"));
		assert.deepEqual(setCookies, [
			"svc_access_token=…; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Lax",
			"svc_refresh_token=…; Max-Age=3600; Path=/api/v1/auth; HttpOnly; Secure; SameSite=Strict",
			"svc_csrf_token=…; Max-Age=3600; Path=/; Secure; SameSite=Lax",
			"svc_impersonator_token=…; Max-Age=3600; Path=/api/v1/admin/impersonate-user; HttpOnly; Secure; SameSite=Strict",
		]);
	});

	test("a superadmin begins one of active users who are not superadmins", async () => {
		const other = await app.user("Other", "superadmin");
		assert.deepEqual(codeOf(await begin(root.cookies, other.id)), [403, "forbidden"]);
		assert.deepEqual(codeOf(await begin(root.cookies, root.id)), [403, "forbidden"]);
		assert.deepEqual(codeOf(await begin(root.cookies, 999)), [404, "user_not_found"]);
		await updateUser(app.metadata, ann.id, { is_active: 0 });
		assert.deepEqual(codeOf(await begin(root.cookies)), [409, "conflict"]);
	});

	test("ending it brings the superadmin's own session back, once, and both are recorded with users and reason", async () => {
		const cookies = await impersonating();
		app.clock.advance(60_000);
		const back = cookiesOf(await browse(END, cookies));
		assert.equal(back.svc_impersonator_token, "");
		assert.equal(await whoIs(back), root.email);
		assert.deepEqual(await status(back), { is_impersonating: false });
		assert.equal(await whoIs(cookiesOf(await refresh(back))), root.email);
		assert.deepEqual(codeOf(await browse("GET /users/me", cookies)), unauthorized);
		assert.deepEqual(codeOf(await refresh(cookies)), unauthorized);
		const trail = await auditTrail(app, "user.impersonation_started", "user.impersonation_ended");
		const entries = trail.map(({ action, user, impersonator, resource, details }) => [
			action,
			user,
			impersonator,
			resource,
			details,
		]);
		assert.deepEqual(entries, [
			["user.impersonation_started", root.id, null, String(ann.id), { reason: "Ticket 7" }],
			["user.impersonation_ended", ann.id, root.id, String(ann.id), {}],
		]);
	});

	test("a holder of the access token alone, or of a wrong proof, ends it, but does not become superadmin", async () => {
		const { svc_access_token: token = "" } = await impersonating();
		const thief = { headers: { authorization: `Bearer ${token}` } };
		const ended = await app.call(END, thief);
		assert.equal(ended.statusCode, 200);
		for (const { name, value } of ended.cookies) assert.equal(value, "", name);
		assert.equal((await app.call("GET /users/me", thief)).statusCode, 401);
		assert.equal(await whoIs(root.cookies), root.email);
		const forged = { ...(await impersonating()), svc_impersonator_token: "x".repeat(43) };
		assert.equal(cookiesOf(await browse(END, forged)).svc_access_token, "");
		for (const { cookies } of [root, ann]) assert.deepEqual(codeOf(await browse(END, cookies)), [409, "conflict"]);
	});

	test("it ends after an hour, however often it is refreshed", async () => {
		let cookies: Cookies = await impersonating();
		for (const minutes of [14, 14, 14, 14]) {
			app.clock.advance(minutes * 60_000);
			cookies = { ...cookies, ...cookiesOf(await refresh(cookies)) };
			assert.equal(claimsOf(cookies.svc_access_token).impersonated_by, root.id);
		}
		app.clock.advance(4 * 60_000 - 1);
		assert.equal(await whoIs(cookies), ann.email);
		app.clock.advance(1);
		assert.deepEqual(codeOf(await browse("GET /users/me", cookies)), [401, "token_expired"]);
		assert.deepEqual(codeOf(await refresh(cookies)), [401, "token_expired"]);
	});

	test("it ends with the superadmin's session, rank or account, when the user becomes a superadmin, and when the user wishes", async () => {
		const set = (user: SignedIn, changes: object) => () => updateUser(app.metadata, user.id, changes);
		const endSessions = (as: SignedIn, isWhole: boolean) => () =>
			app.call(`DELETE /auth/sessions?include_current=${isWhole}`, { as });
		for (const [end, undo] of [
			[set(root, { role: "user" }), set(root, { role: "superadmin" })],
			[set(root, { is_active: 0 }), set(root, { is_active: 1 })],
			[set(ann, { role: "superadmin" }), set(ann, { role: "user" })],
			[endSessions(ann, false), async () => {}],
			[endSessions(root, true), async () => {}],
		] as const) {
			const cookies = await impersonating();
			assert.equal(await whoIs(cookies), ann.email);
			await end();
			assert.deepEqual(codeOf(await browse("GET /users/me", cookies)), unauthorized);
			assert.deepEqual(codeOf(await browse(END, cookies)), unauthorized);
			await undo();
		}
	});
});
