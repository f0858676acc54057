import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { password, type SignedIn, sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { codeOf } from "../../../../test/support/refusals.ts";

const fieldsOf = (response: { json(): { error: { detail: { field: string }[] } } }) =>
	response
		.json()
		.error.detail.map(({ field }) => field)
		.sort();

describe("user administration", () => {
	const app = sharedAccountsApp();
	const root = userForEach(app, "Root", "superadmin");
	const ann = userForEach(app, "Ann");

	const create = (body: object, as = root) => app.call("POST /users", { as, body });
	const change = (userId: number, body: object, as = root) => app.call(`PATCH /users/${userId}`, { as, body });
	const remove = (userId: number, as = root) => app.call(`DELETE /users/${userId}`, { as });
	const newUser = { email: "Cleo@Example.com", name: "Cleo", password };
	const trail = () => auditTrail(app, "user.created", "user.updated", "user.activated", "user.deactivated");
	const byRoot = (action: string, userId: number, details: object) => ({
		action,
		user: root.id,
		impersonator: null,
		resource: String(userId),
		site: null,
		organization: null,
		details,
	});

	test("the list shows active users by page, oldest first, and inactive ones on request", async () => {
		const bob = await app.user("Bob");
		const site = await app.site(ann);
		await remove(bob.id);
		const list = async (query: string) => (await app.call(`GET /users?${query}`, { as: root })).json().data;
		const { users, total } = await list("");
		assert.equal(total, 2);
		assert.deepEqual(
			users.map((user: { email: string; account_ids: string[] }) => [user.email, user.account_ids]),
			[
				["root@example.com", [site]],
				["ann@example.com", [site]],
			],
		);
		const second = await list("page=2&page_size=2&include_inactive=true");
		assert.deepEqual(
			[second.total, second.users.map(({ id, is_active: active }: { id: number; is_active: boolean }) => [id, active])],
			[3, [[bob.id, false]]],
		);
		assert.deepEqual((await list("page=9")).users, []);
		const faulty = await app.call("GET /users?page=0&page_size=101", { as: root });
		assert.deepEqual([faulty.statusCode, fieldsOf(faulty)], [422, ["query.page", "query.page_size"]]);
	});

	test("users are found by a part of their name or address, in any case", async () => {
		await app.user("Bob 100%_\\");
		const found = async (q: string) => {
			const { users, total } = (await app.call(`GET /users?q=${encodeURIComponent(q)}`, { as: root })).json().data;
			return [total, ...users.map(({ name }: { name: string }) => name)];
		};
		assert.deepEqual(await found(" aNN"), [1, "Ann"]);
		assert.deepEqual(await found("ROOT@"), [1, "Root"]);
		assert.deepEqual(await found("example.com"), [3, "Root", "Ann", "Bob 100%_\\"]);
		assert.deepEqual(await found("nobody"), [0]);
		for (const sign of ["%", "_", "\\", "100%_\\"]) assert.deepEqual(await found(sign), [1, "Bob 100%_\\"], sign);
	});

	test("a user is deleted for good only with the address written out; nobody deletes themselves so", async () => {
		const erase = (user: SignedIn, email: string) =>
			app.call(`DELETE /admin/users/${user.id}`, { as: root, body: { email } });
		assert.deepEqual(codeOf(await erase(ann, "bob@example.com")), [400, "bad_request"]);
		assert.deepEqual(codeOf(await erase(root, "root@example.com")), [409, "conflict"]);
		assert.deepEqual(codeOf(await erase({ ...ann, id: 999_999 }, "ann@example.com")), [404, "user_not_found"]);
		await app.site(ann);
		const erased = await erase(ann, "Ann@Example.com");
		assert.deepEqual(erased.json().data, { deleted: true, user_id: ann.id, organizations: ["ann"] });
		assert.equal((await app.call("GET /users/me", { as: ann })).statusCode, 401);
		const { name, email, is_active: active } = (await app.call(`GET /users/${ann.id}`, { as: root })).json().data;
		assert.deepEqual([name, email, active], ["deleted user", `deleted-${ann.id}@deleted.invalid`, false]);
		const listed = (await app.call("GET /users?include_inactive=true", { as: root })).json().data;
		assert.deepEqual([listed.total, listed.users.length], [1, 1]);
		const again = await create({ email: "ann@example.com", name: "Ann again", password });
		assert.equal(again.statusCode, 201, again.body);
		const entries = (await trail()).filter(({ resource }) => resource === String(ann.id));
		assert.deepEqual(entries, [byRoot("user.deactivated", ann.id, { reason: "the account was deleted" })]);
	});

	test("a created user signs in, reads the named sites and no others, and is recorded", async () => {
		const site = await app.site(ann);
		await app.site(ann, { name: "Other" });
		const response = await create({ ...newUser, account_ids: [site, site] });
		assert.equal(response.statusCode, 201, response.body);
		const { id, ...user } = response.json().data;
		assert.deepEqual(user, {
			email: "cleo@example.com",
			name: "Cleo",
			role: "user",
			account_ids: [site],
			is_active: true,
			email_verified_at: "2026-11-21T12:00:00.000Z",
			last_login_at: null,
			created_at: "2026-11-21T12:00:00.000Z",
			two_factor_enabled: false,
			two_factor_enabled_at: null,
		});
		const cleo = await app.signIn("cleo@example.com");
		const sites = (await app.call("GET /sites", { as: cleo })).json().data.sites;
		assert.deepEqual(
			sites.map((reached: { id: string }) => reached.id),
			[site],
		);
		assert.equal((await app.call(`PATCH /sites/${site}`, { as: cleo, body: { name: "X" } })).statusCode, 403);
		assert.deepEqual(await trail(), [byRoot("user.created", id, { role: "user", account_ids: [site] })]);
	});

	test("a taken address is a duplicate, an unknown site makes nobody", async () => {
		assert.deepEqual(codeOf(await create({ ...newUser, email: "ANN@example.com" })), [409, "duplicate_entry"]);
		const unknown = await create({ ...newUser, account_ids: ["nowhere"] });
		assert.deepEqual(codeOf(unknown), [404, "account_not_found"]);
		assert.deepEqual(await trail(), []);
	});

	test("faulty fields are named", async () => {
		const faulty = await create({ email: "no address", name: "", role: "owner", account_ids: [5] });
		assert.deepEqual(
			[faulty.statusCode, fieldsOf(faulty)],
			[422, ["body.account_ids.0", "body.email", "body.name", "body.password", "body.role"]],
		);
		const weak = await create({ ...newUser, password: "too short" });
		assert.deepEqual([weak.statusCode, fieldsOf(weak)], [422, ["body.password"]]);
		const nullName = await change(ann.id, { name: null });
		assert.deepEqual([nullName.statusCode, fieldsOf(nullName)], [422, ["body.name"]]);
		assert.deepEqual(codeOf(await change(999, { name: "X" })), [404, "user_not_found"]);
		assert.deepEqual(codeOf(await remove(999)), [404, "user_not_found"]);
		assert.deepEqual(codeOf(await app.call("GET /users/999", { as: root })), [404, "user_not_found"]);
		assert.deepEqual(codeOf(await app.call("GET /users/ann", { as: root })), [422, "validation_error"]);
	});

	test("name and role change at once and are recorded with what they were", async () => {
		const changed = await change(ann.id, { name: "Anna", role: "superadmin", email: "other@example.com" });
		const { name, role, email } = changed.json().data;
		assert.deepEqual([name, role, email], ["Anna", "superadmin", ann.email]);
		assert.equal((await app.call("GET /users", { as: ann })).statusCode, 200);
		await change(ann.id, { role: "user" });
		assert.equal((await app.call("GET /users", { as: ann })).statusCode, 403);
		await change(ann.id, { role: "user", name: "Anna" });
		assert.deepEqual(await trail(), [
			byRoot("user.updated", ann.id, { name: ["Ann", "Anna"], role: ["user", "superadmin"] }),
			byRoot("user.updated", ann.id, { role: ["superadmin", "user"] }),
		]);
	});

	test("deleting deactivates: sessions, keys and sign-in end at once; activation brings the user back", async () => {
		const key = (await app.call("POST /api-tokens", { as: ann, body: { name: "key" } })).json().data.token;
		const byKey = () => app.call("GET /api-tokens/scopes", { headers: { "x-api-key": key } });
		const removed = await remove(ann.id);
		assert.deepEqual(removed.json().data, { deleted: true, user_id: ann.id });
		assert.deepEqual(codeOf(await app.call("GET /users/me", { as: ann })), [401, "unauthorized"]);
		assert.equal((await byKey()).statusCode, 401);
		const login = { body: { email: ann.email, password } };
		assert.deepEqual(codeOf(await app.call("POST /auth/token", login)), [401, "invalid_credentials"]);
		assert.equal((await remove(ann.id)).statusCode, 200);
		assert.equal((await change(ann.id, { is_active: true })).json().data.is_active, true);
		assert.equal((await app.call("POST /auth/token", login)).statusCode, 200);
		assert.deepEqual(codeOf(await app.call("GET /users/me", { as: ann })), [401, "unauthorized"]);
		assert.deepEqual(await trail(), [byRoot("user.deactivated", ann.id, {}), byRoot("user.activated", ann.id, {})]);
	});

	test("the own role and the own account are safe from oneself, the own name is not", async () => {
		assert.deepEqual(codeOf(await change(root.id, { role: "user" })), [409, "conflict"]);
		assert.deepEqual(codeOf(await change(root.id, { is_active: false })), [409, "conflict"]);
		assert.deepEqual(codeOf(await remove(root.id)), [409, "conflict"]);
		assert.equal((await change(root.id, { name: "Boss", role: "superadmin" })).json().data.name, "Boss");
	});
});
