import { AccountQuery } from "../../../access/index.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { ErrorRef, Success } from "../../../platform/http/schemas.ts";
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
const shutsOut = { description: "`conflict`: the caller's own address would be shut out", ...ErrorRef };

/** Bulk routes of patterns; valid ones are stored, the others are listed in the answer. */
export function registerBulkRoutes(app: App, deps: AllowlistDeps): void {
	registerBulk(app, deps);
	registerText(app, deps);
}

function registerBulk(app: App, deps: AllowlistDeps): void {
	app.route({
		method: "POST",
		url: "/ip-allowlist/patterns/bulk",
		schema: {
			tags,
			summary: "Let many addresses in",
			querystring: AccountQuery,
			body: BulkBody,
			response: { 201: Success(Bulk) },
		},
		config: { guard: writing },
		handler: async (request, reply) => {
			const result = await addPatterns(deps, changeOf(request), request.body.patterns.map(parsePattern));
			return reply.code(201).send(success(presentBulk(result)));
		},
	});
	app.route({
		method: "POST",
		url: "/ip-allowlist/patterns/bulk-delete",
		schema: {
			tags,
			summary: "Remove many patterns of the IP allowlist",
			querystring: AccountQuery,
			body: BulkDeleteBody,
			response: { 200: Success(Bulk), 409: shutsOut },
		},
		config: { guard: { ...writing, impersonation: "refused" } },
		handler: async (request) =>
			success(presentBulk(await removePatterns(deps, changeOf(request), request.body.pattern_ids))),
	});
}

function registerText(app: App, deps: AllowlistDeps): void {
	app.route({
		method: "GET",
		url: "/ip-allowlist/export",
		schema: {
			tags,
			summary: "The patterns as text, one a line",
			querystring: ListQuery,
			response: { 200: Success(Export) },
		},
		config: { guard: reading },
		handler: async (request) => {
			const rows = await listPatterns(deps.metadata, request.site.id);
			const listed = request.query.include_inactive ? rows : rows.filter((row) => row.is_active === 1);
			return success({ text: exportText(listed), count: listed.length });
		},
	});
	app.route({
		method: "POST",
		url: "/ip-allowlist/import",
		schema: {
			tags,
			summary: "Let the addresses of a text in",
			querystring: AccountQuery,
			body: ImportBody,
			response: { 200: Success(Bulk) },
		},
		config: { guard: writing },
		handler: async (request) => {
			const { text, default_pattern_type: defaultType, label_prefix: prefix, skip_duplicates } = request.body;
			const input = { text, defaultType, labelPrefix: prefix ?? null, skipDuplicates: skip_duplicates };
			return success(presentBulk(await importPatterns(deps, changeOf(request), input)));
		},
	});
}
