import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { after, test } from "node:test";
import type { InjectOptions } from "fastify";
import type { Headers } from "../support/access-people.ts";
import { accessScene, addressOf, targetEnv, targetsOf } from "../support/access-targets.ts";
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

/** An address of the operation: the site and the owner's organization in their place, 1 for other ids. */
function plainAddress(operation: Operation, siteId: string): string {
	const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => {
		if (name === "slug") return "org-owner";
		if (name === "id" && /\/(sites|migration\/accounts)\//.test(operation.path)) return siteId;
		const format = operation.parameters.find((parameter) => parameter.name === name)?.schema.format;
		return format === "uuid" ? "00000000-0000-4000-8000-000000000000" : "1";
	});
	const query = operation.parameters
		.filter(({ in: place, name }) => place === "query" && (name === "site_id" || name === "account_id"))
		.slice(0, 1)
		.map(({ name }) => `${name}=${siteId}`);
	return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

const call = (operation: Operation, siteId: string, headers: Headers, payload?: string) =>
	app.inject({
		method: operation.method,
		url: plainAddress(operation, siteId),
		headers: { ...headers, ...(payload !== undefined && { "content-type": "application/json" }) },
		...(payload !== undefined && { payload }),
	});

test("a site of another tenant is refused on every route that names one, and an unknown site is not found", async () => {
	const onSite = operations.filter((operation) => plainAddress(operation, "<site>").includes("<site>"));
	const asked = onSite.filter(({ security }) => security.length > 0);
	assert.ok(asked.length > 100, String(asked.length));
	for (const operation of asked) {
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

test("a body that is no JSON answers 400, one of the wrong type 422", async () => {
	for (const operation of operations.filter(({ hasBody }) => hasBody)) {
		// It asks for a key of its own before it looks at anything else.
		if (operation.path === "/api/v1/provision" || speaksOAuth(operation)) continue;
		const broken = await call(operation, "shop", root, "{");
		assert.deepEqual([broken.statusCode, broken.json().error.code], [400, "bad_request"], operation.route);
		const wrong = await call(operation, "shop", root, "[1]");
		assert.deepEqual([wrong.statusCode, wrong.json().error.code], [422, "validation_error"], operation.route);
		assert.match(wrong.json().error.detail[0].field, /^(body|path\..*)$/, operation.route);
	}
});

test("an integer in a path or query that is none answers 422 on that field", async () => {
	for (const operation of operations) {
		for (const { name, in: place, schema } of operation.parameters) {
			// A body is looked at before the query.
			if (schema.type !== "integer" || (place === "query" && operation.hasBody)) continue;
			const address = plainAddress(operation, "shop");
			const url =
				place === "path"
					? plainAddress({ ...operation, path: operation.path.replace(`{${name}}`, "5x") }, "shop")
					: `${address}${address.includes("?") ? "&" : "?"}${name}=5x`;
			const response = await app.inject({ method: operation.method, url, headers: { ...root } });
			assert.equal(response.statusCode, 422, `${operation.route} ${name}`);
			const fields = response.json().error.detail.map(({ field }: { field: string }) => field);
			assert.ok(fields.includes(`${place}.${name}`), `${operation.route} ${name}: ${fields}`);
		}
	}
});

test("an unknown query parameter changes nothing", async () => {
	for (const operation of operations.filter(({ method, path }) => method === "GET" && path.startsWith("/api/v1/s"))) {
		const url = plainAddress(operation, "shop");
		const headers = { ...owner };
		const plain = await answerOf(app, { method: "GET", url, headers });
		const more = `${url}${url.includes("?") ? "&" : "?"}no_such_parameter=1`;
		const extra = await answerOf(app, { method: "GET", url: more, headers });
		assert.equal(extra.statusCode, plain.statusCode, operation.route);
		if (plain.body === "") continue;
		const { request_id: _, ...body } = JSON.parse(extra.body);
		const { request_id: __, ...expected } = JSON.parse(plain.body);
		assert.deepEqual(body, expected, operation.route);
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

const MARK = "zqx";

const hostile = [
	`${MARK}' OR 1=1 --`,
	`') UNION SELECT password_hash FROM users -- ${MARK}`,
	`${MARK}\\'; DROP TABLE users; --`,
	`${MARK}\r\nSet-Cookie: ${MARK}=1`,
	`${MARK}\0`,
	`<script>${MARK}</script>`,
	`../../../../etc/passwd%00${MARK}`,
	`{{7*7}}\${7*7} ${MARK}`,
	`=cmd|'/c calc'!A1 ${MARK}`,
	`(a+)+$${MARK}`,
	"9".repeat(400),
	"-1e309",
];

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

/** Reports have a test of their own, which looks at what the event store is asked. */
const notReports = () => operations.filter(({ path }) => path.startsWith("/api/v1/") && !path.includes("/stats/"));

test("hostile text in any parameter of a path or query is a value or a refusal, never a failure", async () => {
	let sent = 0;
	for (const operation of notReports().filter(({ method }) => method === "GET")) {
		const url = addressOf(operation, targetsOf(operation, targets), "shop");
		const [path = "", query = ""] = url.split("?");
		for (const { name, in: place } of operation.parameters) {
			for (const text of hostile) {
				const given = new URLSearchParams(query);
				if (place === "query") given.set(name, text);
				const named = operation.path.replace(`{${name}}`, encodeURIComponent(text));
				const to = place === "path" ? named : path;
				await held(`${operation.route} ${name}=${text.slice(0, 30)}`, { method: "GET", url: `${to}?${given}` });
				sent += 1;
			}
		}
	}
	assert.ok(sent > 1000, String(sent));
});

/** The body with each of its texts in turn, wherever it lies, put in the place of another. */
function* withText(body: unknown, text: string): Generator<unknown> {
	if (typeof body === "string") yield text;
	else if (Array.isArray(body)) {
		for (const [at, item] of body.entries()) for (const put of withText(item, text)) yield body.with(at, put);
	} else if (typeof body === "object" && body !== null) {
		for (const [name, value] of Object.entries(body)) {
			for (const put of withText(value, text)) yield { ...body, [name]: put };
		}
		yield { ...body, [text]: text };
	}
}

test("hostile text in any field of a body is a value or a refusal, never a failure", async () => {
	let sent = 0;
	for (const operation of notReports()) {
		const body = changeBodies[operation.route];
		// Routes that call others, send mails or take seconds are skipped.
		if (body === undefined || /test|replay|exports|plan/.test(operation.route)) continue;
		const url = addressOf(operation, targetsOf(operation, targets), "shop");
		for (const text of hostile) {
			for (const payload of withText(body, text)) {
				const what = `${operation.route} ${JSON.stringify(payload).slice(0, 80)}`;
				await held(what, { method: operation.method, url, payload: payload as object });
				sent += 1;
			}
		}
	}
	assert.ok(sent > 300, String(sent));
});

test("no request of these left an internal error in the log", () => {
	assert.deepEqual(
		app.logLines.filter((line) => line.includes("Request failed")),
		[],
	);
});
