import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { days, type ExportSite, exportSite } from "../../../../test/support/export-site.ts";
import { testApp } from "../../../../test/support/test-app.ts";

let site: ExportSite;
before(async () => {
	site = await exportSite(await testApp());
});
after(() => site.app.close());

const faults: readonly (readonly [title: string, body: object, status: number, field?: string])[] = [
	["no type", days, 422, "body.export_type"],
	["an unknown type", { ...days, export_type: "visitors" }, 422, "body.export_type"],
	["an unknown format", { ...days, export_type: "pages", format: "xml" }, 422, "body.format"],
	["no start", { export_type: "pages", date_to: "2026-11-21" }, 422, "body.date_from"],
	["a day that does not exist", { export_type: "pages", ...days, date_to: "2026-02-30" }, 422, "body.date_to"],
	["the end before the start", { export_type: "pages", date_from: "2026-11-21", date_to: "2026-11-20" }, 400],
	["more than 730 days", { export_type: "pages", date_from: "2024-01-01", date_to: "2026-11-20" }, 400],
	["a bad country", { ...days, export_type: "pages", filters: { country: "Spain" } }, 422, "body.filters.country"],
	["a bad device", { ...days, export_type: "pages", filters: { device_type: "tv" } }, 422, "body.filters.device_type"],
	[
		"a long source",
		{ ...days, export_type: "pages", filters: { utm_source: "x".repeat(256) } },
		422,
		"body.filters.utm_source",
	],
	[
		"a bad advanced filter",
		{ ...days, export_type: "pages", filters: { advanced_filters: "nonsense" } },
		422,
		"body.filters.advanced_filters",
	],
	["filters that are no object", { ...days, export_type: "pages", filters: "a" }, 422, "body.filters"],
];
test("a wrong request is rejected by all three routes without creating a job", async () => {
	for (const [title, body, status, field] of faults) {
		for (const route of ["POST /exports", "POST /exports/estimate", "POST /exports/stream"]) {
			const response = await site.call(route, body);
			assert.equal(response.statusCode, status, `${title}: ${route} ${response.body}`);
			if (field !== undefined) assert.equal(response.json().error.detail[0].field, field, title);
		}
	}
	assert.equal((await site.call("GET /exports")).json().total, 0);
});

test("site_id is refused everywhere, also beside account_id; a missing account_id is named", async () => {
	const routes: readonly (readonly [string, object?])[] = [
		["POST /exports", { export_type: "pages", ...days }],
		["POST /exports/estimate", { export_type: "pages", ...days }],
		["POST /exports/stream", { export_type: "pages", ...days }],
		["GET /exports"],
		["GET /exports/00000000-0000-4000-8000-000000000000"],
		["DELETE /exports/00000000-0000-4000-8000-000000000000"],
		[`GET /exports/download/${"x".repeat(43)}`],
	];
	for (const [route, body] of routes) {
		for (const query of ["site_id=shop", "site_id=shop&account_id=shop"]) {
			const response = await site.call(route, body, { query });
			assert.equal(response.statusCode, 422, route);
			const fields = response.json().error.detail.map((fault: { field: string }) => fault.field);
			assert.ok(fields.includes("query.site_id"), `${route} ${fields}`);
		}
		const response = await site.call(route, body, { query: "" });
		assert.equal(response.statusCode, 422, route);
		assert.equal(response.json().error.detail[0].field, "query.account_id");
	}
});
