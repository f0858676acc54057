import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sql } from "kysely";
import type { AccessPeople } from "../support/access-people.ts";
import { accessScene, addressOf, type Targets, targetEnv, targetsOf } from "../support/access-targets.ts";
import { changesBetween, metadataSnapshot, withoutRequest } from "../support/metadata-snapshot.ts";
import type { Operation } from "../support/operations.ts";
import { requestOf } from "../support/request-of.ts";
import { type TestApp, testApp } from "../support/test-app.ts";
import { changeBodies } from "../support/write-samples.ts";

/** The site and organization that a stranger names as their own place, where a route asks for one. */
const place = { site: "other", organization: "owner-of-another-organization" };
/** Bodies that name a resource of another tenant, with the expected error. */
const foreignBodies = (ids: AccessPeople["ids"], organizationId: string, patternId: number) => {
	const inOwn = `/organizations/${place.organization}`;
	const own = ids["owner of another organization"];
	return [
		["POST /sites", { name: "Mine", org_id: organizationId }, /"code":"not_found"/],
		["POST /api-tokens", { name: "mine", account_ids: ["shop"] }, /"code":"forbidden"/],
		[`POST ${inOwn}/members`, { user_id: ids.member }, /"code":"user_not_found"/],
		[
			`POST ${inOwn}/members/${own}/sites`,
			{ site_ids: ["shop"] },
			/"added":\[\],"already_assigned":\[\],"invalid":\["shop"\]/,
		],
		[`POST ${inOwn}/invitations`, { email: "x@example.com", site_ids: ["shop"] }, /"code":"account_not_found"/],
		["POST /sites/other/users", { user_id: ids.member }, /"code":"user_not_found"/],
		[
			"POST /ip-allowlist/patterns/bulk-delete?account_id=other",
			{ pattern_ids: [patternId] },
			/"success_count":0,"error_count":1/,
		],
		["POST /users", { email: "x@example.com", name: "X", password: "a long enough one 7" }, /"code":"forbidden"/],
		["POST /admin/impersonate-user", { user_id: ids.member, reason: "curious" }, /"code":"forbidden"/],
	] as const;
};

/** Visits, changes to the own allowlist, and writes without any request. */
const traces = ["ip_allowlist_attempts", "setting_versions", ...withoutRequest];

const sitePaths = /^\/api\/v1\/(sites|migration\/accounts)\//;

/** Parameters that name the place a request is about; the others name a thing in it. */
const isPlace = (operation: Operation, name: string): boolean =>
	(name === "id" && sitePaths.test(operation.path)) || name === "slug" || name === "token";

const namesThing = (operation: Operation): boolean =>
	operation.security.length > 0 &&
	operation.parameters.some(
		({ name, in: where, required }) =>
			!isPlace(operation, name) &&
			((where === "path" && name !== "type") || (required === true && name in unlisted && where === "query")),
	);
/** Ids that some routes take in the query. */
const unlisted = { mapping_id: true, custom_param: true, domain: true };

let app: TestApp;
let everybody: AccessPeople;
let targets: Targets;
let operations: Operation[];

before(async () => {
	app = await testApp({ env: targetEnv });
	({ everybody, targets, operations } = await accessScene(app));
});
after(() => app.close());

const asStranger = (route: string, body?: object) =>
	app.inject(requestOf(route, { headers: everybody.sessions["owner of another organization"], body }));

test("an id of another tenant is not found in one's own place, whatever is asked for it, and nothing changes", async () => {
	const asked = operations.filter(namesThing);
	assert.ok(asked.length >= 40, String(asked.length));
	const before = await metadataSnapshot(app.metadata, traces);
	const wrong: string[] = [];
	for (const operation of asked) {
		const own = sitePaths.test(operation.path) ? { id: place.site } : {};
		const ids = { ...targetsOf(operation, targets), slug: place.organization, ...own };
		const body = operation.hasBody ? changeBodies[operation.route] : undefined;
		assert.ok(!operation.hasBody || body !== undefined, `${operation.route} needs a body in write-samples.ts`);
		const response = await app.inject({
			method: operation.method,
			url: addressOf(operation, ids, place.site),
			headers: { ...everybody.sessions["owner of another organization"] },
			...(body !== undefined && { payload: body }),
		});
		// Superadmins' routes are shut altogether; the others must not tell whether the id exists.
		const expected = /^\/api\/v1\/(users|admin)\//.test(operation.path) ? 403 : 404;
		if (response.statusCode !== expected) wrong.push(`${operation.route}: ${response.statusCode} ${response.body}`);
	}
	assert.deepEqual(wrong, []);
	assert.deepEqual(changesBetween(before, await metadataSnapshot(app.metadata, traces)), []);
});

test("something of another tenant that a body names is refused, and nothing changes", async () => {
	const found = sql<{ id: string }>`select organization_id as id from sites where id = 'shop'`;
	const { rows } = await found.execute(app.metadata);
	const patternId = Number(targets["/ip-allowlist"]?.id);
	const before = await metadataSnapshot(app.metadata, traces);
	for (const [route, payload, expected] of foreignBodies(everybody.ids, rows[0]?.id ?? "", patternId)) {
		assert.match((await asStranger(route, payload)).body, expected, route);
	}
	assert.deepEqual(changesBetween(before, await metadataSnapshot(app.metadata, traces)), []);
});

test("a report asked with another tenant's segment does not find it", async () => {
	const segment = targets["/segments"]?.id;
	const response = await asStranger(`GET /stats/overview?site_id=other&segment=${segment}`);
	assert.equal(response.statusCode, 404, response.body);
});

test("a batch runs no query on another tenant's site", async () => {
	const queries = [{ id: "theirs", endpoint: "/stats/overview", params: { site_id: "shop" } }];
	const response = await asStranger("POST /batch", { queries });
	assert.doesNotMatch(response.body, /entrances/);
	assert.match(response.body, /Access denied to account: shop/);
});
