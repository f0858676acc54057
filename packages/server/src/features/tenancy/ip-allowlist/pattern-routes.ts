import type { Static } from "typebox";
import { AccountQuery } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
import {
	addPattern,
	addPatterns,
	changePattern,
	exportText,
	importPatterns,
	patternNotFound,
	removePattern,
	removePatterns,
} from "./change-patterns.ts";
import type { AllowlistDeps } from "./deps.ts";
import { changeOf, reading, writing } from "./guards.ts";
import { presentBulk, presentPattern, presentPatterns } from "./present.ts";
import {
	Bulk,
	BulkBody,
	BulkDeleteBody,
	ChangePatternBody,
	CreatePatternBody,
	Export,
	ImportBody,
	ListQuery,
	Pattern,
	PatternList,
	PatternParams,
} from "./schemas.ts";
import { findPattern, listPatterns, type PatternFields } from "./store.ts";

const tags = ["IP allowlist"];
const tooMany = {
	description: "`duplicate_entry`, or `conflict`: the site has 1,000 patterns or 100 expressions already",
	...ErrorRef,
};
const clash = {
	description: "`duplicate_entry`, or `conflict`: the caller's own address would be locked out",
	...ErrorRef,
};
const shutsOut = { description: "`conflict`: the caller's own address would be locked out", ...ErrorRef };

export function registerPatternRoutes(app: App, deps: AllowlistDeps): void {
	registerReads(app, deps);
	registerWrites(app, deps);
	registerRemoval(app, deps);
}

function registerReads(app: App, deps: AllowlistDeps): void {
	addRoute(app, "GET /ip-allowlist/patterns", {
		tags,
		summary: "Patterns of the IP allowlist",
		querystring: ListQuery,
		guard: reading,
		data: PatternList,
		handler: async (request) => {
			const rows = await listPatterns(deps.metadata, request.site.id);
			return presentPatterns(rows, request.query.include_inactive);
		},
	});
	addRoute(app, "GET /ip-allowlist/patterns/:id", {
		tags,
		summary: "One pattern of the IP allowlist",
		params: PatternParams,
		querystring: AccountQuery,
		guard: reading,
		data: Pattern,
		handler: async (request) => {
			const row = await findPattern(deps.metadata, request.site.id, request.params.id);
			if (row === undefined) throw patternNotFound();
			return presentPattern(row);
		},
	});
}

function registerWrites(app: App, deps: AllowlistDeps): void {
	addRoute(app, "POST /ip-allowlist/patterns", {
		tags,
		summary: "Add a pattern to the IP allowlist",
		querystring: AccountQuery,
		body: CreatePatternBody,
		guard: writing,
		status: 201,
		data: Pattern,
		errors: { 409: tooMany },
		handler: async (request) => {
			const row = await addPattern(deps, changeOf(request), parsePattern(request.body));
			return presentPattern(row);
		},
	});
	addRoute(app, "PATCH /ip-allowlist/patterns/:id", {
		tags,
		summary: "Change a pattern of the IP allowlist",
		params: PatternParams,
		querystring: AccountQuery,
		body: ChangePatternBody,
		guard: writing,
		data: Pattern,
		errors: { 409: clash },
		handler: async (request) => {
			const changes = parseChanges(request.body);
			return presentPattern(await changePattern(deps, changeOf(request), request.params.id, changes));
		},
	});
}

function registerRemoval(app: App, deps: AllowlistDeps): void {
	addRoute(app, "DELETE /ip-allowlist/patterns/:id", {
		tags,
		summary: "Remove a pattern of the IP allowlist",
		params: PatternParams,
		querystring: AccountQuery,
		guard: writing,
		empty: "Removed",
		errors: { 409: shutsOut },
		handler: async (request) => {
			await removePattern(deps, changeOf(request), request.params.id);
		},
	});
}

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

const parsePattern = (body: Static<typeof CreatePatternBody>): PatternFields => ({
	pattern: body.pattern,
	pattern_type: body.pattern_type,
	label: body.label ?? null,
	description: body.description ?? null,
	is_active: body.is_active ? 1 : 0,
});

/** The columns to change. Bodies may have unknown fields, so the known ones are picked by name. */
function parseChanges(body: Static<typeof ChangePatternBody>): Partial<PatternFields> {
	const { pattern, pattern_type, label, description, is_active } = body;
	return {
		...(pattern !== undefined && { pattern }),
		...(pattern_type !== undefined && { pattern_type }),
		...(label !== undefined && { label }),
		...(description !== undefined && { description }),
		...(is_active !== undefined && { is_active: is_active ? 1 : 0 }),
	};
}
