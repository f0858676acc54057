import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { LightMyRequestResponse } from "fastify";
import { password, type SignedIn, sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { codeOf } from "../../../../test/support/refusals.ts";
import { updateUser } from "../users/index.ts";

type Cookies = Readonly<Record<string, string>>;

const cookiesOf = (response: LightMyRequestResponse): Cookies =>
	Object.fromEntries(response.cookies.map(({ name, value }) => [name, value]));
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());

describe("impersonation", () => {
	const app = sharedAccountsApp();
	const root = userForEach(app, "Root", "superadmin");
	const ann = userForEach(app, "Ann");

	/** A call as a browser makes it. */
	const browse = (route: string, cookies: Cookies, body?: object) =>
		app.call(route, {
			cookies,
			headers: { "x-csrf-token": cookies.svc_csrf_token ?? "" },
			...(body === undefined ? {} : { body }),
		});
	const begin = (cookies: Cookies, body: object = { user_id: ann.id, reason: "Ticket 7" }) =>
		browse("POST /admin/impersonate-user", cookies, body);
	const impersonating = async (): Promise<Cookies> => {
		const response = await begin(root.cookies);
		assert.equal(response.statusCode, 200, response.body);
		return { ...root.cookies, ...cookiesOf(response) };
	};
	const status = async (cookies: Cookies) => (await browse("GET /auth/impersonation-status", cookies)).json().data;
	const whoIs = async (cookies: Cookies) => (await browse("GET /users/me", cookies)).json().data?.email;

	test("a superadmin's browser becomes the user's, with a token that names both", async () => {
		const response = await begin(root.cookies);
		const { access_token: token, ...rest } = response.json().data;
		assert.deepEqual(rest, { expires_in: 900 });
		const { sub, email, role, impersonated_by: by } = claimsOf(token);
		assert.deepEqual([sub, email, role, by], [String(ann.id), ann.email, "user", root.id]);
		assert.equal(claimsOf(ann.token).impersonated_by, undefined);
		assert.equal(await whoIs(cookiesOf(response)), ann.email);
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

	test("the status tells whether, whom and since when", async () => {
		assert.deepEqual(await status(root.cookies), { is_impersonating: false });
		const cookies = await impersonating();
		assert.deepEqual(await status(cookies), {
			is_impersonating: true,
			impersonated_user_id: ann.id,
			impersonated_email: ann.email,
			started_at: "2026-11-21T12:00:00.000Z",
		});
		assert.deepEqual(codeOf(await app.call("GET /auth/impersonation-status")), [401, "unauthorized"]);
	});

	test("only superadmins begin one, of active users who are not superadmins", async () => {
		const other = await app.user("Other", "superadmin");
		const body = (userId: unknown) => ({ user_id: userId, reason: "Ticket 7" });
		assert.deepEqual(codeOf(await begin(ann.cookies, body(root.id))), [403, "forbidden"]);
		assert.deepEqual(codeOf(await begin(root.cookies, body(other.id))), [403, "forbidden"]);
		assert.deepEqual(codeOf(await begin(root.cookies, body(root.id))), [403, "forbidden"]);
		assert.deepEqual(codeOf(await begin(root.cookies, body(999))), [404, "user_not_found"]);
		await updateUser(app.metadata, ann.id, { is_active: 0 });
		assert.deepEqual(codeOf(await begin(root.cookies, body(ann.id))), [409, "conflict"]);
		const faulty = await begin(root.cookies, { user_id: "1", reason: " " });
		const fields = faulty.json().error.detail.map(({ field }: { field: string }) => field);
		assert.deepEqual([faulty.statusCode, fields.sort()], [422, ["body.reason", "body.user_id"]]);
		const { svc_csrf_token: _, ...withoutToken } = root.cookies;
		assert.deepEqual(codeOf(await begin(withoutToken)), [403, "csrf_failed"]);
	});

	test("ending it brings the superadmin's own session back, once", async () => {
		const cookies = await impersonating();
		app.clock.advance(60_000);
		const ended = await browse("DELETE /admin/impersonate-user", cookies);
		assert.equal(ended.statusCode, 200, ended.body);
		const back = cookiesOf(ended);
		assert.equal(back.svc_impersonator_token, "");
		assert.equal(await whoIs(back), root.email);
		assert.deepEqual(await status(back), { is_impersonating: false });
		const refreshed = await app.call("POST /auth/refresh", { cookies: { ...back } });
		assert.equal(refreshed.statusCode, 200, refreshed.body);
		assert.equal(await whoIs(cookiesOf(refreshed)), root.email);
		assert.deepEqual(codeOf(await browse("GET /users/me", cookies)), [401, "unauthorized"]);
		assert.deepEqual(codeOf(await app.call("POST /auth/refresh", { cookies: { ...cookies } })), [401, "unauthorized"]);
	});

	test("who holds only the access token ends it, but does not become superadmin", async () => {
		const { svc_access_token: token = "" } = await impersonating();
		const thief = { headers: { authorization: `Bearer ${token}` } };
		const ended = await app.call("DELETE /admin/impersonate-user", thief);
		assert.equal(ended.statusCode, 200);
		for (const { name, value } of ended.cookies) assert.equal(value, "", name);
		assert.equal((await app.call("GET /users/me", thief)).statusCode, 401);
		assert.equal(await whoIs(root.cookies), root.email);
	});

	test("without an impersonation there is nothing to end, and a wrong proof brings nothing back", async () => {
		for (const { cookies } of [root, ann]) {
			assert.deepEqual(codeOf(await browse("DELETE /admin/impersonate-user", cookies)), [409, "conflict"]);
		}
		const cookies = { ...(await impersonating()), svc_impersonator_token: "x".repeat(43) };
		const ended = cookiesOf(await browse("DELETE /admin/impersonate-user", cookies));
		assert.equal(ended.svc_access_token, "");
	});

	test("it ends after an hour, however often it is refreshed", async () => {
		let cookies = await impersonating();
		for (const minutes of [14, 14, 14, 14]) {
			app.clock.advance(minutes * 60_000);
			const refreshed = await app.call("POST /auth/refresh", { cookies: { ...cookies } });
			assert.equal(refreshed.statusCode, 200, refreshed.body);
			cookies = { ...cookies, ...cookiesOf(refreshed) };
			assert.equal(claimsOf(cookies.svc_access_token ?? "").impersonated_by, root.id);
		}
		app.clock.advance(4 * 60_000 - 1);
		assert.equal(await whoIs(cookies), ann.email);
		app.clock.advance(1);
		assert.deepEqual(codeOf(await browse("GET /users/me", cookies)), [401, "token_expired"]);
		assert.deepEqual(codeOf(await app.call("POST /auth/refresh", { cookies: { ...cookies } })), [401, "token_expired"]);
	});

	test("it ends with the superadmin's session, rank or account, and when the user becomes a superadmin", async () => {
		const revoked = [401, "unauthorized"];
		const check = async (end: () => Promise<unknown>, undo: () => Promise<unknown>) => {
			const cookies = await impersonating();
			assert.equal(await whoIs(cookies), ann.email);
			await end();
			assert.deepEqual(codeOf(await browse("GET /users/me", cookies)), revoked);
			assert.equal((await browse("DELETE /admin/impersonate-user", cookies)).statusCode, 401);
			await undo();
		};
		const set = (user: SignedIn, changes: object) => () => updateUser(app.metadata, user.id, changes);
		await check(set(root, { role: "user" }), set(root, { role: "superadmin" }));
		await check(set(root, { is_active: 0 }), set(root, { is_active: 1 }));
		await check(set(ann, { role: "superadmin" }), set(ann, { role: "user" }));
		await check(
			() => app.call("DELETE /auth/sessions?include_current=true", { as: root }),
			async () => {},
		);
	});

	test("the user's own sessions, sign-in time and password stay as they are, and the user can end it", async () => {
		const before = (await app.call("GET /users/me", { as: ann })).json().data;
		app.clock.advance(1000);
		const cookies = await impersonating();
		assert.deepEqual((await app.call("GET /users/me", { as: ann })).json().data, before);
		await app.call("DELETE /auth/sessions?include_current=false", { as: ann });
		assert.deepEqual(codeOf(await browse("GET /users/me", cookies)), [401, "unauthorized"]);
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
			const response = await browse(route, cookies, body);
			assert.deepEqual(codeOf(response), [403, "forbidden"], route);
			assert.equal(response.json().error.message, "Not allowed while impersonating", route);
		}
		assert.equal((await browse(`PATCH /sites/${site}`, cookies, { name: "Renamed" })).statusCode, 200);
		assert.deepEqual(codeOf(await begin(cookies)), [403, "forbidden"]);
	});

	test("beginning and end are recorded with both users and the reason", async () => {
		const cookies = await impersonating();
		await browse("DELETE /admin/impersonate-user", cookies);
		const trail = await auditTrail(app, "user.impersonation_started", "user.impersonation_ended");
		assert.deepEqual(
			trail.map(({ action, user, impersonator, resource, details }) => [action, user, impersonator, resource, details]),
			[
				["user.impersonation_started", root.id, null, String(ann.id), { reason: "Ticket 7" }],
				["user.impersonation_ended", ann.id, root.id, String(ann.id), {}],
			],
		);
	});
});
