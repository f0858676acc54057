import assert from "node:assert/strict";
import { after, test } from "node:test";
import { sql } from "kysely";
import type { Headers } from "../support/access-people.ts";
import {
	type AccessClass,
	type Answer,
	type AppToken,
	accessClass,
	accessTable,
	apps,
	deadCredentials,
	deletableWhileImpersonating,
	deletingPosts,
	type Key,
	type KeyScope,
	keyScopes,
	keys,
	type Person,
	people,
	usualAnswers,
} from "../support/access-table.ts";
import { accessScene, addressOf, sitePaths, targetEnv, targetsOf, unknownIds } from "../support/access-targets.ts";
import { isCore } from "../support/hostile-texts.ts";
import { changesBetween, metadataSnapshot, withoutRequest } from "../support/metadata-snapshot.ts";
import { answerOf, type Operation } from "../support/operations.ts";
import { requestOf } from "../support/request-of.ts";
import { testApp } from "../support/test-app.ts";
import { changeBodies } from "../support/write-samples.ts";

const app = await testApp({ env: targetEnv });
after(() => app.close());
const { everybody, targets, operations } = await accessScene(app);
const classes = new Map(
	Object.entries(accessTable).flatMap(([name, routes]) => routes.map((route) => [route, name] as const)),
);

const classOf = (route: string): AccessClass | "everyone" =>
	accessClass(classes.get(route) ?? assert.fail(`${route} is not in the access table`));

test("the access table names every route of the API once, and no other", () => {
	const named: readonly string[] = Object.values(accessTable).flat();
	assert.deepEqual(named.toSorted(), operations.map(({ route }) => route).sort());
});

/** Ids that go into the address of a probe: real ones where it reads, unknown ones where it would write. */
function probeAddress(operation: Operation): string {
	const { route, method, path } = operation;
	const real = targetsOf(operation, targets);
	const site = route === "DELETE /sites/{id}" ? "doomed" : "shop";
	if (method === "GET" || method === "HEAD") {
		const isPrivate = ["GET /api-tokens/{token_id}", "GET /assistant/conversations/{conversation_id}"].includes(route);
		return addressOf(operation, isPrivate ? unknownIds : real, site);
	}
	const { slug = "", org_id = "" } = real;
	const named = sitePaths.test(path) ? { id: site } : { slug };
	// Nothing is sold in this test, so that naming the organization changes nothing.
	const place = org_id === "" || operation.hasBody ? named : { org_id };
	return addressOf(operation, { ...unknownIds, ...place }, site);
}

/** Sends what changes nothing even when it is let in. */
async function probe(operation: Operation, headers: Headers): Promise<Answer> {
	const { statusCode, body } = await answerOf(app, {
		method: operation.method,
		url: probeAddress(operation),
		headers: { ...headers, ...(operation.hasBody && { "content-type": "application/json" }) },
		...(operation.hasBody && { payload: "[1]" }),
	});
	if (statusCode < 400) return [statusCode];
	const { error } = JSON.parse(body);
	if (error.code === "validation_error") assert.match(error.detail[0].field, /^(body|path\..*)$/, operation.route);
	return [statusCode, typeof error === "string" ? error : error.code];
}

function welcome({ route, method, hasBody }: Operation): Answer {
	const usual = usualAnswers[route];
	if (usual !== undefined) return usual;
	if (hasBody) return [422, "validation_error"];
	return method === "GET" || method === "HEAD" ? [200] : [404, "not_found"];
}

const isDeletion = ({ method, route }: Operation) =>
	(method === "DELETE" && !deletableWhileImpersonating.has(route)) || deletingPosts.has(route);

const refusal = ({ namesRefusals }: AccessClass): Answer => [403, namesRefusals ? "insufficient_scope" : "forbidden"];

