import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type SignedIn, sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { codeOf, fieldsOf } from "../../../../test/support/refusals.ts";
import { teamForEach } from "../../../../test/support/team.ts";
import { insertSiteMember } from "../sites/index.ts";

describe("members", () => {
	const app = sharedAccountsApp();
	const team = teamForEach(app);
	const { ann, bob, cleo, stranger } = team;

	const guest = (siteId: string, user: SignedIn) =>
		insertSiteMember(app.metadata, { siteId, userId: user.id, role: "viewer", nowMs: 1 });
	const url = (path = "") => `/organizations/acme/members${path}`;
	const add = (as: SignedIn, body: object) => app.call(`POST ${url()}`, { as, body });
	const change = (as: SignedIn, user: SignedIn, role: string) =>
		app.call(`PATCH ${url(`/${user.id}`)}`, { as, body: { role } });
	const remove = (as: SignedIn, user: SignedIn) => app.call(`DELETE ${url(`/${user.id}`)}`, { as });
	const assign = (as: SignedIn, user: SignedIn, body: object) =>
		app.call(`POST ${url(`/${user.id}/sites`)}`, { as, body });
	const members = async (as = ann): Promise<[string, string, number][]> =>
		(await app.call(`GET ${url()}`, { as }))
			.json()
			.data.members.map((one: Record<string, never>) => [one["name"], one["role"], one["site_count"]]);

	const sitesOf = async (as: { headers: Readonly<Record<string, string>> }) =>
		(await app.call("GET /sites", { as }))
			.json()
			.data.sites.map(({ id }: { id: string }) => id)
			.sort();

	test("members are listed for members, owners first", async () => {
		const response = await app.call(`GET ${url()}`, { as: cleo });
		assert.deepEqual(response.json().data.members[0], {
			user_id: ann.id,
			email: "ann@example.com",
			name: "Ann",
			role: "owner",
			site_count: 2,
			created_at: "2026-11-21T12:00:00.000Z",
		});
		await assign(ann, cleo, { site_ids: ["shop"] });
		assert.deepEqual(await members(), [
			["Ann", "owner", 2],
			["Bob", "admin", 2],
			["Cleo", "member", 1],
		]);
	});

	test("a user outside the organization cannot be added or told from one who does not exist", async () => {
		for (const userId of [stranger.id, 999_999, 2_147_483_647]) {
			for (const as of [ann, bob]) {
				const response = await add(as, { user_id: userId });
				assert.deepEqual(response.json().error, { code: "user_not_found", message: "User not found" });
				assert.equal(response.statusCode, 404);
			}
		}
		assert.equal((await members()).length, 3);
	});

	test("a user with a role on one of the sites can be made a member, once", async () => {
		await guest("shop", stranger);
		const added = await add(bob, { user_id: stranger.id });
		assert.deepEqual([added.statusCode, added.json().data], [201, { message: "Member added" }]);
		assert.deepEqual(codeOf(await add(bob, { user_id: stranger.id })), [409, "duplicate_entry"]);
		assert.deepEqual(codeOf(await add(bob, { user_id: ann.id })), [409, "duplicate_entry"]);
		const [entry] = await auditTrail(app, "member.created");
		assert.deepEqual(entry, {
			action: "member.created",
			user: bob.id,
			impersonator: null,
			resource: String(stranger.id),
			site: null,
			organization: team.orgId,
			details: { role: [null, "member"] },
		});
	});

	test("a superadmin adds anybody who can sign in", async () => {
		const root = await app.user("Root", "superadmin");
		assert.equal((await add(root, { user_id: stranger.id, role: "owner" })).statusCode, 201);
		assert.deepEqual(codeOf(await add(root, { user_id: 999_999 })), [404, "user_not_found"]);
		const idle = await app.user("Idle");
		await team.deactivate(idle);
		assert.deepEqual(codeOf(await add(root, { user_id: idle.id })), [404, "user_not_found"]);
	});

	test("faulty input names its field", async () => {
		const cases = [
			[() => add(ann, {}), "body.user_id"],
			[() => add(ann, { user_id: "1" }), "body.user_id"],
			[() => add(ann, { user_id: 0 }), "body.user_id"],
			[() => add(ann, { user_id: 1, role: "editor" }), "body.role"],
			[() => change(ann, cleo, "viewer"), "body.role"],
			[() => app.call(`PATCH ${url("/x")}`, { as: ann, body: { role: "admin" } }), "path.user_id"],
			[() => app.call(`DELETE ${url("/99999999999")}`, { as: ann }), "path.user_id"],
			[() => assign(ann, cleo, {}), "body.site_ids"],
			[() => assign(ann, cleo, { site_ids: [] }), "body.site_ids"],
			[() => assign(ann, cleo, { site_ids: ["shop"], role: "owner" }), "body.role"],
		] as const;
		for (const [ask, field] of cases) {
			const response = await ask();
			assert.deepEqual(fieldsOf(response), [422, field]);
		}
	});

	test("the plan's seats are kept, open invitations included", async () => {
		await team.setPlan("growth");
		await guest("shop", stranger);
		const invite = (email: string) => app.call("POST /organizations/acme/invitations", { as: ann, body: { email } });
		assert.equal((await invite("one@example.com")).statusCode, 201);
		assert.equal((await invite("two@example.com")).statusCode, 201);
		const refused = await add(ann, { user_id: stranger.id });
		assert.deepEqual(codeOf(refused), [429, "quota_exceeded"]);
		assert.ok(Number(refused.headers["retry-after"]) > 0);
		app.clock.advance(8 * 86_400_000);
		Object.assign(ann, await app.signIn(ann.email));
		assert.equal((await add(ann, { user_id: stranger.id })).statusCode, 201);
	});

	test("an admin neither touches nor makes owners", async () => {
		const required = { code: "forbidden", message: "Required role: owner" };
		await guest("shop", stranger);
		for (const response of [
			await change(bob, ann, "admin"),
			await change(bob, cleo, "owner"),
			await change(bob, bob, "owner"),
			await remove(bob, ann),
			await add(bob, { user_id: stranger.id, role: "owner" }),
			await assign(bob, ann, { site_ids: ["shop"] }),
		]) {
			assert.deepEqual([response.statusCode, response.json().error], [403, required]);
		}
		assert.deepEqual((await change(bob, cleo, "admin")).json().data, { message: "Role changed" });
		assert.equal((await change(bob, bob, "member")).statusCode, 200);
		assert.deepEqual(
			(await members()).map(([name, role]) => [name, role]),
			[
				["Ann", "owner"],
				["Cleo", "admin"],
				["Bob", "member"],
			],
		);
	});

	test("a member does not remove others, and may leave", async () => {
		assert.equal((await remove(cleo, bob)).json().error.message, "Required role: admin");
		assert.deepEqual((await remove(cleo, cleo)).json().data, { message: "Member removed" });
		assert.equal((await app.call("GET /organizations/acme", { as: cleo })).statusCode, 404);
	});

	test("the last owner neither leaves nor steps down", async () => {
		assert.deepEqual(codeOf(await remove(ann, ann)), [400, "bad_request"]);
		assert.deepEqual(codeOf(await change(ann, ann, "admin")), [400, "bad_request"]);
		const root = await app.user("Root", "superadmin");
		assert.deepEqual(codeOf(await remove(root, ann)), [400, "bad_request"]);
		assert.equal((await change(ann, ann, "owner")).statusCode, 200);
		// An owner who was deactivated does not count as one.
		assert.equal((await change(ann, bob, "owner")).statusCode, 200);
		await team.deactivate(bob);
		assert.deepEqual(codeOf(await remove(ann, ann)), [400, "bad_request"]);
		assert.equal((await remove(ann, bob)).statusCode, 200);
		assert.equal((await change(ann, cleo, "owner")).statusCode, 200);
		assert.equal((await remove(ann, ann)).statusCode, 200);
		assert.deepEqual(codeOf(await remove(cleo, cleo)), [400, "bad_request"]);
	});

	test("sites are assigned by id; those of others are as invalid as made-up ones", async () => {
		const first = await assign(bob, cleo, { site_ids: ["shop", "far", "nowhere", "shop", "SHOP"], role: "editor" });
		assert.equal(first.statusCode, 200);
		assert.deepEqual(first.json().data, {
			added: ["shop"],
			already_assigned: [],
			invalid: ["far", "nowhere", "SHOP"],
		});
		const second = await assign(bob, cleo, { site_ids: ["shop", "blog"] });
		assert.deepEqual(second.json().data, { added: ["blog"], already_assigned: ["shop"], invalid: [] });
		const sites = await app.call(`GET ${url(`/${cleo.id}/sites`)}`, { as: ann });
		assert.deepEqual(sites.json().data, {
			sites: [
				{ id: "blog", name: "Blog", has_access: true, role: "viewer" },
				{ id: "shop", name: "Shop", has_access: true, role: "editor" },
			],
			total: 2,
		});
		assert.deepEqual((await assign(ann, bob, { site_ids: ["shop"] })).json().data.already_assigned, ["shop"]);
		assert.deepEqual(
			(await auditTrail(app, "member.created")).map((entry) => [entry.site, entry.details]),
			[
				["shop", { role: [null, "editor"] }],
				["blog", { role: [null, "viewer"] }],
			],
		);
	});

	test("a member sees the assigned sites only, also when asking about others", async () => {
		await assign(ann, cleo, { site_ids: ["shop"] });
		const ids = (response: { json(): { data: { sites: { id: string }[] } } }) =>
			response.json().data.sites.map(({ id }) => id);
		assert.deepEqual(ids(await app.call("GET /organizations/acme/sites", { as: cleo })), ["shop"]);
		assert.deepEqual(ids(await app.call(`GET ${url(`/${cleo.id}/sites`)}`, { as: cleo })), ["shop"]);
		assert.equal((await app.call(`GET ${url(`/${ann.id}/sites`)}`, { as: cleo })).statusCode, 403);
		assert.equal((await app.call(`GET ${url("/999999/sites")}`, { as: cleo })).statusCode, 403);
		assert.deepEqual(ids(await app.call("GET /organizations/acme/sites", { as: bob })), ["blog", "shop"]);
		const [site] = (await app.call("GET /organizations/acme/sites", { as: cleo })).json().data.sites;
		assert.deepEqual(site, {
			id: "shop",
			name: "Shop",
			is_active: true,
			timezone: "UTC",
			currency: "EUR",
			created_at: "2026-11-21T12:00:00.000Z",
		});
	});

	test("a site that is taken away is out of reach at once, for sessions and keys", async () => {
		await assign(ann, cleo, { site_ids: ["shop", "blog"] });
		const token = await app.call("POST /api-tokens", { as: cleo, body: { name: "k", scopes: ["sites:read"] } });
		const key = { headers: { "x-api-key": token.json().data.token } };
		assert.deepEqual(await sitesOf(key), ["blog", "shop"]);
		const taken = await app.call(`DELETE ${url(`/${cleo.id}/sites/shop`)}`, { as: bob });
		assert.deepEqual(taken.json().data, { message: "Site access removed" });
		assert.deepEqual([await sitesOf(cleo), await sitesOf(key)], [["blog"], ["blog"]]);
		assert.equal((await app.call("GET /sites/shop", { as: key })).statusCode, 403);
		for (const id of ["shop", "far", "nowhere"]) {
			assert.deepEqual(codeOf(await app.call(`DELETE ${url(`/${cleo.id}/sites/${id}`)}`, { as: bob })), [
				404,
				"not_found",
			]);
		}
	});

	test("whoever leaves loses organization and sites at once, for sessions and keys", async () => {
		await assign(ann, cleo, { site_ids: ["shop"], role: "editor" });
		const keyFor = async (user: SignedIn) => {
			const body = { name: "k", scopes: ["sites:read", "accounts:read"] };
			const response = await app.call("POST /api-tokens", { as: user, body });
			return { headers: { "x-api-key": response.json().data.token } };
		};
		const [cleosKey, bobsKey] = [await keyFor(cleo), await keyFor(bob)];
		assert.deepEqual([await sitesOf(cleosKey), await sitesOf(bobsKey)], [["shop"], ["blog", "shop"]]);
		await remove(ann, cleo);
		await remove(ann, bob);
		for (const as of [cleo, cleosKey, bob, bobsKey]) {
			assert.deepEqual(await sitesOf(as), []);
			assert.equal((await app.call("GET /sites/shop", { as })).statusCode, 403);
			assert.equal((await app.call("GET /organizations/acme", { as })).statusCode, 404);
			assert.equal((await app.call("GET /organizations", { as })).json().data.total, 0);
		}
		await team.enlist(cleo, "member");
		assert.deepEqual(await sitesOf(cleo), []);
		assert.deepEqual(
			(await auditTrail(app, "member.deleted")).map((entry) => [entry.resource, entry.details]),
			[
				[String(cleo.id), { role: ["member", null] }],
				[String(bob.id), { role: ["admin", null] }],
			],
		);
	});

	test("a demoted admin has the rights of a member in the next request", async () => {
		assert.equal((await app.call("PATCH /sites/shop", { as: bob, body: { name: "x" } })).statusCode, 200);
		await change(ann, bob, "member");
		assert.equal((await app.call("PATCH /sites/shop", { as: bob, body: { name: "y" } })).statusCode, 403);
		assert.deepEqual(codeOf(await change(bob, cleo, "admin")), [403, "forbidden"]);
	});
});
