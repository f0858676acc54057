import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type SignedIn, sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { codeOf, fieldsOf, messageOf } from "../../../../test/support/refusals.ts";
import { teamForEach } from "../../../../test/support/team.ts";
import { insertSiteMember } from "./members-store.ts";

type As = Pick<SignedIn, "headers"> | { readonly headers: Readonly<Record<string, string>> };

describe("site users", () => {
	const app = sharedAccountsApp();
	const team = teamForEach(app);
	const { ann, bob, cleo, stranger } = team;

	const give = (user: SignedIn, role: "owner" | "admin" | "editor" | "viewer", siteId = "shop") =>
		insertSiteMember(app.metadata, { siteId, userId: user.id, role, nowMs: app.clock.now() + 1 });
	const add = (as: SignedIn, body: object, site = "shop") => app.call(`POST /sites/${site}/users`, { as, body });
	const change = (as: SignedIn, user: { id: number }, role: string, site = "shop") =>
		app.call(`PATCH /sites/${site}/users/${user.id}`, { as, body: { role } });
	const remove = (as: SignedIn, user: { id: number }, site = "shop") =>
		app.call(`DELETE /sites/${site}/users/${user.id}`, { as });
	const got = async (route: string, as: As) => (await app.call(`GET ${route}`, { as })).json().data;

	test("the list holds everybody who reaches the site, with the highest role, and they see that role", async () => {
		await give(cleo, "editor");
		await give(bob, "viewer");
		const { users, total } = await got("/sites/shop/users", cleo);
		const created = { created_at: "2026-11-21T12:00:00.000Z" };
		const first = { user_id: ann.id, email: "ann@example.com", name: "Ann", role: "owner", via: "organization" };
		assert.deepEqual(users[0], { ...first, ...created });
		const roles = users.map((one: { name: string; role: string }) => `${one.name} ${one.role}`);
		assert.deepEqual(roles, ["Ann owner", "Bob admin", "Cleo editor"]);
		assert.deepEqual([total, (await got("/sites/shop", ann)).user_count], [3, 3]);
		for (const [as, role] of [
			[ann, "owner"],
			[bob, "admin"],
			[cleo, "editor"],
		] as const) {
			const listed = (await got("/sites", as)).sites.map((site: { role: string }) => site.role);
			assert.deepEqual([listed[0], (await got("/sites/shop", as)).role], [role, role]);
		}
	});

	test("a user who is added reaches the site in the next request, and no longer once removed", async () => {
		const token = await app.call("POST /api-tokens", { as: cleo, body: { name: "k", scopes: ["sites:read"] } });
		const key = { headers: { "x-api-key": token.json().data.token as string } };
		const reach = async () => {
			const lists = [await got("/sites", cleo), await got("/sites", key)];
			return lists.map(({ sites }) => sites.map(({ id }: { id: string }) => id).join());
		};
		assert.deepEqual(await reach(), ["", ""]);
		app.clock.advance(1000);
		const added = (await add(bob, { user_id: cleo.id })).json().data;
		const created = { created_at: "2026-11-21T12:00:01.000Z" };
		const shown = { user_id: cleo.id, email: "cleo@example.com", name: "Cleo", role: "viewer", via: "site" };
		assert.deepEqual(added, { ...shown, ...created });
		assert.deepEqual(await reach(), ["shop", "shop"]);
		assert.deepEqual(codeOf(await add(bob, { user_id: cleo.id })), [409, "duplicate_entry"]);
		assert.equal((await change(bob, cleo, "admin")).json().data.role, "admin");
		assert.equal((await app.call("PATCH /sites/shop", { as: cleo, body: { name: "New" } })).statusCode, 200);
		assert.deepEqual((await remove(bob, cleo)).json().data, { removed: true, user_id: cleo.id });
		assert.deepEqual(await reach(), ["", ""]);
		for (const as of [key, cleo]) assert.equal((await app.call("GET /sites/shop", { as })).statusCode, 403);
		const trail = await auditTrail(app, "member.");
		assert.ok(trail.every(({ user, resource }) => user === bob.id && resource === String(cleo.id)));
		assert.deepEqual(
			trail.map(({ action, site, details }) => [action, site, details.role]),
			[
				["member.created", "shop", [null, "viewer"]],
				["member.updated", "shop", ["viewer", "admin"]],
				["member.deleted", "shop", ["admin", null]],
			],
		);
	});

	test("a superadmin adds any active user, who reaches that site alone; others add those of the organization", async () => {
		const root = await app.user("Root", "superadmin");
		const dora = await app.user("Dora");
		assert.equal((await add(root, { user_id: stranger.id, role: "editor" })).json().data.role, "editor");
		const sites = (await got("/sites", stranger)).sites.map(({ id }: { id: string }) => id).sort();
		assert.deepEqual(sites, ["far", "shop"]);
		await team.deactivate(cleo);
		for (const [as, id] of [
			[root, 99_999],
			[root, cleo.id],
			[ann, dora.id],
		] as const) {
			assert.deepEqual(codeOf(await add(as, { user_id: id })), [404, "user_not_found"]);
		}
		// Somebody of the organization by a role on another of its sites.
		await give(dora, "viewer", "blog");
		assert.equal((await add(ann, { user_id: dora.id })).statusCode, 201);
	});

	test("a role on one site changes nothing on another", async () => {
		await give(cleo, "admin");
		for (const response of [
			await add(cleo, { user_id: bob.id }, "blog"),
			await change(cleo, bob, "viewer", "blog"),
			await remove(cleo, bob, "blog"),
		]) {
			assert.deepEqual(messageOf(response), [403, "Access denied to account: blog"]);
		}
		await give(cleo, "viewer", "blog");
		assert.equal((await app.call("GET /sites/blog/users", { as: cleo })).statusCode, 200);
		assert.deepEqual(messageOf(await add(cleo, { user_id: bob.id }, "blog")), [403, "Required role: admin"]);
	});

	test("only an owner makes, changes or removes owners", async () => {
		const dora = await app.user("Dora");
		await team.enlist(dora, "member");
		await give(cleo, "admin");
		await give(stranger, "owner");
		for (const as of [bob, cleo]) {
			for (const response of [
				await add(as, { user_id: dora.id, role: "owner" }),
				await change(as, as, "owner"),
				await change(as, stranger, "admin"),
				await remove(as, stranger),
				await remove(as, ann),
				await change(as, ann, "viewer"),
			]) {
				assert.deepEqual(messageOf(response), [403, "Required role: owner"]);
			}
		}
		assert.equal((await change(ann, cleo, "owner")).json().data.role, "owner");
		assert.equal((await remove(cleo, stranger)).statusCode, 200);
		assert.equal((await add(cleo, { user_id: dora.id, role: "owner" })).json().data.role, "owner");
	});

	test("the last owner of a site stays, and roles of the organization are changed there", async () => {
		const bad = [400, "bad_request"];
		const conflict = [409, "conflict"];
		assert.deepEqual(codeOf(await remove(ann, ann)), bad);
		assert.deepEqual(codeOf(await change(ann, ann, "viewer")), bad);
		assert.deepEqual(fieldsOf(await change(ann, cleo, "superadmin")), [422, "body.role"]);
		assert.deepEqual(codeOf(await change(ann, bob, "viewer")), conflict);
		assert.deepEqual(codeOf(await remove(ann, bob)), conflict);
		assert.equal((await change(ann, bob, "admin")).json().data.role, "admin");
		await give(cleo, "owner");
		assert.deepEqual(codeOf(await remove(ann, ann)), conflict);
		assert.equal((await remove(cleo, cleo)).statusCode, 200);
	});
});
