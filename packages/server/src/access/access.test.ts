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
	assert.deepEqual(await refusal(report, ann), [422, "validation_error", "query.site_id"]);
	assert.deepEqual(await refusal(`${report}?site_id=`, ann), [422, "validation_error", "query.site_id"]);
	assert.deepEqual(await refusal(`${rules}?site_id=shop`, ann), [422, "validation_error", "query.account_id"]);
	const twice = `${report}?site_id=shop&site_id=other`;
	assert.deepEqual(await refusal(twice, ann), [422, "validation_error", "query.site_id"]);
	const messages = [report, twice].map(async (route) => (await app.call(route, { as: ann })).json().error.detail);
	assert.deepEqual(
		(await Promise.all(messages)).map(([{ message, type }]) => [message, type]),
		[
			["is required", "missing"],
			["must be given once", "string_type"],
		],
	);
});

test("unknown sites are 404, sites of others 403, and both come before other faults of the request", async () => {
	assert.deepEqual(await refusal(`${report}?site_id=nowhere&sort_order=x`, ann), [
		404,
		"account_not_found",
		"Account not found",
	]);
	assert.deepEqual(await refusal(`${report}?site_id=shop&sort_order=x`, bob), [
		403,
		"forbidden",
		"Access denied to account: shop",
	]);
	assert.deepEqual(await refusal(`${report}?site_id=shop&sort_order=x`, ann), [
		422,
		"validation_error",
		"query.sort_order",
	]);
	const injection = encodeURIComponent("shop' or '1'='1");
	assert.equal((await refusal(`${report}?site_id=${injection}`, ann))[1], "account_not_found");
});

test("every 401 of a guard names the Bearer scheme, and no other answer does", async () => {
	const challenge = async (as?: SignedIn) =>
		(await app.call(`${report}?site_id=shop`, as === undefined ? {} : { as })).headers["www-authenticate"];
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
