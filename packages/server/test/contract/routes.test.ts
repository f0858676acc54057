import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { after, test } from "node:test";
import type { InjectOptions } from "fastify";
import type { Headers } from "../support/access-people.ts";
import { accessScene, addressOf, plainAddress, targetEnv, targetsOf, withQuery } from "../support/access-targets.ts";
import { hostile as hostileTexts, isCore, MARK, share } from "../support/hostile-texts.ts";
import { answerOf, type Operation } from "../support/operations.ts";
import { testApp } from "../support/test-app.ts";
import { changeBodies } from "../support/write-samples.ts";

const app = await testApp({ env: targetEnv });
const { everybody, targets, operations } = await accessScene(app);
const { "org owner": owner, "owner of another organization": stranger, superadmin: root } = everybody.sessions;
let statements = 0;
const count = () => {
	statements += 1;
};
subscribe("sqlite.db.query", count);
after(async () => {
	unsubscribe("sqlite.db.query", count);
	await app.close();
});

const call = (operation: Operation, siteId: string, headers: Headers, payload?: string) =>
	app.inject({
		method: operation.method,
		url: plainAddress(operation, siteId),
		headers: { ...headers, ...(payload !== undefined && { "content-type": "application/json" }) },
		...(payload !== undefined && { payload }),
	});

const addressWith = (operation: Operation, given: readonly (readonly [string, string])[]) =>
	withQuery(addressOf(operation, targetsOf(operation, targets), "shop"), given);

test("a site of another tenant is refused on every route that names one, and an unknown site is not found", async () => {
	const onSite = operations.filter((operation) => plainAddress(operation, "no-such-site").includes("no-such-site"));
	const guarded = onSite.filter(({ security }) => security.length > 0);
	assert.ok(guarded.length > 100, String(guarded.length));
	for (const operation of guarded) {
		const payload = operation.hasBody ? "{}" : undefined;
		const foreign = await call(operation, "shop", stranger, payload);
		assert.equal(foreign.statusCode, 403, operation.route);
		assert.equal(foreign.json().error.message, "Access denied to account: shop", operation.route);
		const unknown = await call(operation, "no-such-site", owner, payload);
		assert.equal(unknown.statusCode, 404, operation.route);
		assert.equal(unknown.json().error.code, "account_not_found", operation.route);
	}
});

/** These speak OAuth, whose errors and forms are its own. */
const speaksOAuth = ({ path }: Operation) => /^\/api\/v1\/oauth\/(register|authorize|token|revoke)$/.test(path);

test("a body that is no JSON answers 400", async () => {
	for (const operation of operations.filter(({ hasBody }) => hasBody)) {
		// It asks for a key of its own before it looks at anything else.
		if (operation.path === "/api/v1/provision" || speaksOAuth(operation)) continue;
		const broken = await call(operation, "shop", root, "{");
		assert.deepEqual([broken.statusCode, broken.json().error.code], [400, "bad_request"], operation.route);
	}
});

test("an integer in a path or query that is none answers 422 on that field", async () => {
	for (const operation of operations) {
		for (const { name, in: place, schema } of operation.parameters) {
			// A body is looked at before the query.
			if (schema.type !== "integer" || (place === "query" && operation.hasBody)) continue;
			const path = operation.path.replace(`{${name}}`, "5x");
			const url = addressWith({ ...operation, path }, place === "query" ? [[name, "5x"]] : []);
			const response = await app.inject({ method: operation.method, url, headers: { ...root } });
			assert.equal(response.statusCode, 422, `${operation.route} ${name}`);
			const fields = response.json().error.detail.map(({ field }: { field: string }) => field);
			assert.ok(fields.includes(`${place}.${name}`), `${operation.route} ${name}: ${fields}`);
		}
	}
});

test("an unknown query parameter changes nothing", async () => {
	for (const operation of operations.filter(({ method, path }) => method === "GET" && path.startsWith("/api/v1/s"))) {
		const answerTo = async (given: readonly (readonly [string, string])[]) => {
			const url = addressWith(operation, given);
			const { statusCode, body } = await answerOf(app, { method: "GET", url, headers: { ...owner } });
			const { request_id: _, ...fields } = body === "" ? {} : JSON.parse(body);
			return { statusCode, ...fields };
		};
		assert.deepEqual(await answerTo([["no_such_parameter", "1"]]), await answerTo([]), operation.route);
	}
});

