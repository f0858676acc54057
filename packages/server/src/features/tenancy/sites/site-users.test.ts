import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type SignedIn, sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { codeOf, fieldsOf, messageOf } from "../../../../test/support/refusals.ts";
import { teamForEach } from "../../../../test/support/team.ts";
import { insertSiteMember } from "./members-store.ts";

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
	const users = async (as = ann): Promise<[string, string][]> =>
		(await app.call("GET /sites/shop/users", { as }))
			.json()
			.data.users.map((one: { name: string; role: string }) => [one.name, one.role]);

	test("the list holds everybody who reaches the site, with the highest role, and agrees with user_count", async () => {
		await give(cleo, "editor");
		await give(bob, "viewer");
		const response = await app.call("GET /sites/shop/users", { as: cleo });
		assert.equal(response.json().data.total, 3);
		assert.deepEqual(response.json().data.users[0], {
			user_id: ann.id,
			email: "ann@example.com",
			name: "Ann",
			role: "owner",
			via: "organization",
			created_at: "2026-11-21T12:00:00.000Z",
		});
		assert.deepEqual(await users(), [
			["Ann", "owner"],
			["Bob", "admin"],
			["Cleo", "editor"],
		]);
		assert.equal((await app.call("GET /sites/shop", { as: ann })).json().data.user_count, 3);
	});

	test("the list of sites and a site say what the caller may do there, whichever way the role came", async () => {
		await give(cleo, "editor");
		const rolesOf = async (as: SignedIn) => {
			const [listed] = (await app.call("GET /sites", { as })).json().data.sites;
			return [listed?.role, (await app.call("GET /sites/shop", { as })).json().data.role];
		};
		assert.deepEqual(await rolesOf(ann), ["owner", "owner"]);
		assert.deepEqual(await rolesOf(bob), ["admin", "admin"]);
		assert.deepEqual(await rolesOf(cleo), ["editor", "editor"]);
	});

	test("a user who is added reaches the site in the next request, and no longer once removed", async () => {
		const token = await app.call("POST /api-tokens", { as: cleo, body: { name: "k", scopes: ["sites:read"] } });
		const key = { headers: { "x-api-key": token.json().data.token as string } };
		const reach = async (as: { headers: Readonly<Record<string, string>> }) =>
			(await app.call("GET /sites", { as })).json().data.sites.map(({ id }: { id: string }) => id);
		assert.deepEqual([await reach(cleo), await reach(key)], [[], []]);
		app.clock.advance(1000);
		const added = await add(bob, { user_id: cleo.id });
		assert.equal(added.statusCode, 201);
		assert.deepEqual(added.json().data, {
			user_id: cleo.id,
			email: "cleo@example.com",
			name: "Cleo",
			role: "viewer",
			via: "site",
			created_at: "2026-11-21T12:00:01.000Z",
		});
		assert.deepEqual([await reach(cleo), await reach(key)], [["shop"], ["shop"]]);
		assert.deepEqual(codeOf(await add(bob, { user_id: cleo.id })), [409, "duplicate_entry"]);
		assert.equal((await change(bob, cleo, "admin")).json().data.role, "admin");
		assert.equal((await app.call("PATCH /sites/shop", { as: cleo, body: { name: "New" } })).statusCode, 200);
		assert.deepEqual((await remove(bob, cleo)).json().data, { removed: true, user_id: cleo.id });
		assert.deepEqual([await reach(cleo), await reach(key)], [[], []]);
		assert.equal((await app.call("GET /sites/shop", { as: key })).statusCode, 403);
		assert.equal((await app.call("GET /sites/shop", { as: cleo })).statusCode, 403);
		assert.deepEqual(
			(await auditTrail(app, "member.")).map(({ action, user, resource, site, details }) => [
				action,
				user === bob.id && resource === String(cleo.id),
				site,
				details,
			]),
			[
				["member.created", true, "shop", { role: [null, "viewer"] }],
				["member.updated", true, "shop", { role: ["viewer", "admin"] }],
				["member.deleted", true, "shop", { role: ["admin", null] }],
			],
		);
	});

	test("a user outside the organization cannot be added or told from one who does not exist", async () => {
		for (const userId of [stranger.id, 999_999]) {
			for (const response of [
				await add(ann, { user_id: userId }),
				await change(ann, { id: userId }, "viewer"),
				await remove(ann, { id: userId }),
			]) {
				assert.deepEqual(response.json().error, { code: "user_not_found", message: "User not found" });
				assert.equal(response.statusCode, 404);
			}
		}
		await give(stranger, "viewer", "blog");
		assert.equal((await add(ann, { user_id: stranger.id })).statusCode, 201);
	});

	test("a superadmin adds any active user, who reaches that site alone", async () => {
		const root = await app.user("Root", "superadmin");
		const added = await add(root, { user_id: stranger.id, role: "editor" });
		assert.deepEqual([added.statusCode, added.json().data.role], [201, "editor"]);
		const sites = (await app.call("GET /sites", { as: stranger })).json().data.sites;
		assert.equal(sites.filter((site: { id: string }) => site.id === "shop").length, 1);
		assert.deepEqual(codeOf(await add(root, { user_id: 99_999 })), [404, "user_not_found"]);
		await app.call(`DELETE /users/${cleo.id}`, { as: root });
		assert.deepEqual(codeOf(await add(root, { user_id: cleo.id })), [404, "user_not_found"]);
	});

	test("a role on one site changes nothing on another", async () => {
		await give(cleo, "admin");
		for (const response of [
			await add(cleo, { user_id: bob.id }, "blog"),
			await change(cleo, bob, "viewer", "blog"),
			await remove(cleo, bob, "blog"),
			await add(cleo, { user_id: stranger.id }, "far"),
			await remove(cleo, stranger, "far"),
			await app.call("GET /sites/far/users", { as: cleo }),
		]) {
			assert.match(response.json().error.message, /^Access denied to account: (blog|far)$/);
			assert.equal(response.statusCode, 403);
		}
		await give(cleo, "viewer", "blog");
		assert.equal((await app.call("GET /sites/blog/users", { as: cleo })).statusCode, 200);
		assert.equal((await add(cleo, { user_id: bob.id }, "blog")).json().error.message, "Required role: admin");
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
		assert.deepEqual(codeOf(await remove(ann, ann)), [400, "bad_request"]);
		assert.deepEqual(codeOf(await change(ann, ann, "viewer")), [400, "bad_request"]);
		assert.deepEqual(codeOf(await change(ann, bob, "viewer")), [409, "conflict"]);
		assert.deepEqual(codeOf(await remove(ann, bob)), [409, "conflict"]);
		assert.equal((await change(ann, bob, "admin")).json().data.role, "admin");
		await give(cleo, "owner");
		assert.deepEqual(codeOf(await remove(ann, ann)), [409, "conflict"]);
		assert.equal((await remove(cleo, cleo)).statusCode, 200);
	});

	test("faulty input names its field", async () => {
		const cases = [
			[() => add(ann, {}), "body.user_id"],
			[() => add(ann, { user_id: "7" }), "body.user_id"],
			[() => add(ann, { user_id: 2_147_483_648 }), "body.user_id"],
			[() => add(ann, { user_id: cleo.id, role: "member" }), "body.role"],
			[() => change(ann, cleo, "superadmin"), "body.role"],
			[() => app.call("PATCH /sites/shop/users/x", { as: ann, body: { role: "viewer" } }), "path.user_id"],
			[() => app.call("DELETE /sites/shop/users/x", { as: ann }), "path.user_id"],
		] as const;
		for (const [ask, field] of cases) {
			const response = await ask();
			assert.deepEqual(fieldsOf(response), [422, field]);
		}
	});

	test("a key reads the users and changes none", async () => {
		const token = await app.call("POST /api-tokens", { as: ann, body: { name: "k", scopes: ["sites:read"] } });
		const key = { headers: { "x-api-key": token.json().data.token as string } };
		assert.equal((await app.call("GET /sites/shop/users", { as: key })).statusCode, 200);
		const refused = await app.call("POST /sites/shop/users", { as: key, body: { user_id: cleo.id } });
		assert.deepEqual(messageOf(refused), [403, "Required scope: write"]);
	});

	test("stopping a site is deleting it: an admin may do neither", async () => {
		for (const response of [
			await app.call("PATCH /sites/shop", { as: bob, body: { is_active: false } }),
			await app.call("DELETE /sites/shop", { as: bob }),
		]) {
			assert.deepEqual(messageOf(response), [403, "Required role: owner"]);
		}
		assert.equal((await app.call("PATCH /sites/shop", { as: ann, body: { is_active: false } })).statusCode, 200);
		assert.equal((await app.call("PATCH /sites/shop", { as: bob, body: { is_active: true } })).statusCode, 200);
	});
});
