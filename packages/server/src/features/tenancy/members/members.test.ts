import assert from "node:assert/strict";
import { test } from "node:test";
import { type SignedIn, sharedAccountsApp } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { codeOf, messageOf } from "../../../../test/support/refusals.ts";
import { teamForEach } from "../../../../test/support/team.ts";
import { siteMembers } from "../sites/index.ts";

interface As {
	readonly headers: Readonly<Record<string, string>>;
}

const app = sharedAccountsApp();
const team = teamForEach(app);
const { ann, bob, cleo, stranger } = team;

const members = "/organizations/acme/members";
const guest = (siteId: string, user: SignedIn) =>
	siteMembers.insert(app.metadata, { site_id: siteId, user_id: user.id, role: "viewer", created_at: 1 });
const add = (as: SignedIn, body: object) => app.call(`POST ${members}`, { as, body });
const change = (as: SignedIn, user: SignedIn, role: string) =>
	app.call(`PATCH ${members}/${user.id}`, { as, body: { role } });
const remove = (as: SignedIn, user: SignedIn) => app.call(`DELETE ${members}/${user.id}`, { as });
const assign = (as: SignedIn, user: SignedIn, body: object) =>
	app.call(`POST ${members}/${user.id}/sites`, { as, body });
const got = async (route: string, as: As) => (await app.call(`GET ${route}`, { as })).json().data;
const listed = async (): Promise<string[]> =>
	(await got(members, ann)).members.map((one: Record<string, unknown>) => `${one.name} ${one.role} ${one.site_count}`);
const sitesOf = async (as: As, route = "/sites"): Promise<string[]> =>
	(await got(route, as)).sites.map(({ id }: { id: string }) => id).sort();
const keyOf = async (as: SignedIn) => {
	const body = { name: "k", scopes: ["sites:read", "accounts:read"] };
	return { headers: { "x-api-key": (await app.call("POST /api-tokens", { as, body })).json().data.token as string } };
};

test("users with a role on one of the sites can be made members, once, and by superadmins all who can sign in", async () => {
	await guest("shop", stranger);
	assert.deepEqual((await add(bob, { user_id: stranger.id })).json().data, { message: "Member added" });
	for (const { id } of [stranger, ann]) {
		assert.deepEqual(codeOf(await add(bob, { user_id: id })), [409, "duplicate_entry"]);
	}
	const [{ user, resource, organization, details } = {}] = await auditTrail(app, "member.created");
	const recorded = [bob.id, String(stranger.id), team.orgId, { role: [null, "member"] }];
	assert.deepEqual([user, resource, organization, details], recorded);
	const [root, free, idle] = [await app.user("Root", "superadmin"), await app.user("Free"), await app.user("Idle")];
	assert.equal((await add(root, { user_id: free.id, role: "owner" })).statusCode, 201);
	await team.deactivate(idle);
	for (const as of [root, ann]) {
		for (const user_id of [999_999, idle.id]) {
			assert.deepEqual(codeOf(await add(as, { user_id })), [404, "user_not_found"]);
		}
	}
});

test("the plan's seats are kept, open invitations included", async () => {
	await team.setPlan("growth");
	await guest("shop", stranger);
	for (const email of ["one@example.com", "two@example.com"]) {
		await app.call("POST /organizations/acme/invitations", { as: ann, body: { email } });
	}
	const refused = await add(ann, { user_id: stranger.id });
	assert.deepEqual(codeOf(refused), [429, "quota_exceeded"]);
	assert.ok(Number(refused.headers["retry-after"]) > 0);
	app.clock.advance(8 * 86_400_000);
	Object.assign(ann, await app.signIn(ann.email));
	assert.equal((await add(ann, { user_id: stranger.id })).statusCode, 201);
});

test("an admin neither touches nor makes owners, and has the rights of a member from the request after the demotion on", async () => {
	await guest("shop", stranger);
	for (const response of [
		await change(bob, ann, "admin"),
		await change(bob, bob, "owner"),
		await remove(bob, ann),
		await add(bob, { user_id: stranger.id, role: "owner" }),
		await assign(bob, ann, { site_ids: ["shop"] }),
	]) {
		assert.deepEqual(messageOf(response), [403, "Required role: owner"]);
	}
	assert.deepEqual((await change(bob, cleo, "admin")).json().data, { message: "Role changed" });
	const rename = async () => (await app.call("PATCH /sites/shop", { as: bob, body: { name: "x" } })).statusCode;
	assert.deepEqual([await rename(), (await change(bob, bob, "member")).statusCode, await rename()], [200, 200, 403]);
	assert.deepEqual(codeOf(await change(bob, cleo, "member")), [403, "forbidden"]);
	assert.deepEqual(await listed(), ["Ann owner 2", "Cleo admin 2", "Bob member 0"]);
});