test("every path answers 405 with Allow to a method that it does not know", async () => {
	for (const path of new Set(operations.map(({ path }) => path))) {
		const known = operations.filter((operation) => operation.path === path).map(({ method }) => method);
		const unknown =
			(["PUT", "POST", "DELETE", "PATCH", "GET"] as const).find((method) => !known.includes(method)) ?? "PUT";
		const response = await app.inject({ method: unknown, url: path.replace(/\{\w+\}/g, "1") });
		assert.equal(response.statusCode, 405, path);
		const allowed = String(response.headers.allow).split(", ");
		const missing = known.filter((method) => !allowed.includes(method));
		assert.deepEqual(missing, [], path);
	}
});

const hostile = [...hostileTexts, "9".repeat(400), "-1e309"];
/** In the core each parameter and field gets two texts by turns. */
const parts = isCore ? hostile.length / 2 : 1;

/** Twice what the dearest request of these needs, whatever its text. */
const MOST_STATEMENTS = 60;

/** Sends a request as the site's owner, who gets furthest. */
async function held(what: string, request: Pick<InjectOptions, "method" | "url" | "payload">) {
	statements = 0;
	const { statusCode, headers, body } = await app.inject({ ...request, headers: { ...owner } });
	// An unconfigured feature names the missing setting.
	const isOff = statusCode === 503 && JSON.parse(body).error.code === "service_unavailable" && /[A-Z]_[A-Z]/.test(body);
	assert.ok(statusCode < 500 || isOff, `${what}: ${statusCode} ${body.slice(0, 200)}`);
	const added = Object.entries(headers).filter(([name, value]) => `${name}${value}`.includes(`${MARK}=`));
	assert.deepEqual(added, [], what);
	if (!String(headers["content-type"]).startsWith("application/json")) assert.doesNotMatch(body, /<script>zqx/, what);
	assert.doesNotMatch(body, /\$argon2|root:x:0|SQLITE_|syntax error|node_modules/, what);
	assert.ok(statements <= MOST_STATEMENTS, `${what}: ${statements} statements`);
}

/** Reports have tests of their own, which look at what the event store is asked. */
const notReports = operations.filter(({ path }) => path.startsWith("/api/v1/") && !path.includes("/stats/"));

test("hostile text in any parameter of a path or query is a value or a refusal, never a failure", async () => {
	let [sent, turn] = [0, 0];
	for (const operation of notReports.filter(({ method }) => method === "GET")) {
		for (const { name, in: place } of operation.parameters) {
			for (const text of share(hostile, turn++, parts)) {
				const path = operation.path.replace(`{${name}}`, encodeURIComponent(text));
				const url = place === "path" ? path : addressWith(operation, [[name, text]]);
				await held(`${operation.route} ${name}=${text.slice(0, 30)}`, { method: "GET", url });
				sent += 1;
			}
		}
	}
	assert.ok(sent > 200, String(sent));
});

/** The body with each of its texts in turn, wherever it lies, put in the place of another. */
function* withTexts(body: unknown, texts: () => readonly string[]): Generator<unknown> {
	if (typeof body === "string") yield* texts();
	else if (Array.isArray(body)) {
		for (const [at, item] of body.entries()) for (const put of withTexts(item, texts)) yield body.with(at, put);
	} else if (typeof body === "object" && body !== null) {
		for (const [name, value] of Object.entries(body)) {
			for (const put of withTexts(value, texts)) yield { ...body, [name]: put };
		}
		for (const text of texts()) yield { ...body, [text]: text };
	}
}

test("hostile text in any field of a body is a value or a refusal, never a failure", async () => {
	let [sent, turn] = [0, 0];
	for (const operation of notReports) {
		const body = changeBodies[operation.route];
		// Routes that call others, send mails or take seconds are skipped.
		if (body === undefined || /test|replay|exports|plan/.test(operation.route)) continue;
		const url = addressWith(operation, []);
		for (const payload of withTexts(body, () => share(hostile, turn++, parts))) {
			const what = `${operation.route} ${JSON.stringify(payload).slice(0, 80)}`;
			await held(what, { method: operation.method, url, payload: payload as object });
			sent += 1;
		}
	}
	assert.ok(sent > 200, String(sent));
});

test("no request of these left an internal error in the log", () => {
	assert.deepEqual(
		app.logLines.filter((line) => line.includes("Request failed")),
		[],
	);
});
