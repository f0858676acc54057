import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { AccessPeople, Headers } from "../support/access-people.ts";
import {
	type AccessClass,
	type AccessName,
	type Answer,
	type AppToken,
	accessClasses,
	accessTable,
	apps,
	deadCredentials,
	deletableWhileImpersonating,
	deletingPosts,
	type Key,
	type KeyScope,
	keys,
	type Person,
	people,
	usualAnswers,
} from "../support/access-table.ts";
import { accessScene, addressOf, type Targets, targetEnv, targetsOf, unknownIds } from "../support/access-targets.ts";
import { answerOf } from "../support/answer-of.ts";
import { changesBetween, metadataSnapshot, withoutRequest } from "../support/metadata-snapshot.ts";
import type { Operation } from "../support/operations.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

let app: TestApp;
let everybody: AccessPeople;
let targets: Targets;
let operations: Operation[];
const classes = new Map<string, AccessName>();

before(async () => {
	app = await testApp({ env: targetEnv });
	({ everybody, targets, operations } = await accessScene(app));
	for (const [name, routes] of Object.entries(accessTable)) {
		for (const route of routes) classes.set(route, name as AccessName);
	}
});
after(() => app.close());

const classOf = (route: string): AccessClass | "everyone" => {
	const name = classes.get(route);
	if (name === undefined) throw new Error(`${route} is not in the access table`);
	return accessClasses[name];
};

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
	const named = /^\/api\/v1\/(sites|migration\/accounts)\//.test(path) ? { id: site } : { slug };
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

function answerToPerson(operation: Operation, person: Person): Answer {
	const access = classOf(operation.route);
	if (access === "everyone") return welcome(operation);
	if (person === "impersonating superadmin" && isDeletion(operation)) return [403, "forbidden"];
	if (person === "impersonating superadmin" && deletableWhileImpersonating.has(operation.route)) return [200];
	if (access.people.includes(person)) return welcome(operation);
	return access.about === "organization" && person === "owner of another organization"
		? [404, "not_found"]
		: [403, "forbidden"];
}

function answerToKey(operation: Operation, key: Key): Answer {
	const access = classOf(operation.route);
	if (access === "everyone") return welcome(operation);
	const isOpen = access.keyScopes.length > 0;
	if (key === "key of another site" && access.about === "site") return [403, "forbidden"];
	if (isOpen && key !== "key without the scope") return welcome(operation);
	return [403, access.namesRefusals ? "insufficient_scope" : "forbidden"];
}

function answerToApp(operation: Operation, token: AppToken): Answer {
	const access = classOf(operation.route);
	if (access === "everyone") return welcome(operation);
	if (token === "app for the MCP server") return [401, "token_invalid"];
	if (token === "app of another site" && access.about === "site") return [403, "forbidden"];
	if (access.apps === true) return welcome(operation);
	// The organization of the approved site is no secret to the app, and not its business either.
	return [403, access.namesRefusals ? "insufficient_scope" : "forbidden"];
}

function answerToDead(operation: Operation, credential: keyof typeof deadCredentials): Answer {
	const access = classOf(operation.route);
	if (access === "everyone") return welcome(operation);
	if (credential === "no credential" && access.namesRefusals) return [401, "missing_credentials"];
	return deadCredentials[credential];
}

const allScopes: readonly KeyScope[] = ["stats:read", "sites:read", "accounts:read"];

function keysFor(operation: Operation, key: Key): readonly Headers[] {
	const access = classOf(operation.route);
	const opening: readonly KeyScope[] = access === "everyone" ? [] : access.keyScopes;
	if (key === "key of another site") return [everybody.keyOfOtherSite];
	// A route that no scope opens must stay shut to all of them together.
	if (opening.length === 0) return [everybody.keyWith(allScopes)];
	if (key === "key with the scope") return opening.map((scope) => everybody.keyWith([scope]));
	const others = allScopes.filter((scope) => !opening.includes(scope));
	return others.length === 0 ? [] : [everybody.keyWith(others)];
}

/** A probe of these ends the session that calls, or the site `doomed`. */
const changing = ["POST /auth/logout", "DELETE /auth/sessions", "DELETE /admin/impersonate-user", "DELETE /sites/{id}"];
/**
 * Writes of refused requests too: the minute of a key's or app's last use, and the visits that an allowlist records.
 */
const left = ["api_tokens.last_used_at", "oauth_grants.last_used_at", "ip_allowlist_attempts"];
/** Writes of reads: own usage, opened reports, requests of the script. */
const counted = ["billing_accounts", "usage_days", "lens_reports.view_count", "script_requests"];
/** Those, and writes without any request. */
const traces = [...left, ...counted, ...withoutRequest];

type Asked = readonly [credential: string, headers: Headers, expected: Answer];

/**
 * Every dead credential for the first route of a class. One guard refuses them all, so that the other routes are asked without a credential
 * and with one of the rest in turn.
 */
function deadFor(route: string) {
	const [none, ...others] = Object.entries(everybody.dead);
	const name = classes.get(route) ?? "everyone";
	const place = accessTable[name].indexOf(route);
	return place === 0 ? [none, ...others] : [none, others[place % others.length]];
}

/** Callers of a route with the table's promise for each; a session is opened when it is needed. */
async function* askers(
	operation: Operation,
	sessionOf: (person: Person) => Promise<Headers>,
): AsyncGenerator<Asked, void> {
	for (const [name, headers] of deadFor(operation.route).filter((one) => one !== undefined)) {
		yield [name, headers, answerToDead(operation, name as keyof typeof deadCredentials)];
	}
	for (const key of keys) {
		for (const headers of keysFor(operation, key)) yield [key, headers, answerToKey(operation, key)];
	}
	for (const token of apps) yield [token, everybody.apps[token], answerToApp(operation, token)];
	for (const person of people) yield [person, await sessionOf(person), answerToPerson(operation, person)];
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

test("every route answers every credential as the access table says, and nothing changes by it", async () => {
	const before = await metadataSnapshot(app.metadata, traces);
	const probed = operations.filter(({ route }) => !changing.includes(route));
	assert.deepEqual(await differences(probed, async (person) => everybody.sessions[person]), []);
	assert.deepEqual(changesBetween(before, await metadataSnapshot(app.metadata, traces)), []);
});

test("a cookie without its CSRF token changes nothing on any route, and reads what its user reads", async () => {
	const token = String(everybody.sessions["org owner"].authorization).replace("Bearer ", "");
	const cookie = { cookie: `svc_access_token=${token}; svc_csrf_token=guessed`, "x-csrf-token": "guessed" };
	const wrong: string[] = [];
	for (const operation of operations.filter(({ route }) => classOf(route) !== "everyone")) {
		const isRead = operation.method === "GET" || operation.method === "HEAD";
		const expected = isRead ? answerToPerson(operation, "org owner") : [403, "csrf_failed"];
		const given = await probe(operation, cookie);
		if (given.join(" ") !== expected.join(" ")) wrong.push(`${operation.route}: ${given.join(" ")}`);
	}
	assert.deepEqual(wrong, []);
});

test("the routes that change something even so answer as the table says", async () => {
	const probed = operations.filter(({ route }) => changing.includes(route));
	assert.deepEqual(probed.map(({ route }) => route).sort(), [...changing].sort());
	assert.deepEqual(await differences(probed, everybody.freshSession), []);
});

test("none of these requests left an internal error in the log", () => {
	assert.deepEqual(
		app.logLines.filter((line) => line.includes("Request failed")),
		[],
	);
});
