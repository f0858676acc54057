import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { printOpenApi } from "../../src/composition/openapi-text.ts";
import { sharedTestApp } from "../support/accounts.ts";

const committed = new URL("../../../../docs/openapi.json", import.meta.url);

const app = sharedTestApp();

test("docs/openapi.json is the description of this code", () => {
	const isSame = readFileSync(committed, "utf8") === printOpenApi(app.app);
	assert.ok(isSame, "docs/openapi.json differs: run `./footfall openapi > docs/openapi.json`");
});

test("the description is served as OpenAPI 3.1 to everyone", async () => {
	const response = await app.inject({ method: "GET", url: "/api/v1/openapi.json" });
	const { openapi, info } = response.json();
	assert.deepEqual([response.statusCode, openapi, info.version], [200, "3.1.0", "2.0.0"]);
});

type Json = ReturnType<typeof JSON.parse>;

function described() {
	const { paths, tags, components } = JSON.parse(printOpenApi(app.app));
	const operations = Object.entries<Record<string, Json>>(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, operation]) => [`${method} ${path}`, operation] as const),
	);
	const byRoute = new Map<string, Json>(operations);
	const operation = (route: string) =>
		byRoute.get(route) ?? byRoute.get(route.replace(" ", " /api/v1")) ?? assert.fail(`There is no ${route}`);
	return { tags, components, operations, operation };
}

const schemaName = (body: Json): string => body?.schema?.$ref?.replace("#/components/schemas/", "") ?? "";

test("every operation has an id of its own for generated clients, a summary and the error envelope", () => {
	const { operations, tags } = described();
	const known = new Set(tags.map((tag: { name: string }) => tag.name));
	assert.equal(new Set(operations.map(([, { operationId }]) => operationId)).size, operations.length);
	for (const [route, operation] of operations) {
		assert.ok(operation.summary, route);
		const unknown = operation.tags.filter((tag: string) => !known.has(tag));
		assert.deepEqual(unknown, [], `${route} has tags that are not described`);
		assert.match(JSON.stringify(operation.responses), /#\/components\/(responses|schemas\/Error)/);
	}
});

test("every operation tells programs what its guard asks for", () => {
	const { operations, operation } = described();
	const without = operations.filter(([, one]) => one["x-guard"] === undefined);
	assert.deepEqual(without, []);
	const keys = ["stats:read"];
	for (const [route, rule] of Object.entries({
		"patch /sites/{id}": { kind: "site", role: "admin", write: true },
		"get /stats/overview": { kind: "site", role: "viewer", write: false, keys },
		"get /sites": { kind: "principal", write: false, keys: ["sites:read"] },
		"get /users": { kind: "session", write: false, superadmin: true },
		"post /auth/token": { kind: "public" },
	})) {
		assert.deepEqual(operation(route)["x-guard"], rule, route);
	}
});

test("every operation says who may use it; its JSON body and its answer have a name and an example", () => {
	const { operations, components } = described();
	const lacking = operations.flatMap(([route, { description, requestBody, responses }]) => {
		const bodies = Object.entries<Json>({ ...responses, body: requestBody }).flatMap(([part, body]) => {
			const json = body?.content?.["application/json"];
			if (json === undefined || !(part === "body" || part.startsWith("2"))) return [];
			const isNamed = components.schemas[schemaName(json)] !== undefined;
			return [...(isNamed ? [] : [`${part} name`]), ...(json.example === undefined ? [`${part} example`] : [])];
		});
		const isFor = /^(Public|Requires )/m.test(description);
		return [...(isFor ? [] : ["who"]), ...bodies].map((what) => `${route}: ${what}`);
	});
	assert.deepEqual(lacking, []);
});

test("answers describe their headers, bodies whether they may be left out, and forms their files", () => {
	const { operations, operation, components } = described();
	const headersOf = ({ $ref = "", headers }: Json): string[] =>
		Object.keys(headers ?? components.responses[$ref.replace("#/components/responses/", "")].headers);
	const usual = ["X-Request-ID", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset"];
	for (const [status, answer] of operations.flatMap(([, { responses }]) => Object.entries(responses))) {
		const names = headersOf(answer);
		const expected = status === "429" || status === "503" ? [...usual, "Retry-After"] : usual;
		assert.deepEqual(status < "4" ? names.slice(0, 4) : names, expected);
		assert.ok(names.every((name) => name in components.headers));
	}
	for (const [route, status, more] of [
		["post /auth/token", 200, ["Set-Cookie"]],
		["post /exports/stream", 200, ["Content-Disposition"]],
		["get /oauth/authorize", 302, ["Location"]],
		["get /sites", 200, []],
	] as const) {
		assert.deepEqual(headersOf(operation(route).responses[status] ?? {}).slice(4), more, route);
	}
	const needed = (route: string) => Object(operation(route).requestBody).required;
	const optional = ["/webhooks/{endpoint_id}/test", "/alerts/rules/{id}/test", "/integrations/bigquery/sync"];
	const replay = "/webhooks/{endpoint_id}/deliveries/{delivery_id}/replay";
	for (const path of [...optional, replay]) assert.equal(needed(`post ${path}`), false, path);
	assert.equal(needed("post /sites"), true);
	const forms = Object.values(operation("post /integrations/bigquery").requestBody?.content ?? {});
	const required = forms.map((form) => components.schemas[schemaName(form)].required.join());
	assert.deepEqual(required, ["service_account,gcp_project_id", "service_account_file,gcp_project_id"]);
	assert.deepEqual(Object.keys(operation("get /t.js").responses).slice(0, 4), ["200", "304", "400", "404"]);
});

test("no PUT or PATCH has a default for a field of its body: what a request omits stays", () => {
	const { operations, components } = described();
	const defaults = operations
		.filter(([route]) => /^(put|patch) /.test(route))
		.flatMap(([route, { requestBody }]) =>
			Object.values(requestBody?.content ?? {}).flatMap((body) => {
				const fields = Object.entries<object>(components.schemas[schemaName(body)]?.properties ?? {});
				return fields.filter(([, field]) => "default" in field).map(([field]) => `${route} ${field}`);
			}),
		);
	assert.deepEqual(defaults, []);
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
