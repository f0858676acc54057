import { AccountQuery } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { ErrorRef } from "../../../platform/http/schemas.ts";
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
	description: "`duplicate_entry`, or `conflict`: the caller's own address would be locked out",
	...ErrorRef,
};
const shutsOut = { description: "`conflict`: the caller's own address would be locked out", ...ErrorRef };

/** Routes on single patterns. */
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
