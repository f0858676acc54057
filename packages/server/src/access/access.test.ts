import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { type AccountsApp, accountsApp, type SignedIn } from "../../test/support/accounts-app.ts";
import { effectiveRole, sessionScopes } from "./roles.ts";

/** A report, and a route whose parameter is named otherwise. */
const [report, rules] = ["GET /stats/pages", "GET /channel-groups"];

let app: AccountsApp;
let ann: SignedIn;
let bob: SignedIn;
before(async () => {
	app = await accountsApp();
	ann = await app.user("Ann");
	bob = await app.user("Bob");
	await app.site(ann);
	await app.site(bob, { name: "Other" });
});
after(() => app.close());

const refusal = async (route: string, as?: SignedIn) => {
	const response = await app.call(route, as === undefined ? {} : { as });
	const { error } = response.json();
	// Every 401 of a guard names the Bearer scheme, and no other answer does.
	assert.equal(response.headers["www-authenticate"], response.statusCode === 401 ? "Bearer" : undefined);
	return [response.statusCode, error.code, error.detail?.[0]?.field ?? error.message];
};

test("a site may be named by site_id or by its alias account_id", async () => {
	const seen = await app.call(`${report}?site_id=shop`, { as: ann });
	assert.equal(seen.statusCode, 200);
	for (const query of ["account_id=shop", "site_id=shop&account_id=shop"]) {
		assert.equal((await app.call(`${report}?${query}`, { as: ann })).body, seen.body, query);
	}
	assert.equal((await app.call(`${rules}?account_id=shop`, { as: ann })).statusCode, 200);
});

test("both names with different sites are 400", async () => {
	const route = `${report}?site_id=shop&account_id=other`;
	assert.deepEqual((await refusal(route, ann)).slice(0, 2), [400, "bad_request"]);
});

test("without a site parameter 422 names the field, after the credential was looked at", async () => {
	assert.deepEqual(await refusal(report), [401, "unauthorized", "Authentication required"]);
	for (const [route, field, message, type] of [
		[report, "query.site_id", "is required", "missing"],
		[`${report}?site_id=`, "query.site_id", "is required", "missing"],
		[`${rules}?site_id=shop`, "query.account_id", "is required", "missing"],
		[`${report}?site_id=shop&site_id=other`, "query.site_id", "must be given once", "string_type"],
	] as const) {
		const response = await app.call(route, { as: ann });
		assert.deepEqual([response.statusCode, response.json().error.detail], [422, [{ field, message, type }]], route);
	}
});

test("unknown sites are 404, sites of others 403, and both come before other faults of the request", async () => {
	const route = `${report}?site_id=shop&sort_order=x`;
	assert.deepEqual(await refusal(route, bob), [403, "forbidden", "Access denied to account: shop"]);
	assert.deepEqual(await refusal(route, ann), [422, "validation_error", "query.sort_order"]);
	for (const site of ["nowhere", encodeURIComponent("shop' or '1'='1")]) {
		const unknown = await refusal(`${report}?site_id=${site}&sort_order=x`, ann);
		assert.deepEqual(unknown, [404, "account_not_found", "Account not found"]);
	}
});

test("the highest role held on a site counts, and scopes follow from that of the user", () => {
	const table: readonly [...Parameters<typeof roleOf>, role: string | undefined][] = [
		["superadmin", null, null, "owner"],
		["user", "owner", null, "owner"],
		["user", "admin", null, "admin"],
		["user", "member", null, undefined],
		["user", null, null, undefined],
		["user", "member", "viewer", "viewer"],
		["user", "admin", "owner", "owner"],
		["user", "admin", "viewer", "admin"],
	];
	for (const [userRole, orgRole, siteRole, role] of table) assert.equal(roleOf(userRole, orgRole, siteRole), role);
	assert.deepEqual(sessionScopes("user", false), ["read", "write"]);
	assert.deepEqual(sessionScopes("user", true), ["read", "write", "billing:manage"]);
	assert.deepEqual(sessionScopes("superadmin", false), ["read", "write", "admin", "superadmin", "billing:manage"]);
});

type Roles = Parameters<typeof effectiveRole>[0];
const roleOf = (userRole: Roles["userRole"], orgRole: Roles["orgRole"], siteRole: Roles["siteRole"]) =>
	effectiveRole({ userRole, orgRole, siteRole });
