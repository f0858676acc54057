import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Type } from "typebox";
import { type AccountsApp, accountsApp, type SignedIn } from "../../test/support/accounts-app.ts";
import type { App } from "../platform/http/app.ts";
import type { Guard } from "./guard.ts";
import { effectiveRole, sessionScopes } from "./roles.ts";

const guards: Readonly<Record<string, Guard>> = {
	"/by-query": { kind: "site", siteFrom: "query", keyScope: "stats:read", role: "viewer", write: false },
	"/by-account": { kind: "site", siteFrom: "account", keyScope: null, role: "editor", write: false },
	"/named": {
		kind: "site",
		siteFrom: "query",
		keyScope: "stats:read",
		role: "viewer",
		write: false,
		namesRefusals: true,
	},
	"/superadmin": { kind: "session", scope: "read", superadmin: true },
	"/open": { kind: "public" },
};

function guardedRoutes(api: App): void {
	for (const [url, guard] of Object.entries(guards)) {
		api.route({
			method: "GET",
			url,
			schema: {
				tags: ["Test"],
				summary: "Shows what the guard found",
				querystring: Type.Object({ days: Type.Optional(Type.Integer()) }),
				response: { 200: Type.Object({ kind: Type.String(), site: Type.String(), timezone: Type.String() }) },
			},
			config: { guard },
			handler: async (request) => {
				const { id: site = "", timezone = "" } = request.access?.site ?? {};
				return { kind: request.principal.kind, site, timezone };
			},
		});
	}
}

let app: AccountsApp;
let ann: SignedIn;
let bob: SignedIn;
before(async () => {
	app = await accountsApp("sqlite", guardedRoutes);
	ann = await app.user("Ann");
	bob = await app.user("Bob");
	await app.site(ann, { timezone: "Asia/Tokyo" });
	await app.site(bob, { name: "Other" });
});
after(() => app.close());

const refusal = async (route: string, as?: SignedIn) => {
	const response = await app.call(route, as === undefined ? {} : { as });
	const { error } = response.json();
	return [response.statusCode, error.code, error.detail?.[0]?.field ?? error.message];
};

test("a site may be named by site_id or by its alias account_id", async () => {
	const seen = { kind: "session", site: "shop", timezone: "Asia/Tokyo" };
	for (const query of ["site_id=shop", "account_id=shop", "site_id=shop&account_id=shop"]) {
		assert.deepEqual((await app.call(`GET /by-query?${query}`, { as: ann })).json(), seen, query);
	}
	assert.deepEqual((await app.call("GET /by-account?account_id=shop", { as: ann })).json(), seen);
});

test("both names with different sites are 400", async () => {
	const route = "GET /by-query?site_id=shop&account_id=other";
	assert.deepEqual((await refusal(route, ann)).slice(0, 2), [400, "bad_request"]);
});

test("without a site parameter 422 names the field, after the credential was looked at", async () => {
	assert.deepEqual(await refusal("GET /by-query"), [401, "unauthorized", "Authentication required"]);
	assert.deepEqual(await refusal("GET /by-query", ann), [422, "validation_error", "query.site_id"]);
	assert.deepEqual(await refusal("GET /by-query?site_id=", ann), [422, "validation_error", "query.site_id"]);
	assert.deepEqual(await refusal("GET /by-account?site_id=shop", ann), [422, "validation_error", "query.account_id"]);
	const twice = "GET /by-query?site_id=shop&site_id=other";
	assert.deepEqual(await refusal(twice, ann), [422, "validation_error", "query.site_id"]);
	const messages = ["GET /by-query", twice].map(
		async (route) => (await app.call(route, { as: ann })).json().error.detail,
	);
	assert.deepEqual(
		(await Promise.all(messages)).map(([{ message, type }]) => [message, type]),
		[
			["is required", "missing"],
			["must be given once", "string_type"],
		],
	);
});

test("unknown sites are 404, sites of others 403, and both come before other faults of the request", async () => {
	assert.deepEqual(await refusal("GET /by-query?site_id=nowhere&days=x", ann), [
		404,
		"account_not_found",
		"Account not found",
	]);
	assert.deepEqual(await refusal("GET /by-query?site_id=shop&days=x", bob), [
		403,
		"forbidden",
		"Access denied to account: shop",
	]);
	assert.deepEqual(await refusal("GET /by-query?site_id=shop&days=x", ann), [422, "validation_error", "query.days"]);
	const injection = encodeURIComponent("shop' or '1'='1");
	assert.equal((await refusal(`GET /by-query?site_id=${injection}`, ann))[1], "account_not_found");
});

test("a route that names its refusals tells missing credentials and missing scopes apart from the rest", async () => {
	assert.deepEqual(await refusal("GET /named?site_id=shop"), [401, "missing_credentials", "Authentication required"]);
	const payload = { name: "sites", scopes: ["sites:read"] };
	const created = await app.call("POST /api-tokens", { as: ann, body: payload });
	const headers = { "x-api-key": created.json().data.token };
	const codeOf = async (route: string) => (await app.call(route, { headers })).json().error.code;
	assert.equal(await codeOf("GET /named?site_id=shop"), "insufficient_scope");
	assert.equal(await codeOf("GET /by-query?site_id=shop"), "forbidden");
	assert.equal((await refusal("GET /named?site_id=shop", bob))[1], "forbidden");
});

test("a superadmin route is closed to everyone else", async () => {
	assert.deepEqual(await refusal("GET /superadmin", ann), [403, "forbidden", "Required scope: superadmin"]);
	const root = await app.user("Root", "superadmin");
	assert.equal((await app.call("GET /superadmin", { as: root })).statusCode, 200);
});

test("a public route looks at no credential", async () => {
	const response = await app.call("GET /open", { headers: { authorization: "Bearer nonsense" } });
	assert.deepEqual([response.statusCode, response.json().kind], [200, "anonymous"]);
});

test("every 401 of a guard names the Bearer scheme, and no other answer does", async () => {
	const challenge = async (as?: SignedIn) =>
		(await app.call("GET /by-query?site_id=shop", as === undefined ? {} : { as })).headers["www-authenticate"];
	assert.equal(await challenge(), "Bearer");
	assert.equal(await challenge(bob), undefined);
	assert.equal(await challenge(ann), undefined);
});

test("the highest role held on a site counts", () => {
	const role = (
		userRole: "user" | "superadmin",
		orgRole: Parameters<typeof effectiveRole>[0]["orgRole"],
		siteRole = null,
	) => effectiveRole({ userRole, orgRole, siteRole });
	assert.equal(role("superadmin", null), "owner");
	assert.equal(role("user", "owner"), "owner");
	assert.equal(role("user", "admin"), "admin");
	assert.equal(role("user", "member"), undefined);
	assert.equal(role("user", null), undefined);
	assert.equal(effectiveRole({ userRole: "user", orgRole: "member", siteRole: "viewer" }), "viewer");
	assert.equal(effectiveRole({ userRole: "user", orgRole: "admin", siteRole: "owner" }), "owner");
	assert.equal(effectiveRole({ userRole: "user", orgRole: "admin", siteRole: "viewer" }), "admin");
});

test("scopes follow from the role", () => {
	assert.deepEqual(sessionScopes("user", false), ["read", "write"]);
	assert.deepEqual(sessionScopes("user", true), ["read", "write", "billing:manage"]);
	assert.deepEqual(sessionScopes("superadmin", false), ["read", "write", "admin", "superadmin", "billing:manage"]);
});
