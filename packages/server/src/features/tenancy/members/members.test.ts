import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { type AccountsApp, onBothEngines, type SignedIn } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { createTeam, type Team } from "../../../../test/support/team.ts";
import { insertSiteMember } from "../sites/index.ts";

onBothEngines("members", (open) => {
	let app: AccountsApp;
	let team: Team;
	let ann: SignedIn;
	let bob: SignedIn;
	let cleo: SignedIn;
	let stranger: SignedIn;
	beforeEach(async () => {
		app = await open();
		team = await createTeam(app);
		({ ann, bob, cleo, stranger } = team);
	});
	afterEach(() => app.close());

	const guest = (siteId: string, user: SignedIn) =>
		insertSiteMember(app.metadata, { siteId, userId: user.id, role: "viewer", nowMs: 1 });
	const url = (path = "") => `/organizations/acme/members${path}`;
	const add = (as: SignedIn, body: object) => app.call(`POST ${url()}`, { as, body });
	const change = (as: SignedIn, user: SignedIn, role: string) =>
		app.call(`PATCH ${url(`/${user.id}`)}`, { as, body: { role } });
	const remove = (as: SignedIn, user: SignedIn) => app.call(`DELETE ${url(`/${user.id}`)}`, { as });
	const assign = (as: SignedIn, user: SignedIn, body: object) =>
		app.call(`POST ${url(`/${user.id}/sites`)}`, { as, body });
	const code = (response: { statusCode: number; json(): { error: { code: string } } }) => [
		response.statusCode,
		response.json().error.code,
	];
	const members = async (as = ann): Promise<[string, string, number][]> =>
		(await app.call(`GET ${url()}`, { as }))
			.json()
			.data.members.map((one: Record<string, never>) => [one["name"], one["role"], one["site_count"]]);

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
		assert.deepEqual(code(await add(bob, { user_id: stranger.id })), [409, "duplicate_entry"]);
		assert.deepEqual(code(await add(bob, { user_id: ann.id })), [409, "duplicate_entry"]);
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
		assert.deepEqual(code(await add(root, { user_id: 999_999 })), [404, "user_not_found"]);
		const idle = await app.user("Idle");
		await team.deactivate(idle);
		assert.deepEqual(code(await add(root, { user_id: idle.id })), [404, "user_not_found"]);
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
			assert.deepEqual([response.statusCode, response.json().error.detail?.[0]?.field], [422, field]);
		}
	});

	test("the plan's seats are kept, open invitations included", async () => {
		await team.setPlan("growth");
		await guest("shop", stranger);
		const invite = (email: string) => app.call("POST /organizations/acme/invitations", { as: ann, body: { email } });
		assert.equal((await invite("one@example.com")).statusCode, 201);
		assert.equal((await invite("two@example.com")).statusCode, 201);
		const refused = await add(ann, { user_id: stranger.id });
		assert.deepEqual(code(refused), [429, "quota_exceeded"]);
		assert.ok(Number(refused.headers["retry-after"]) > 0);
		app.clock.advance(8 * 86_400_000);
		ann = await app.signIn(ann.email);
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

	test("a member changes nobody, and may leave", async () => {
		for (const response of [
			await change(cleo, cleo, "admin"),
			await change(cleo, bob, "member"),
			await remove(cleo, bob),
			await add(cleo, { user_id: stranger.id }),
			await assign(cleo, cleo, { site_ids: ["shop"] }),
			await app.call(`DELETE ${url(`/${bob.id}/sites/shop`)}`, { as: cleo }),
		]) {
			assert.deepEqual([response.statusCode, response.json().error.message], [403, "Required role: admin"]);
		}
		assert.deepEqual((await remove(cleo, cleo)).json().data, { message: "Member removed" });
		assert.equal((await app.call("GET /organizations/acme", { as: cleo })).statusCode, 404);
	});

	test("members of other organizations are not found in this one", async () => {
		for (const response of [
			await change(ann, stranger, "admin"),
			await remove(ann, stranger),
			await assign(ann, stranger, { site_ids: ["shop"] }),
			await app.call(`GET ${url(`/${stranger.id}/sites`)}`, { as: ann }),
			await app.call(`DELETE ${url(`/${stranger.id}/sites/far`)}`, { as: ann }),
		]) {
			assert.deepEqual(code(response), [404, "user_not_found"]);
		}
	});

	test("the last owner neither leaves nor steps down", async () => {
		assert.deepEqual(code(await remove(ann, ann)), [400, "bad_request"]);
		assert.deepEqual(code(await change(ann, ann, "admin")), [400, "bad_request"]);
		const root = await app.user("Root", "superadmin");
		assert.deepEqual(code(await remove(root, ann)), [400, "bad_request"]);
		assert.equal((await change(ann, ann, "owner")).statusCode, 200);
		assert.equal((await change(ann, cleo, "owner")).statusCode, 200);
		assert.equal((await remove(ann, ann)).statusCode, 200);
		assert.deepEqual(code(await remove(cleo, cleo)), [400, "bad_request"]);
	});

	test("an owner who was deactivated does not count as one", async () => {
		await change(ann, cleo, "owner");
		await team.deactivate(cleo);
		assert.deepEqual(code(await remove(ann, ann)), [400, "bad_request"]);
		assert.equal((await remove(ann, cleo)).statusCode, 200);
	});

	test("of two owners who leave at once, one stays", async () => {
		for (let round = 0; round < 3; round++) {
			await change(ann, cleo, "owner");
			const both = await Promise.all([remove(ann, ann), remove(cleo, cleo)]);
			assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [200, 400]);
			const owners = (await members(bob)).filter(([, role]) => role === "owner");
			assert.equal(owners.length, 1);
			const gone = both[0]?.statusCode === 200 ? ann : cleo;
			if (gone === ann) [ann, cleo] = [cleo, ann];
			await team.enlist(cleo, "member");
		}
	});

	test("of two owners who remove each other at once, one stays", async () => {
		await change(ann, cleo, "owner");
		const both = await Promise.all([remove(ann, cleo), remove(cleo, ann)]);
		assert.deepEqual(both.map(({ statusCode }) => statusCode).sort(), [200, 404]);
		assert.equal((await members(bob)).filter(([, role]) => role === "owner").length, 1);
	});
});
