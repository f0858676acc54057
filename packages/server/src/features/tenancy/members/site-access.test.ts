import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { type AccountsApp, onBothEngines, type SignedIn } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { createTeam, type Team } from "../../../../test/support/team.ts";

onBothEngines("site access of members", (open) => {
	let app: AccountsApp;
	let team: Team;
	let ann: SignedIn;
	let bob: SignedIn;
	let cleo: SignedIn;
	beforeEach(async () => {
		app = await open();
		team = await createTeam(app);
		({ ann, bob, cleo } = team);
	});
	afterEach(() => app.close());

	const url = (path = "") => `/organizations/acme/members${path}`;
	const change = (as: SignedIn, user: SignedIn, role: string) =>
		app.call(`PATCH ${url(`/${user.id}`)}`, { as, body: { role } });
	const remove = (as: SignedIn, user: SignedIn) => app.call(`DELETE ${url(`/${user.id}`)}`, { as });
	const assign = (as: SignedIn, user: SignedIn, body: object) =>
		app.call(`POST ${url(`/${user.id}/sites`)}`, { as, body });
	const code = (response: { statusCode: number; json(): { error: { code: string } } }) => [
		response.statusCode,
		response.json().error.code,
	];
	const sitesOf = async (as: { headers: Readonly<Record<string, string>> }) =>
		(await app.call("GET /sites", { as }))
			.json()
			.data.sites.map(({ id }: { id: string }) => id)
			.sort();

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
			assert.deepEqual(code(await app.call(`DELETE ${url(`/${cleo.id}/sites/${id}`)}`, { as: bob })), [
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
		assert.deepEqual(code(await change(bob, cleo, "admin")), [403, "forbidden"]);
	});
});