function answerToPerson(operation: Operation, access: AccessClass, person: Person): Answer {
	if (person === "impersonating superadmin" && isDeletion(operation)) return [403, "forbidden"];
	if (person === "impersonating superadmin" && deletableWhileImpersonating.has(operation.route)) return [200];
	if (access.people.includes(person)) return welcome(operation);
	return access.about === "organization" && person === "owner of another organization"
		? [404, "not_found"]
		: [403, "forbidden"];
}

function answerToKey(operation: Operation, access: AccessClass, key: Key): Answer {
	if (key === "key of another site" && access.about === "site") return [403, "forbidden"];
	const isOpen = access.keyScopes.length > 0 && key !== "key without the scope";
	return isOpen ? welcome(operation) : refusal(access);
}

function answerToApp(operation: Operation, access: AccessClass, token: AppToken): Answer {
	if (token === "app for the MCP server") return [401, "token_invalid"];
	if (token === "app of another site" && access.about === "site") return [403, "forbidden"];
	// The organization of the approved site is no secret to the app, and not its business either.
	return access.admitsApps ? welcome(operation) : refusal(access);
}

function answerToDead(access: AccessClass, credential: keyof typeof deadCredentials): Answer {
	const isNamed = credential === "no credential" && access.namesRefusals;
	return isNamed ? [401, "missing_credentials"] : deadCredentials[credential];
}

function keysFor(opening: readonly KeyScope[], key: Key): readonly Headers[] {
	if (key === "key of another site") return [everybody.keyOfOtherSite];
	// A route that no scope opens must stay shut to all of them together.
	if (opening.length === 0) return [everybody.keyWith(keyScopes)];
	if (key === "key with the scope") return opening.map((scope) => everybody.keyWith([scope]));
	const others = keyScopes.filter((scope) => !opening.includes(scope));
	return others.length === 0 ? [] : [everybody.keyWith(others)];
}

/** A probe of these ends the session that calls, or the site `doomed`. */
const changing = ["POST /auth/logout", "DELETE /auth/sessions", "DELETE /admin/impersonate-user", "DELETE /sites/{id}"];
/** Writes of refused requests too: the minute of a key's or app's last use, and the visits that an allowlist records. */
const left = ["api_tokens.last_used_at", "oauth_grants.last_used_at", "ip_allowlist_attempts"];
/** Writes of reads: own usage, opened reports, requests of the script. */
const counted = ["billing_accounts", "usage_days", "lens_reports.view_count", "script_requests"];
/** Those, and writes without any request. */
const traces = [...left, ...counted, ...withoutRequest];

type Asked = readonly [credential: string, headers: Headers, expected: Answer];

/** The first route of each class whose guard the API describes alike. */
const samples = new Set(
	new Map(operations.toReversed().map(({ route, guard }) => [`${classes.get(route)} ${guard}`, route])).values(),
);

/**
 * Callers with which a route is asked: all of them for a sample. One guard judges them, so that the core asks the other routes with those
 * at its boundary and with one of the rest in turn.
 */
function some<Caller>(
	route: string,
	all: readonly Caller[],
	boundary: readonly (NoInfer<Caller> | undefined)[] = [],
): Caller[] {
	const turn = operations.findIndex((operation) => operation.route === route) % all.length;
	return all.filter((caller, place) => !isCore || samples.has(route) || place === turn || boundary.includes(caller));
}

/**
 * The last one in the order of ranks who is refused, the first one who is admitted, a superadmin who acts as another user, and for an
 * organization a stranger, to whom it does not exist; `routes.test.ts` asks as a stranger for every site.
 */
function boundaryOf(access: AccessClass): readonly (Person | undefined)[] {
	const ranks = people.slice(0, people.indexOf("owner of another organization"));
	const isAdmitted = (person: Person) => access.people.includes(person);
	const refused = ranks.findLast((person) => !isAdmitted(person));
	const stranger = access.about === "organization" ? "owner of another organization" : undefined;
	return [refused, people.find(isAdmitted), "impersonating superadmin", stranger];
}

