import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn } from "../support/accounts.ts";
import { answerOf } from "../support/answer-of.ts";
import { type Operation, operationsOf } from "../support/operations.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

let app: TestApp;
let owner: Session;
let stranger: Session;
let root: Session;
let site: string;
let operations: Operation[];

before(async () => {
	app = await testApp();
	owner = await signIn(app, { email: "owner@example.com" });
	stranger = await signIn(app, { email: "stranger@example.com" });
	root = await signIn(app, { email: "root@example.com", role: "superadmin" });
	site = await createSite(app, owner);
	operations = operationsOf(app);
});
after(() => app.close());

/** An address of the operation: the site and the owner's organization in their place, 1 for other ids. */
function addressOf(operation: Operation, siteId: string): string {
	const path = operation.path.replace(/\{(\w+)\}/g, (_, name) => {
		if (name === "slug") return "ann";
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

const call = (operation: Operation, siteId: string, headers: Record<string, string> = {}, payload?: string) =>
	app.inject({
		method: operation.method as "GET",
		url: addressOf(operation, siteId),
		headers: payload === undefined ? headers : { ...headers, "content-type": "application/json" },
		...(payload === undefined ? {} : { payload }),
	});

const guarded = () => operations.filter(({ security }) => security.length > 0);
const onSite = () => guarded().filter((operation) => addressOf(operation, "<site>").includes("<site>"));
const label = ({ method, path }: Operation) => `${method} ${path}`;

test("there are routes of every kind to check", () => {
	assert.ok(guarded().length >= 20, String(guarded().length));
	assert.ok(onSite().length >= 15, String(onSite().length));
});

test("a site of another tenant is refused on every route that names one, and an unknown site is not found", async () => {
	for (const operation of onSite()) {
		const payload = operation.hasBody ? "{}" : undefined;
		const foreign = await call(operation, site, stranger.headers, payload);
		assert.equal(foreign.statusCode, 403, label(operation));
		assert.equal(foreign.json().error.message, `Access denied to account: ${site}`, label(operation));
		const unknown = await call(operation, "no-such-site", owner.headers, payload);
		assert.equal(unknown.statusCode, 404, label(operation));
		assert.equal(unknown.json().error.code, "account_not_found", label(operation));
	}
});

/** These speak OAuth, whose errors and forms are its own. */
const speaksOAuth = ({ path }: Operation) => /^\/api\/v1\/oauth\/(register|authorize|token|revoke)$/.test(path);

test("a body that is no JSON answers 400, one of the wrong type 422", async () => {
	for (const operation of operations.filter(({ hasBody }) => hasBody)) {
		// It asks for a key of its own before it looks at anything else.
		if (operation.path === "/api/v1/provision" || speaksOAuth(operation)) continue;
		const broken = await call(operation, site, root.headers, "{");
		assert.deepEqual([broken.statusCode, broken.json().error.code], [400, "bad_request"], label(operation));
		const wrong = await call(operation, site, root.headers, "[1]");
		assert.deepEqual([wrong.statusCode, wrong.json().error.code], [422, "validation_error"], label(operation));
		assert.match(wrong.json().error.detail[0].field, /^(body|path\..*)$/, label(operation));
	}
});

test("an integer in a path or query that is none answers 422 on that field", async () => {
	for (const operation of operations) {
		for (const { name, in: place, schema } of operation.parameters) {
			// A body is looked at before the query.
			if (schema.type !== "integer" || (place === "query" && operation.hasBody)) continue;
			const address = addressOf(operation, site);
			const url =
				place === "path"
					? addressOf({ ...operation, path: operation.path.replace(`{${name}}`, "5x") }, site)
					: `${address}${address.includes("?") ? "&" : "?"}${name}=5x`;
			const response = await app.inject({ method: operation.method as "GET", url, headers: root.headers });
			assert.equal(response.statusCode, 422, `${label(operation)} ${name}`);
			const fields = response.json().error.detail.map(({ field }: { field: string }) => field);
			assert.ok(fields.includes(`${place}.${name}`), `${label(operation)} ${name}: ${fields}`);
		}
	}
});

test("an unknown query parameter changes nothing", async () => {
	for (const operation of operations.filter(({ method, path }) => method === "GET" && path.startsWith("/api/v1/s"))) {
		const url = addressOf(operation, site);
		const plain = await answerOf(app, { method: "GET", url, headers: owner.headers });
		const extra = await answerOf(app, {
			method: "GET",
			url: `${url}${url.includes("?") ? "&" : "?"}no_such_parameter=1`,
			headers: owner.headers,
		});
		assert.equal(extra.statusCode, plain.statusCode, label(operation));
		if (plain.body === "") continue;
		const { request_id: _, ...body } = JSON.parse(extra.body);
		const { request_id: __, ...expected } = JSON.parse(plain.body);
		assert.deepEqual(body, expected, label(operation));
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
		assert.ok(
			known.every((method) => allowed.includes(method)),
			`${path}: ${allowed}`,
		);
	}
});

test("no request of these left an internal error in the log", () => {
	assert.deepEqual(
		app.logLines.filter((line) => line.includes("Request failed")),
		[],
	);
});