test("the last owner neither leaves nor steps down", async () => {
	const root = await app.user("Root", "superadmin");
	for (const refused of [await remove(ann, ann), await change(ann, ann, "admin"), await remove(root, ann)]) {
		assert.deepEqual(codeOf(refused), [400, "bad_request"]);
	}
	assert.equal((await change(ann, ann, "owner")).statusCode, 200);
	// An owner who was deactivated does not count as one.
	assert.equal((await change(ann, bob, "owner")).statusCode, 200);
	await team.deactivate(bob);
	assert.equal((await remove(ann, ann)).statusCode, 400);
	assert.equal((await change(ann, cleo, "owner")).statusCode, 200);
	assert.deepEqual([(await remove(ann, ann)).statusCode, (await remove(cleo, cleo)).statusCode], [200, 400]);
});

test("members are listed, owners first, and get sites by id; those of others are as invalid as made-up ones", async () => {
	const { user_id: id, email, created_at: since } = (await got(members, cleo)).members[0];
	assert.deepEqual([id, email, since], [ann.id, "ann@example.com", "2026-11-21T12:00:00.000Z"]);
	const first = await assign(bob, cleo, { site_ids: ["shop", "far", "nowhere", "shop", "SHOP"], role: "editor" });
	const invalid = ["far", "nowhere", "SHOP"];
	assert.deepEqual(first.json().data, { added: ["shop"], already_assigned: [], invalid });
	const second = await assign(bob, cleo, { site_ids: ["shop", "blog"] });
	assert.deepEqual(second.json().data, { added: ["blog"], already_assigned: ["shop"], invalid: [] });
	assert.deepEqual(await listed(), ["Ann owner 2", "Bob admin 2", "Cleo member 2"]);
	const sites = [
		{ id: "blog", name: "Blog", has_access: true, role: "viewer" },
		{ id: "shop", name: "Shop", has_access: true, role: "editor" },
	];
	assert.deepEqual(await got(`${members}/${cleo.id}/sites`, ann), { sites, total: 2 });
	assert.deepEqual((await assign(ann, bob, { site_ids: ["shop"] })).json().data.already_assigned, ["shop"]);
	const trail = (await auditTrail(app, "member.created")).map(({ site, details }) => [site, details.role]);
	assert.deepEqual(trail, [
		["shop", [null, "editor"]],
		["blog", [null, "viewer"]],
	]);
});

test("a member sees the assigned sites only, and one that is taken away no longer, by session and key", async () => {
	await assign(ann, cleo, { site_ids: ["shop", "blog"] });
	const key = await keyOf(cleo);
	const take = (site: string) => app.call(`DELETE ${members}/${cleo.id}/sites/${site}`, { as: bob });
	assert.deepEqual((await take("blog")).json().data, { message: "Site access removed" });
	assert.deepEqual([await sitesOf(cleo), await sitesOf(key)], [["shop"], ["shop"]]);
	for (const id of ["blog", "far", "nowhere"]) assert.deepEqual(codeOf(await take(id)), [404, "not_found"]);
	for (const route of ["/organizations/acme/sites", `${members}/${cleo.id}/sites`]) {
		assert.deepEqual(await sitesOf(cleo, route), ["shop"]);
	}
	for (const id of [ann.id, 999_999]) {
		assert.equal((await app.call(`GET ${members}/${id}/sites`, { as: cleo })).statusCode, 403);
	}
	assert.deepEqual(await sitesOf(bob, "/organizations/acme/sites"), ["blog", "shop"]);
	const [{ name, is_active, timezone, currency, created_at }] = (await got("/organizations/acme/sites", cleo)).sites;
	const shown = ["Shop", true, "UTC", "EUR", "2026-11-21T12:00:00.000Z"];
	assert.deepEqual([name, is_active, timezone, currency, created_at], shown);
});

test("a member who leaves loses organization and sites at once, for sessions and keys", async () => {
	await assign(ann, cleo, { site_ids: ["shop"], role: "editor" });
	const [cleosKey, bobsKey] = [await keyOf(cleo), await keyOf(bob)];
	assert.deepEqual([await sitesOf(cleosKey), await sitesOf(bobsKey)], [["shop"], ["blog", "shop"]]);
	for (const user of [cleo, bob]) await remove(ann, user);
	for (const as of [cleo, cleosKey, bob, bobsKey]) {
		assert.deepEqual([await sitesOf(as), (await got("/organizations", as)).total], [[], 0]);
		assert.equal((await app.call("GET /sites/shop", { as })).statusCode, 403);
		assert.equal((await app.call("GET /organizations/acme", { as })).statusCode, 404);
	}
	await team.enlist(cleo, "member");
	assert.deepEqual(await sitesOf(cleo), []);
	const gone = (await auditTrail(app, "member.deleted")).map(({ resource, details }) => [resource, details.role]);
	const roles = [
		[String(cleo.id), ["member", null]],
		[String(bob.id), ["admin", null]],
	];
	assert.deepEqual(gone, roles);
});
