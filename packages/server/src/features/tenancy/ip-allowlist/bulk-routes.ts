import { AccountQuery } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import { addPatterns } from "./add-patterns.ts";
import { removePatterns } from "./change-patterns.ts";
import type { AllowlistDeps } from "./deps.ts";
import { changeOf, reading, writing } from "./guards.ts";
import { exportText, importPatterns } from "./import-patterns.ts";
import { parsePattern } from "./parse.ts";
import { presentBulk } from "./present.ts";
import { Bulk, BulkBody, BulkDeleteBody, Export, ImportBody, ListQuery } from "./schemas.ts";
import { listPatterns } from "./store.ts";

const tags = ["IP allowlist"];
const shutsOut = { description: "`conflict`: the caller's own address would be locked out", ...ErrorRef };

/** Bulk routes of patterns; valid ones are stored, the others are listed in the answer. */
export function registerBulkRoutes(app: App, deps: AllowlistDeps): void {
	registerBulk(app, deps);
	registerText(app, deps);
}

function registerBulk(app: App, deps: AllowlistDeps): void {
	addRoute(app, "POST /ip-allowlist/patterns/bulk", {
		tags,
		summary: "Add many patterns to the IP allowlist",
		querystring: AccountQuery,
		body: BulkBody,
		guard: writing,
		status: 201,
		data: Bulk,
		handler: async (request) => {
			const result = await addPatterns(deps, changeOf(request), request.body.patterns.map(parsePattern));
			return presentBulk(result);
		},
	});
	addRoute(app, "POST /ip-allowlist/patterns/bulk-delete", {
		tags,
		summary: "Remove many patterns from the IP allowlist",
		querystring: AccountQuery,
		body: BulkDeleteBody,
		guard: { ...writing, impersonation: "refused" },
		data: Bulk,
		errors: { 409: shutsOut },
		handler: async (request) => presentBulk(await removePatterns(deps, changeOf(request), request.body.pattern_ids)),
	});
}

function registerText(app: App, deps: AllowlistDeps): void {
	addRoute(app, "GET /ip-allowlist/export", {
		tags,
		summary: "Export the patterns as text, one per line",
		querystring: ListQuery,
		guard: reading,
		data: Export,
		handler: async (request) => {
			const rows = await listPatterns(deps.metadata, request.site.id);
			const listed = request.query.include_inactive ? rows : rows.filter((row) => row.is_active === 1);
			return { text: exportText(listed), count: listed.length };
		},
	});
	addRoute(app, "POST /ip-allowlist/import", {
		tags,
		summary: "Import patterns from text",
		querystring: AccountQuery,
		body: ImportBody,
		guard: writing,
		data: Bulk,
		handler: async (request) => {
			const { text, default_pattern_type: defaultType, label_prefix: prefix, skip_duplicates } = request.body;
			const input = { text, defaultType, labelPrefix: prefix ?? null, skipDuplicates: skip_duplicates };
			return presentBulk(await importPatterns(deps, changeOf(request), input));
		},
	});
}
