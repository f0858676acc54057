import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { password, type SignedIn, sharedAccountsApp, userForEach } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { codeOf, fieldsOf } from "../../../../test/support/refusals.ts";
import { createTeam } from "../../../../test/support/team.ts";
import { insertSiteMember } from "../sites/index.ts";

const app = sharedAccountsApp();

describe("user administration", () => {
	const root = userForEach(app, "Root", "superadmin");
	const ann = userForEach(app, "Ann");

	const create = (body: object) => app.call("POST /users", { as: root, body });
	const change = (userId: number, body: object) => app.call(`PATCH /users/${userId}`, { as: root, body });
	const remove = (userId: number) => app.call(`DELETE /users/${userId}`, { as: root });
	const get = (path: string, as = root) => app.call(`GET /users${path}`, { as });
	const list = async (query: string) => (await get(`?${query}`)).json().data;
	const newUser = { email: "Cleo@Example.com", name: "Cleo", password };
	/** What the superadmin is recorded to have done to users, with their ids. */
	const trail = async () => {
		const entries = await auditTrail(app, "user.created", "user.updated", "user.activated", "user.deactivated");
		return entries
			.filter(({ user }) => user === root.id)
			.map(({ action, resource, details }) => [action, Number(resource), details]);
	};

	test("the list shows active users by page, oldest first, and inactive ones on request", async () => {
		const bob = await app.user("Bob");
		const site = await app.site(ann);
		await remove(bob.id);
		const { users, total } = await list("");
		const shown = users.map((user: { email: string; account_ids: string[] }) => [user.email, ...user.account_ids]);
		assert.deepEqual([total, ...shown], [2, ["root@example.com", site], ["ann@example.com", site]]);
		const second = await list("page=2&page_size=2&include_inactive=true");
		const [{ id, is_active: isActive }, ...more] = second.users;
		assert.deepEqual([second.total, id, isActive, more], [3, bob.id, false, []]);
		assert.deepEqual((await list("page=9")).users, []);
		assert.deepEqual(fieldsOf(await get("?page=0&page_size=101")), [422, "query.page", "query.page_size"]);
	});

	test("users are found by a part of their name or address, in any case", async () => {
		await app.user("Bob 100%_\\");
		const found = async (q: string) => {
			const { users, total } = await list(`q=${encodeURIComponent(q)}`);
			return [total, ...users.map(({ name }: { name: string }) => name)];
		};
		assert.deepEqual(await found(" aNN"), [1, "Ann"]);
		assert.deepEqual(await found("ROOT@"), [1, "Root"]);
		assert.deepEqual(await found("example.com"), [3, "Root", "Ann", "Bob 100%_\\"]);
		assert.deepEqual(await found("nobody"), [0]);
		for (const sign of ["%", "_", "\\", "100%_\\"]) assert.deepEqual(await found(sign), [1, "Bob 100%_\\"], sign);
	});

	test("a user is deleted for good only with the address written out; nobody deletes themselves so", async () => {
		const erase = ({ id }: Pick<SignedIn, "id">, email: string) =>
			app.call(`DELETE /admin/users/${id}`, { as: root, body: { email } });
		assert.deepEqual(codeOf(await erase(ann, "bob@example.com")), [400, "bad_request"]);
		assert.deepEqual(codeOf(await erase(root, "root@example.com")), [409, "conflict"]);
		assert.deepEqual(codeOf(await erase({ id: 999_999 }, "ann@example.com")), [404, "user_not_found"]);
		await app.site(ann);
		const erased = await erase(ann, "Ann@Example.com");
		assert.deepEqual(erased.json().data, { deleted: true, user_id: ann.id, organizations: ["ann"] });
		assert.equal((await get("/me", ann)).statusCode, 401);
		const { name, email, is_active: active } = (await get(`/${ann.id}`)).json().data;
		assert.deepEqual([name, email, active], ["deleted user", `deleted-${ann.id}@deleted.invalid`, false]);
		const listed = await list("include_inactive=true");
		assert.deepEqual([listed.total, listed.users.length], [1, 1]);
		assert.deepEqual(await trail(), [["user.deactivated", ann.id, { reason: "the account was deleted" }]]);
		assert.equal((await create({ email: "ann@example.com", name: "Ann again", password })).statusCode, 201);
	});

	test("a created user signs in, reads the named sites and no others, and is recorded", async () => {
		const site = await app.site(ann);
		await app.site(ann, { name: "Other" });
		assert.deepEqual(codeOf(await create({ ...newUser, email: "ANN@example.com" })), [409, "duplicate_entry"]);
		assert.deepEqual(codeOf(await create({ ...newUser, account_ids: ["nowhere"] })), [404, "account_not_found"]);
		const response = await create({ ...newUser, account_ids: [site, site] });
		assert.equal(response.statusCode, 201, response.body);
		const { id, ...user } = response.json().data;
		assert.deepEqual(user, {
			...{ email: "cleo@example.com", name: "Cleo", role: "user", account_ids: [site], is_active: true },
			...{ email_verified_at: "2026-11-21T12:00:00.000Z", created_at: "2026-11-21T12:00:00.000Z" },
			...{ last_login_at: null, two_factor_enabled: false, two_factor_enabled_at: null },
		});
		const cleo = await app.signIn("cleo@example.com");
		const { sites } = (await app.call("GET /sites", { as: cleo })).json().data;
		assert.deepEqual([sites.length, sites[0].id], [1, site]);
		assert.equal((await app.call(`PATCH /sites/${site}`, { as: cleo, body: { name: "X" } })).statusCode, 403);
		assert.deepEqual(await trail(), [["user.created", id, { role: "user", account_ids: [site] }]]);
	});

	test("faulty fields are named", async () => {
		const faulty = await create({ email: "no address", name: "", role: "owner", account_ids: [5] });
		const fields = ["body.account_ids.0", "body.email", "body.name", "body.password", "body.role"];
		assert.deepEqual(fieldsOf(faulty), [422, ...fields]);
		assert.deepEqual(fieldsOf(await create({ ...newUser, password: "too short" })), [422, "body.password"]);
		assert.deepEqual(fieldsOf(await change(ann.id, { name: null })), [422, "body.name"]);
		for (const missing of [await change(999, { name: "X" }), await remove(999), await get("/999")]) {
			assert.deepEqual(codeOf(missing), [404, "user_not_found"]);
		}
	});

	test("name and role change at once and are recorded with what they were", async () => {
		const changed = await change(ann.id, { name: "Anna", role: "superadmin", email: "other@example.com" });
		const { name, role, email } = changed.json().data;
		assert.deepEqual([name, role, email], ["Anna", "superadmin", ann.email]);
		assert.equal((await get("", ann)).statusCode, 200);
		await change(ann.id, { role: "user" });
		assert.equal((await get("", ann)).statusCode, 403);
		await change(ann.id, { role: "user", name: "Anna" });
		assert.deepEqual(await trail(), [
			["user.updated", ann.id, { name: ["Ann", "Anna"], role: ["user", "superadmin"] }],
			["user.updated", ann.id, { role: ["superadmin", "user"] }],
		]);
	});

	test("deleting deactivates: sessions, keys and sign-in end at once; activation brings the user back", async () => {
		const key = (await app.call("POST /api-tokens", { as: ann, body: { name: "key" } })).json().data.token;
		assert.deepEqual((await remove(ann.id)).json().data, { deleted: true, user_id: ann.id });
		assert.deepEqual(codeOf(await get("/me", ann)), [401, "unauthorized"]);
		assert.equal((await app.call("GET /api-tokens/scopes", { headers: { "x-api-key": key } })).statusCode, 401);
		const signIn = () => app.call("POST /auth/token", { body: { email: ann.email, password } });
		assert.deepEqual(codeOf(await signIn()), [401, "invalid_credentials"]);
		assert.equal((await remove(ann.id)).statusCode, 200);
		assert.equal((await change(ann.id, { is_active: true })).json().data.is_active, true);
		assert.equal((await signIn()).statusCode, 200);
		assert.deepEqual(codeOf(await get("/me", ann)), [401, "unauthorized"]);
		assert.deepEqual(await trail(), [
			["user.deactivated", ann.id, {}],
			["user.activated", ann.id, {}],
		]);
	});

	test("the own role and the own account are safe from oneself, the own name is not", async () => {
		for (const refused of [
			await change(root.id, { role: "user" }),
			await change(root.id, { is_active: false }),
			await remove(root.id),
		]) {
			assert.deepEqual(codeOf(refused), [409, "conflict"]);
		}
		assert.equal((await change(root.id, { name: "Boss", role: "superadmin" })).json().data.name, "Boss");
	});
});

test("users are listed with the sites that each reaches: none of a deleted organization, but for superadmins", async () => {
	const { bob } = await createTeam(app);
	const give = (user: SignedIn, siteId: string, role: "admin" | "viewer") =>
		insertSiteMember(app.metadata, { siteId, userId: user.id, role, nowMs: 0 });
	const [guest, left] = [await app.user("Guest"), await app.user("Left")];
	const root = await app.user("Root", "superadmin");
	await app.site(left, { name: "Gone" });
	await give(guest, "shop", "viewer");
	await give(guest, "gone", "viewer");
	await give(bob, "blog", "admin");
	const db = tables(app.metadata);
	await db.updateTable("sites").set({ is_active: 0 }).where("id", "=", "blog").execute();
	await db.updateTable("organizations").set({ is_active: 0 }).where("slug", "=", "left").execute();

	const { users } = (await app.call("GET /users", { as: root })).json().data;
	assert.deepEqual(
		users.map(({ name, account_ids: ids }: { name: string; account_ids: string[] }) => [name, ...ids.sort()].join(" ")),
		["Ann blog shop", "Bob blog shop", "Cleo", "Stranger far", "Guest shop", "Left", "Root blog far gone shop"],
	);
});
