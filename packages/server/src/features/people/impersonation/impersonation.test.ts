import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { password, type SignedIn, sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { codeOf, fieldsOf, messageOf } from "../../../../test/support/refusals.ts";
import { updateUser } from "../users/index.ts";

type Cookies = Readonly<Record<string, string>>;

const END = "DELETE /admin/impersonate-user";
const unauthorized = [401, "unauthorized"];
const cookiesOf = (response: LightMyRequestResponse): Cookies =>
	Object.fromEntries(response.cookies.map(({ name, value }) => [name, value]));
const claimsOf = (token = "") => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

describe("impersonation", () => {
	const app = sharedAccountsApp();
	const root = userForEach(app, "Root", "superadmin");
	const ann = userForEach(app, "Ann");

	/** A call as a browser makes it. */
	const browse = (route: string, cookies: Cookies, body?: object) =>
		app.call(route, { cookies, headers: { "x-csrf-token": cookies.svc_csrf_token ?? "" }, ...(body && { body }) });
	const begin = (cookies: Cookies, user_id: unknown = ann.id, reason = "Ticket 7") =>
		browse("POST /admin/impersonate-user", cookies, { user_id, reason });
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
		assert.deepEqual(
			[response.headers["set-cookie"]].flat().map((cookie) => String(cookie).replace(/=[^;]+/, "=…")),
			[
				"svc_access_token=…; Max-Age=900; Path=/; HttpOnly; Secure; SameSite=Lax",
				"svc_refresh_token=…; Max-Age=3600; Path=/api/v1/auth; HttpOnly; Secure; SameSite=Strict",
				"svc_csrf_token=…; Max-Age=3600; Path=/; Secure; SameSite=Lax",
				"svc_impersonator_token=…; Max-Age=3600; Path=/api/v1/admin/impersonate-user; HttpOnly; Secure; SameSite=Strict",
			],
		);
	});

	test("only superadmins begin one, of active users who are not superadmins", async () => {
		const other = await app.user("Other", "superadmin");
		assert.deepEqual(codeOf(await begin(ann.cookies, root.id)), [403, "forbidden"]);
		assert.deepEqual(codeOf(await begin(root.cookies, other.id)), [403, "forbidden"]);
		assert.deepEqual(codeOf(await begin(root.cookies, root.id)), [403, "forbidden"]);
		assert.deepEqual(codeOf(await begin(root.cookies, 999)), [404, "user_not_found"]);
		await updateUser(app.metadata, ann.id, { is_active: 0 });
		assert.deepEqual(codeOf(await begin(root.cookies)), [409, "conflict"]);
		assert.deepEqual(fieldsOf(await begin(root.cookies, "1", " ")), [422, "body.reason", "body.user_id"]);
		assert.deepEqual(codeOf(await begin({ ...root.cookies, svc_csrf_token: "" })), [403, "csrf_failed"]);
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
		assert.deepEqual(
			trail.map(({ action, user, impersonator, resource, details }) => [action, user, impersonator, resource, details]),
			[
				["user.impersonation_started", root.id, null, String(ann.id), { reason: "Ticket 7" }],
				["user.impersonation_ended", ann.id, root.id, String(ann.id), {}],
			],
		);
	});

	test("who holds only the access token, or a wrong proof, ends it, but does not become superadmin", async () => {
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

	test("deletions, credentials and stopping a site are closed meanwhile, other writes are open", async () => {
		const site = await app.site(ann);
		const cookies = await impersonating();
		for (const [route, body] of [
			["POST /2fa/setup", { password }],
			["DELETE /auth/sessions", undefined],
			[`DELETE /sites/${site}`, undefined],
			[`PATCH /sites/${site}`, { is_active: false }],
		] as const) {
			assert.deepEqual(messageOf(await browse(route, cookies, body)), [403, "Not allowed while impersonating"], route);
		}
		assert.equal((await browse(`PATCH /sites/${site}`, cookies, { name: "Renamed" })).statusCode, 200);
		assert.deepEqual(codeOf(await begin(cookies)), [403, "forbidden"]);
	});
});
