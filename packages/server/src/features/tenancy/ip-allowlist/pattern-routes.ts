import { Type } from "typebox";
import { AccountQuery } from "../../../access/index.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { ErrorRef, Success } from "../../../platform/http/schemas.ts";
import { addPattern } from "./add-patterns.ts";
import { changePattern, patternNotFound, removePattern } from "./change-patterns.ts";
import type { AllowlistDeps } from "./deps.ts";
import { changeOf, reading, writing } from "./guards.ts";
import { parseChanges, parsePattern } from "./parse.ts";
import { presentPattern, presentPatterns } from "./present.ts";
import { ChangePatternBody, CreatePatternBody, ListQuery, Pattern, PatternList, PatternParams } from "./schemas.ts";
import { findPattern, listPatterns } from "./store.ts";

const tags = ["IP allowlist"];
const tooMany = {
	description: "`duplicate_entry`, or `conflict`: the site has 1,000 patterns or 100 expressions already",
	...ErrorRef,
};
const clash = {
	description: "`duplicate_entry`, or `conflict`: the caller's own address would be shut out",
	...ErrorRef,
};
const shutsOut = { description: "`conflict`: the caller's own address would be shut out", ...ErrorRef };

/** Routes on single patterns. */
export function registerPatternRoutes(app: App, deps: AllowlistDeps): void {
	registerReads(app, deps);
	registerWrites(app, deps);
	registerRemoval(app, deps);
}

function registerReads(app: App, deps: AllowlistDeps): void {
	app.route({
		method: "GET",
		url: "/ip-allowlist/patterns",
		schema: {
			tags,
			summary: "Patterns of the IP allowlist",
			querystring: ListQuery,
			response: { 200: Success(PatternList) },
		},
		config: { guard: reading },
		handler: async (request) => {
			const rows = await listPatterns(deps.metadata, request.site.id);
			return success(presentPatterns(rows, request.query.include_inactive));
		},
	});
	app.route({
		method: "GET",
		url: "/ip-allowlist/patterns/:id",
		schema: {
			tags,
			summary: "One pattern of the IP allowlist",
			params: PatternParams,
			querystring: AccountQuery,
			response: { 200: Success(Pattern) },
		},
		config: { guard: reading },
		handler: async (request) => {
			const row = await findPattern(deps.metadata, request.site.id, request.params.id);
			if (row === undefined) throw patternNotFound();
			return success(presentPattern(row));
		},
	});
}

function registerWrites(app: App, deps: AllowlistDeps): void {
	app.route({
		method: "POST",
		url: "/ip-allowlist/patterns",
		schema: {
			tags,
			summary: "Let addresses in",
			querystring: AccountQuery,
			body: CreatePatternBody,
			response: { 201: Success(Pattern), 409: tooMany },
		},
		config: { guard: writing },
		handler: async (request, reply) => {
			const row = await addPattern(deps, changeOf(request), parsePattern(request.body));
			return reply.code(201).send(success(presentPattern(row)));
		},
	});
	app.route({
		method: "PATCH",
		url: "/ip-allowlist/patterns/:id",
		schema: {
			tags,
			summary: "Change a pattern of the IP allowlist",
			params: PatternParams,
			querystring: AccountQuery,
			body: ChangePatternBody,
			response: { 200: Success(Pattern), 409: clash },
		},
		config: { guard: writing },
		handler: async (request) => {
			const changes = parseChanges(request.body);
			return success(presentPattern(await changePattern(deps, changeOf(request), request.params.id, changes)));
		},
	});
}

function registerRemoval(app: App, deps: AllowlistDeps): void {
	app.route({
		method: "DELETE",
		url: "/ip-allowlist/patterns/:id",
		schema: {
			tags,
			summary: "Remove a pattern of the IP allowlist",
			params: PatternParams,
			querystring: AccountQuery,
			response: { 204: Type.Null({ description: "Removed" }), 409: shutsOut },
		},
		config: { guard: writing },
		handler: async (request, reply) => {
			await removePattern(deps, changeOf(request), request.params.id);
			return reply.code(204).send(null);
		},
	});
}
