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
			assert.match(JSON.stringify(operation.responses), /#\/components\/(responses|schemas\/Error)/);
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
				if (json === undefined) continue;
				const name = json.schema?.$ref?.replace("#/components/schemas/", "");
				if (name === undefined || components.schemas[name] === undefined)
					lacking.push(`${method} ${path}: ${part} name`);
				if (json.example === undefined) lacking.push(`${method} ${path}: ${part} example`);
			}
		}
	}
	assert.deepEqual(lacking, []);
});

test("answers describe their headers, bodies whether they may be left out, and forms their files", () => {
	const { paths, components } = JSON.parse(printOpenApi(app.app));
	interface Answer {
		readonly $ref?: string;
		readonly headers?: Readonly<Record<string, { readonly $ref: string }>>;
	}
	const headersOf = ({ $ref = "", headers }: Answer): string[] =>
		Object.keys(headers ?? components.responses[$ref.replace("#/components/responses/", "")].headers);
	const usual = ["X-Request-ID", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
	for (const operations of Object.values<Record<string, { responses: Record<string, Answer> }>>(paths)) {
		for (const [status, answer] of Object.values(operations).flatMap(({ responses }) => Object.entries(responses))) {
			const names = headersOf(answer);
			const expected = status === "429" || status === "503" ? [...usual, "Retry-After"] : usual;
			assert.deepEqual(status < "4" ? names.slice(0, 4) : names, expected);
			assert.ok(names.every((name) => name in components.headers));
		}
	}
	const operation = (route: string) => {
		const [method = "", path] = route.split(" ");
		return paths[path?.startsWith("/t.js") ? path : `/api/v1${path}`][method];
	};
	const ofSuccess = (route: string, status: number) => headersOf(operation(route).responses[status]).slice(4);
	assert.deepEqual(ofSuccess("post /auth/token", 200), ["Set-Cookie"]);
	assert.deepEqual(ofSuccess("post /exports/stream", 200), ["Content-Disposition"]);
	assert.deepEqual(ofSuccess("get /oauth/authorize", 302), ["Location"]);
	assert.deepEqual(ofSuccess("get /sites", 200), []);
	const needed = (route: string) => operation(route).requestBody.required;
	const optional = ["/webhooks/{endpoint_id}/test", "/alerts/rules/{id}/test", "/integrations/bigquery/sync"];
	const replay = "/webhooks/{endpoint_id}/deliveries/{delivery_id}/replay";
	for (const path of [...optional, replay]) assert.equal(needed(`post ${path}`), false, path);
	assert.equal(needed("post /sites"), true);
	const { content } = operation("post /integrations/bigquery").requestBody;
	const required = Object.values<{ schema: { $ref: string } }>(content).map(
		({ schema: { $ref } }) => components.schemas[$ref.replace("#/components/schemas/", "")].required,
	);
	assert.deepEqual(required, [
		["service_account", "gcp_project_id"],
		["service_account_file", "gcp_project_id"],
	]);
	assert.deepEqual(Object.keys(operation("get /t.js").responses).slice(0, 4), ["200", "304", "400", "404"]);
});

test("no PUT or PATCH has a default for a field of its body: what a request omits stays", () => {
	const { paths, components } = JSON.parse(printOpenApi(app.app));
	const defaults = Object.entries<Record<string, { requestBody?: Body }>>(paths).flatMap(([path, operations]) =>
		["put", "patch"].flatMap((method) =>
			Object.values(operations[method]?.requestBody?.content ?? {}).flatMap(({ schema }) => {
				const name = schema?.$ref?.replace("#/components/schemas/", "") ?? "";
				const fields = Object.entries<object>(components.schemas[name]?.properties ?? {});
				return fields.filter(([, field]) => "default" in field).map(([field]) => `${method} ${path} ${field}`);
			}),
		),
	);
	assert.deepEqual(defaults, []);
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