/** A session in a browser, without the token against forged requests. */
const inBrowser = ({ authorization = "" }: Headers): Headers => ({
	cookie: `svc_access_token=${authorization.replace("Bearer ", "")}; svc_csrf_token=guessed`,
	"x-csrf-token": "guessed",
});

/** Callers of a route with the table's promise for each; a session is opened when it is needed. */
async function* askers(
	operation: Operation,
	sessionOf: (person: Person) => Promise<Headers>,
): AsyncGenerator<Asked, void> {
	const { route, method } = operation;
	const access = classOf(route);
	const all = welcome(operation);
	const answer = (of: (access: AccessClass) => Answer): Answer => (access === "everyone" ? all : of(access));
	const dead = Object.keys(everybody.dead) as (keyof typeof deadCredentials)[];
	for (const name of some(route, dead, ["no credential"])) {
		yield [name, everybody.dead[name], answer((own) => answerToDead(own, name))];
	}
	for (const key of some(route, keys)) {
		const expected = answer((own) => answerToKey(operation, own, key));
		const opening = access === "everyone" ? [] : access.keyScopes;
		for (const headers of keysFor(opening, key)) yield [key, headers, expected];
	}
	for (const token of some(route, apps)) {
		yield [token, everybody.apps[token], answer((own) => answerToApp(operation, own, token))];
	}
	for (const person of some(route, people, access === "everyone" ? [] : boundaryOf(access))) {
		yield [person, await sessionOf(person), answer((own) => answerToPerson(operation, own, person))];
	}
	if (access === "everyone") return;
	const isRead = method === "GET" || method === "HEAD";
	const expected: Answer = isRead ? answerToPerson(operation, access, "org owner") : [403, "csrf_failed"];
	if (isCore && isRead && !samples.has(route)) return;
	yield ["cookie without its CSRF token", inBrowser(await sessionOf("org owner")), expected];
}

async function differences(probed: readonly Operation[], sessionOf: (person: Person) => Promise<Headers>) {
	const wrong: string[] = [];
	for (const operation of probed) {
		for await (const [credential, headers, expected] of askers(operation, sessionOf)) {
			const given = (await probe(operation, headers)).join(" ");
			if (given === expected.join(" ")) continue;
			wrong.push(`${operation.route} / ${credential}: ${given}, not ${expected.join(" ")}`);
		}
	}
	return wrong;
}

test("every guard answers every credential, and every route its callers, as the access table says; nothing changes by it", async () => {
	const before = await metadataSnapshot(app.metadata, traces);
	const probed = operations.filter(({ route }) => !changing.includes(route));
	assert.deepEqual(await differences(probed, async (person) => everybody.sessions[person]), []);
	assert.deepEqual(changesBetween(before, await metadataSnapshot(app.metadata, traces)), []);
});

/** The site and organization that a stranger names as their own place, where a route asks for one. */
const place = { site: "other", organization: "owner-of-another-organization" };
/** Visits, changes to the own allowlist, and writes without any request. */
const ownTraces = ["ip_allowlist_attempts", "setting_versions", ...withoutRequest];

/** Ids that some routes take in the query. */
const unlisted = ["mapping_id", "custom_param", "domain"];

/** True for a route with a parameter that names a thing in a place, and not the place itself. */
const namesThing = ({ path, security, parameters }: Operation): boolean =>
	security.length > 0 &&
	parameters.some(({ name, in: where, required }) => {
		const isPlace = (name === "id" && sitePaths.test(path)) || ["slug", "token", "type"].includes(name);
		return where === "path" ? !isPlace : where === "query" && required === true && unlisted.includes(name);
	});

const asStranger = (route: string, body?: object) =>
	app.inject(requestOf(route, { headers: everybody.sessions["owner of another organization"], body }));

