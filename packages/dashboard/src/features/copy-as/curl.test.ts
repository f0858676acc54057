import assert from "node:assert/strict";
import test from "node:test";
import { curlOf } from "./curl.ts";

const address = (route: string, _: object, query: object) =>
	`/api/v1${route.slice(route.indexOf(" ") + 1)}?${new URLSearchParams(query as Record<string, string>)}`;

test("a report is copied as the command that asks for it", () => {
	const found = curlOf("https://stats.example", "GET /stats/overview", { site_id: "shop", period: "7d" }, address);
	assert.equal(found, `curl -H "X-API-Key: $KEY" 'https://stats.example/api/v1/stats/overview?site_id=shop&period=7d'`);
});

test("a question with a body keeps the site in the address, and no value ends the shell's word", () => {
	assert.equal(
		curlOf("https://stats.example", "POST /stats/query", { site_id: "shop", filters: { path: "/it's" } }, address),
		`curl -H "X-API-Key: $KEY" -H "Content-Type: application/json" 'https://stats.example/api/v1/stats/query?site_id=shop' -d '{"filters":{"path":"/it'\\''s"}}'`,
	);
});
