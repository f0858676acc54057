import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { writeRoles } from "../src/api/api.generated.ts";
import { withoutScreen } from "./support/without-screen.ts";

const at = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const methods = ["get", "post", "put", "patch", "delete"];

const { paths } = JSON.parse(readFileSync(at("../../../docs/openapi.json"), "utf8"));

/** The operations of the API as the dashboard names them: without its prefix. */
const operations = Object.entries<object>(paths).flatMap(([path, item]) =>
	Object.keys(item)
		.filter((method) => methods.includes(method))
		.map((method) => `${method.toUpperCase()} ${path.replace(/^\/api\/v1/, "")}`),
);

const sources = globSync("**/*.{ts,tsx}", { cwd: at("../src") })
	.filter((file) => !file.includes(".generated.") && !file.endsWith(".test.ts"))
	.map((file) => readFileSync(at(`../src/${file}`), "utf8"))
	// Routes in permission checks and in lists of stale queries are not requests.
	.map((source) => source.replaceAll(/\bmay\([^)]*\)|\bstale: \[[^\]]*\]/g, ""));

/** Routes that the dashboard's sources ask, as `call` and `report` take them. */
const called = new Set(
	sources.flatMap((source) =>
		[...source.matchAll(/"((?:GET|POST|PUT|PATCH|DELETE) \/[^"\s]*)"/g)].map(([, route]) => route),
	),
);

test("every operation of a user's API has a screen, but for those that are listed with a reason", () => {
	const missing = operations.filter((operation) => !called.has(operation) && !(operation in withoutScreen));
	assert.deepEqual(missing, []);
});

test("each operation listed as without a screen exists, has none, and has a reason", () => {
	for (const [operation, reason] of Object.entries(withoutScreen)) {
		assert.ok(operations.includes(operation), `${operation} does not exist`);
		assert.ok(!called.has(operation), `${operation} has a screen`);
		assert.ok(reason.length > 10, operation);
	}
});

test("a feature that sends a write asks first whether one's role may", () => {
	const features = Map.groupBy(
		globSync("features/**/*.{ts,tsx}", { cwd: at("../src") }).filter((file) => !file.endsWith(".test.ts")),
		(file) => file.split("/")[1] ?? "",
	);
	const roles: Readonly<Record<string, string>> = writeRoles;
	const unguarded = [...features].flatMap(([feature, files]) => {
		const source = files.map((file) => readFileSync(at(`../src/${file}`), "utf8")).join("\n");
		const asked = [...source.matchAll(/\bmay\("([^"]*)"/g)].map(([, route = ""]) => roles[route]);
		if (/\buseLeadsOrganization\(/.test(source)) asked.push("admin");
		const sent = [...source.matchAll(/\bcall\(\s*"([^"]*)"/g)].map(([, route = ""]) => route);
		return [...new Set(sent)]
			.filter((route) => roles[route] !== undefined && roles[route] !== "member" && !asked.includes(roles[route]))
			.map((route) => `${feature}: ${route}`);
	});
	assert.deepEqual(unguarded, []);
});
