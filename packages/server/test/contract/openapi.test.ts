import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { printOpenApi } from "../../src/composition/openapi-text.ts";
import { type TestApp, testApp } from "../support/test-app.ts";

const committed = new URL("../../../../docs/openapi.json", import.meta.url);

let app: TestApp;
before(async () => {
	app = await testApp();
});
after(() => app.close());

test("docs/openapi.json is the description of this code", () => {
	assert.ok(
		readFileSync(committed, "utf8") === printOpenApi(app.app),
		"docs/openapi.json differs: run `./footfall openapi > docs/openapi.json`",
	);
});

test("the description is served as OpenAPI 3.1 to everyone", async () => {
	const response = await app.inject({ method: "GET", url: "/api/v1/openapi.json" });
	assert.equal(response.statusCode, 200);
	assert.equal(response.json().openapi, "3.1.0");
	assert.equal(response.json().info.version, "2.0.0");
});

test("every operation has an id of its own for generated clients, a summary and the error envelope", () => {
	const { paths, tags } = JSON.parse(printOpenApi(app.app));
	const ids = new Set<string>();
	const known = new Set(tags.map((tag: { name: string }) => tag.name));
	for (const [path, operations] of Object.entries<Record<string, never>>(paths)) {
		for (const [method, operation] of Object.entries<{
			operationId: string;
			summary: string;
			tags: string[];
			responses: object;
		}>(operations)) {
			assert.ok(!ids.has(operation.operationId), operation.operationId);
			ids.add(operation.operationId);
			assert.ok(operation.summary, `${method} ${path}`);
			assert.ok(
				operation.tags.every((tag) => known.has(tag)),
				`${method} ${path} has a tag that is not described: ${operation.tags}`,
			);
			assert.match(JSON.stringify(operation.responses), /#\/components\/schemas\/Error/);
		}
	}
});

test("every operation tells programs what its guard asks for", () => {
	const { paths } = JSON.parse(printOpenApi(app.app));
	const all = Object.values<object>(paths).flatMap((operations) =>
		Object.values<Record<string, unknown>>(operations as never),
	);
	assert.deepEqual(
		all.filter((operation) => operation["x-guard"] === undefined).map(({ operationId }) => operationId),
		[],
	);
	const rule = (method: string, path: string) => paths[`/api/v1${path}`][method]["x-guard"];
	assert.deepEqual(rule("patch", "/sites/{id}"), { kind: "site", role: "admin", write: true });
	assert.deepEqual(rule("get", "/stats/overview"), {
		kind: "site",
		role: "viewer",
		write: false,
		keys: ["stats:read"],
	});
	assert.deepEqual(rule("get", "/sites"), { kind: "principal", write: false, keys: ["sites:read"] });
	assert.deepEqual(rule("get", "/users"), { kind: "session", write: false, superadmin: true });
	assert.deepEqual(rule("post", "/auth/token"), { kind: "public" });
});

/** What they answer is a file of whatever was asked for. */
const files = new Set(["post /api/v1/exports/stream", "get /api/v1/exports/download/{download_token}"]);

interface Body {
	readonly content?: Readonly<
		Record<string, { readonly schema?: { readonly $ref?: string }; readonly example?: unknown }>
	>;
}

test("every operation says who may use it; its JSON body and its answer have a name and an example", () => {
	const { paths, components } = JSON.parse(printOpenApi(app.app));
	const lacking: string[] = [];
	for (const [path, operations] of Object.entries<object>(paths)) {
		for (const [method, { description, requestBody, responses }] of Object.entries<{
			description: string;
			requestBody?: Body;
			responses: Record<string, Body>;
		}>(operations as never)) {
			if (!/^(Open to everybody|For )/m.test(description)) lacking.push(`${method} ${path}: who`);
			for (const [part, body] of Object.entries({ ...responses, body: requestBody })) {
				if (part !== "body" && !part.startsWith("2")) continue;
				const json = body?.content?.["application/json"];
				if (json === undefined || files.has(`${method} ${path}`)) continue;
				const name = json.schema?.$ref?.replace("#/components/schemas/", "");
				if (name === undefined || components.schemas[name] === undefined)
					lacking.push(`${method} ${path}: ${part} name`);
				if (json.example === undefined) lacking.push(`${method} ${path}: ${part} example`);
			}
		}
	}
	assert.deepEqual(lacking, []);
});

test("reading the reference does not use up what an address may ask", async () => {
	const limited = await testApp({ env: { RATE_LIMIT_ENABLED: "true" } });
	try {
		for (let turn = 0; turn < 100; turn++) {
			assert.equal((await limited.inject({ url: "/docs/static/swagger-ui.css" })).statusCode, 200);
		}
		const other = await limited.inject({ url: "/api/v1/openapi.json" });
		assert.deepEqual([other.statusCode, other.headers["x-ratelimit-remaining"]], [200, "59"]);
	} finally {
		await limited.close();
	}
});

test("the reference page loads nothing from elsewhere", async () => {
	const page = await app.inject({ method: "GET", url: "/docs/" });
	assert.equal(page.statusCode, 200);
	assert.match(String(page.headers["content-security-policy"]), /^default-src 'none'; script-src 'self';/);
	assert.doesNotMatch(page.body, /(src|href)="(https?:)?\/\//);
	for (const [, file] of page.body.matchAll(/(?:src|href)="(\.\/[^"]+)"/g)) {
		const part = await app.inject({ method: "GET", url: new URL(String(file), "http://host/docs/").pathname });
		assert.equal(part.statusCode, 200, String(file));
	}
	const initializer = await app.inject({ method: "GET", url: "/docs/static/swagger-initializer.js" });
	assert.match(initializer.body, /"validatorUrl":null/);
});