test("an id of another tenant is not found in one's own place, whatever is asked for it, and nothing changes", async () => {
	const asked = operations.filter(namesThing);
	assert.ok(asked.length >= 40, String(asked.length));
	const before = await metadataSnapshot(app.metadata, ownTraces);
	const wrong: string[] = [];
	for (const operation of asked) {
		const own = sitePaths.test(operation.path) ? { id: place.site } : {};
		const ids = { ...targetsOf(operation, targets), slug: place.organization, ...own };
		const body = operation.hasBody ? changeBodies[operation.route] : undefined;
		assert.ok(!operation.hasBody || body !== undefined, `${operation.route} needs a body in write-samples.ts`);
		const address = addressOf(operation, ids, place.site).replace(/^\/api\/v1/, "");
		const response = await asStranger(`${operation.method} ${address}`, body);
		// Superadmins' routes are shut altogether; the others must not tell whether the id exists.
		const expected = /^\/api\/v1\/(users|admin)\//.test(operation.path) ? 403 : 404;
		if (response.statusCode !== expected) wrong.push(`${operation.route}: ${response.statusCode} ${response.body}`);
	}
	assert.deepEqual(wrong, []);
	assert.deepEqual(changesBetween(before, await metadataSnapshot(app.metadata, ownTraces)), []);
});

test("something of another tenant that a body or query names is refused, and nothing changes", async () => {
	const found = sql<{ id: string }>`select organization_id as id from sites where id = 'shop'`;
	const { rows } = await found.execute(app.metadata);
	const { ids } = everybody;
	const organization = `/organizations/${place.organization}`;
	const ownSites = `${organization}/members/${ids["owner of another organization"]}/sites`;
	const pattern_ids = [Number(targets["/ip-allowlist"]?.id)];
	const queries = [{ id: "theirs", endpoint: "/stats/overview", params: { site_id: "shop" } }];
	const before = await metadataSnapshot(app.metadata, ownTraces);
	for (const [route, body, expected] of [
		["POST /sites", { name: "Mine", org_id: rows[0]?.id }, '"code":"not_found"'],
		["POST /api-tokens", { name: "mine", account_ids: ["shop"] }, '"code":"forbidden"'],
		[`POST ${organization}/members`, { user_id: ids.member }, '"code":"user_not_found"'],
		[`POST ${ownSites}`, { site_ids: ["shop"] }, '"added":[],"already_assigned":[],"invalid":["shop"]'],
		[`POST ${organization}/invitations`, { email: "x@example.com", site_ids: ["shop"] }, '"code":"account_not_found"'],
		["POST /sites/other/users", { user_id: ids.member }, '"code":"user_not_found"'],
		["POST /ip-allowlist/patterns/bulk-delete?account_id=other", { pattern_ids }, '"success_count":0,"error_count":1'],
		["POST /users", { email: "x@example.com", name: "X", password: "a long enough one 7" }, '"code":"forbidden"'],
		["POST /admin/impersonate-user", { user_id: ids.member, reason: "curious" }, '"code":"forbidden"'],
		[`GET /stats/overview?site_id=other&segment=${targets["/segments"]?.id}`, undefined, '"code":"not_found"'],
		["POST /batch", { queries }, "Access denied to account: shop"],
	] as const) {
		const answer = (await asStranger(route, body)).body;
		assert.ok(answer.includes(expected) && !answer.includes("entrances"), `${route}: ${answer}`);
	}
	assert.deepEqual(changesBetween(before, await metadataSnapshot(app.metadata, ownTraces)), []);
});

test("the routes that change something even so answer as the table says", async () => {
	const probed = operations.filter(({ route }) => changing.includes(route));
	assert.deepEqual(probed.map(({ route }) => route).sort(), [...changing].sort());
	assert.deepEqual(await differences(probed, everybody.freshSession), []);
});

test("none of these requests left an internal error, or a word of a user's address or credentials, in the log", () => {
	assert.ok(app.logLines.some((line) => line.includes("/api/v1/stats/overview")));
	assert.deepEqual(
		app.logLines.filter((line) => /Request failed|@example\.com|Bearer|svc_\w|oat_\w/.test(line)),
		[],
	);
});
