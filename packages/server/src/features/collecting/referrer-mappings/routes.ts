import { Type } from "typebox";
import { AccountQuery, readingAccount, writingAccount } from "../../../access/index.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { ErrorRef, Success } from "../../../platform/http/schemas.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import type { AttributionChangeDeps } from "../attribution-settings/index.ts";
import { addMapping, changeMapping, mappingNotFound, removeMapping } from "./change-mappings.ts";
import { parseChanges, parseMapping } from "./parse.ts";
import { presentMapping, presentMappings } from "./present.ts";
import { ChangeMappingBody, CreateMappingBody, ListQuery, Mapping, MappingList, MappingParams } from "./schemas.ts";
import { findMapping, listMappings } from "./store.ts";

const tags = ["Referrer mappings"];
const reading = readingAccount("viewer");
const writing = writingAccount("editor");
const tooMany = { description: "`conflict`: the site has 1,000 mappings", ...ErrorRef };

/** Routes on the names that a site gives to its referrers. */
export function registerReferrerMappings(app: App, deps: AttributionChangeDeps): void {
	registerReads(app, deps);
	registerWrites(app, deps);
	registerRemoval(app, deps);
}

function registerReads(app: App, deps: AttributionChangeDeps): void {
	app.route({
		method: "GET",
		url: "/referrer-mappings",
		schema: { tags, summary: "Referrer mappings", querystring: ListQuery, response: { 200: Success(MappingList) } },
		config: { guard: reading },
		handler: async (request) => {
			const rows = await listMappings(deps.metadata, request.site.id);
			return success(presentMappings(rows, request.query.include_inactive));
		},
	});
	app.route({
		method: "GET",
		url: "/referrer-mappings/:mapping_id",
		schema: {
			tags,
			summary: "One referrer mapping",
			params: MappingParams,
			querystring: AccountQuery,
			response: { 200: Success(Mapping) },
		},
		config: { guard: reading },
		handler: async (request) => {
			const row = await findMapping(deps.metadata, request.site.id, request.params.mapping_id);
			if (row === undefined) throw mappingNotFound();
			return success(presentMapping(row));
		},
	});
}

function registerWrites(app: App, deps: AttributionChangeDeps): void {
	app.route({
		method: "POST",
		url: "/referrer-mappings",
		schema: {
			tags,
			summary: "Name the visits that come from a referrer",
			querystring: AccountQuery,
			body: CreateMappingBody,
			response: { 201: Success(Mapping), 409: tooMany },
		},
		config: { guard: writing },
		handler: async (request, reply) => {
			const change = { siteId: request.site.id, actor: actorOf(request) };
			const row = await addMapping(deps, change, parseMapping(request.body));
			return reply.code(201).send(success(presentMapping(row)));
		},
	});
	app.route({
		method: "PATCH",
		url: "/referrer-mappings/:mapping_id",
		schema: {
			tags,
			summary: "Change a referrer mapping",
			params: MappingParams,
			querystring: AccountQuery,
			body: ChangeMappingBody,
			response: { 200: Success(Mapping) },
		},
		config: { guard: writing },
		handler: async (request) => {
			const changes = parseChanges(request.body);
			const change = { siteId: request.site.id, actor: actorOf(request) };
			return success(presentMapping(await changeMapping(deps, change, request.params.mapping_id, changes)));
		},
	});
}

function registerRemoval(app: App, deps: AttributionChangeDeps): void {
	app.route({
		method: "DELETE",
		url: "/referrer-mappings/:mapping_id",
		schema: {
			tags,
			summary: "Remove a referrer mapping",
			params: MappingParams,
			querystring: AccountQuery,
			response: { 204: Type.Null({ description: "Removed" }) },
		},
		config: { guard: writing },
		handler: async (request, reply) => {
			const change = { siteId: request.site.id, actor: actorOf(request) };
			await removeMapping(deps, change, request.params.mapping_id);
			return reply.code(204).send(null);
		},
	});
}
