import assert from "node:assert/strict";
import { afterEach, beforeEach, test } from "node:test";
import { type AccountsApp, onBothEngines, type SignedIn } from "../../../../test/support/accounts-app.ts";
import { auditTrail } from "../../../../test/support/audit-trail.ts";
import { enlist } from "../../../../test/support/enlist.ts";

onBothEngines("organizations and keys", (open) => {
	let app: AccountsApp;
	let ann: SignedIn;
	beforeEach(async () => {
		app = await open();
		ann = await app.user("Ann");
	});
	afterEach(() => app.close());

	const create = (name: string, as = ann) => app.call("POST /organizations", { as, body: { name } });
	const list = async (as: SignedIn) => (await app.call("GET /organizations", { as })).json().data;
	const code = (response: { statusCode: number; json(): { error: { code: string } } }) => [
		response.statusCode,
		response.json().error.code,
	];
	const keyOf = async (as: SignedIn, body: object = {}) => {
		const response = await app.call("POST /api-tokens", {
			as,
			body: { name: "k", scopes: ["stats:read", "sites:read", "accounts:read"], ...body },
		});
		return { headers: { "x-api-key": response.json().data.token as string } };
	};

	test("keys read with accounts:read, and never write", async () => {
		await app.site(ann);
		await create("Acme");
		const key = await keyOf(ann);
		for (const route of ["GET /organizations", "GET /organizations/acme", "GET /organizations/acme/sites"]) {
			assert.equal((await app.call(route, { as: key })).statusCode, 200, route);
		}
		const refusals = [
			["GET /organizations/acme/members", "read"],
			["GET /organizations/acme/invitations", "read"],
			["PATCH /organizations/acme", "write"],
			["DELETE /organizations/acme", "write"],
			["POST /organizations/acme/invitations", "write"],
			["POST /organizations/acme/members", "write"],
			["POST /organizations", "write"],
		] as const;
		for (const [route, scope] of refusals) {
			const response = await app.call(route, { as: key, ...(scope === "write" && { body: { name: "x" } }) });
			assert.equal(response.statusCode, 403, route);
			assert.match(response.json().error.message, /^Required scope: (read|write)$/, route);
		}
		const narrow = await keyOf(ann, { scopes: ["sites:read"] });
		for (const route of ["GET /organizations", "GET /organizations/acme", "GET /organizations/acme/sites"]) {
			const response = await app.call(route, { as: narrow });
			assert.deepEqual(
				[response.statusCode, response.json().error.message],
				[403, "Required scope: accounts:read"],
				route,
			);
		}
	});

	test("a key that is restricted to sites opens the organizations of those sites only", async () => {
		await app.site(ann);
		await app.site(ann, { name: "Blog" });
		await create("Acme");
		const bob = await app.user("Bob");
		await create("Other", bob);
		await enlist(app, "other", ann, "admin");
		await app.site(bob, { name: "Far" });
		const key = await keyOf(ann, { account_ids: ["shop"] });
		const seen = (await app.call("GET /organizations", { as: key })).json().data.organizations;
		assert.deepEqual(
			seen.map(({ slug }: { slug: string }) => slug),
			["acme"],
		);
		assert.equal((await app.call("GET /organizations/other", { as: key })).statusCode, 404);
		const sites = (await app.call("GET /organizations/acme/sites", { as: key })).json().data.sites;
		assert.deepEqual(
			sites.map(({ id }: { id: string }) => id),
			["shop"],
		);
		assert.equal((await list(ann)).total, 2);
	});

	test("deleting needs the exact name, and ends sites, keys, roles and invitations at once", async () => {
		await app.site(ann);
		await create("Acme");
		const bob = await app.user("Bob");
		await enlist(app, "acme", bob, "admin");
		const cleo = await app.user("Cleo");
		await app.site(cleo, { name: "Far" });
		await enlist(app, "acme", cleo, "member");
		await app.call(`POST /organizations/acme/members/${cleo.id}/sites`, { as: ann, body: { site_ids: ["shop"] } });
		const keys = {
			all: await keyOf(ann),
			admin: await keyOf(bob, { account_ids: ["shop"] }),
			both: await keyOf(cleo, { account_ids: ["shop", "far"] }),
			wide: await keyOf(cleo),
		};
		const invited = await app.call("POST /organizations/acme/invitations", {
			as: ann,
			body: { email: "new@example.com" },
		});
		const link = new URL(invited.json().data.invitation_link);
		const remove = (name: string) => app.call("DELETE /organizations/acme", { as: ann, body: { name } });
		for (const wrong of ["acme", "Acme ltd", ""]) assert.deepEqual(code(await remove(wrong)), [400, "bad_request"]);
		assert.equal(app.sites.get("shop")?.isActive, true);

		const done = await remove("Acme");
		assert.deepEqual([done.statusCode, done.json().data], [200, { message: "Organization deleted" }]);
		assert.equal(app.sites.get("shop")?.isActive, false);
		for (const user of [ann, bob, cleo]) {
			assert.equal((await app.call("GET /organizations/acme", { as: user })).statusCode, 404);
			assert.equal((await app.call("GET /sites/shop", { as: user })).statusCode, 403);
			const all = (await app.call("GET /sites?include_inactive=true", { as: user })).json().data.sites;
			assert.ok(!all.some(({ id }: { id: string }) => id === "shop"));
		}
		const sites = async (as: { headers: Record<string, string> }) => {
			const response = await app.call("GET /sites", { as });
			return response.statusCode === 200
				? response.json().data.sites.map(({ id }: { id: string }) => id)
				: response.statusCode;
		};
		assert.deepEqual(
			[await sites(keys.all), await sites(keys.admin), await sites(keys.both), await sites(keys.wide)],
			[401, 401, ["far"], ["far"]],
		);
		assert.equal((await app.call(`GET /invitations/${link.searchParams.get("token")}`)).statusCode, 404);
		const root = await app.user("Root", "superadmin");
		const seen = (await app.call("GET /organizations/acme", { as: root })).json().data;
		assert.deepEqual([seen.is_active, seen.site_count, seen.member_count], [false, 0, 3]);
		assert.equal((await auditTrail(app, "organization.deleted")).length, 1);

		assert.equal((await list(ann)).can_create_org, true);
		assert.equal((await create("Acme")).json().data.slug, "acme-2");
		assert.equal((await app.call("GET /sites?include_inactive=true", { as: ann })).json().data.total, 0);
	});
});
