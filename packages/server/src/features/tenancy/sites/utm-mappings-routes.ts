import type { Static } from "typebox";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Success } from "../../../platform/http/schemas.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import type { SiteRouteDeps } from "./deps.ts";
import { readingSite, writingSite } from "./guards.ts";
import { presentMapping } from "./present.ts";
import {
	ChangeMappingBody,
	CreateMappingBody,
	CustomParamParams,
	CustomParamQuery,
	Mapping,
	MappingIdParams,
	MappingIdQuery,
	MappingList,
	MappingRemoved,
	SiteParams,
} from "./schemas.ts";
import { listMappings } from "./store.ts";
import type { SiteChange } from "./update-site.ts";
import { addMapping, changeMapping, removeMapping } from "./utm-mappings.ts";

const tags = ["Sites"];
const writing = { guard: writingSite("editor") };

/** Routes on the custom parameters that fill campaign fields. */
export function registerMappings(app: App, deps: SiteRouteDeps): void {
	addRoute(app, "GET /sites/:id/utm-mappings", {
		tags,
		summary: "UTM mappings",
		params: SiteParams,
		guard: readingSite,
		data: MappingList,
		handler: async (request) => {
			const mappings = (await listMappings(deps.metadata, request.site.id)).map(presentMapping);
			return { mappings, total: mappings.length };
		},
	});
	addRoute(app, "POST /sites/:id/utm-mappings", {
		tags,
		summary: "Map a custom parameter to a campaign field",
		params: SiteParams,
		body: CreateMappingBody,
		...writing,
		status: 201,
		data: Mapping,
		errors: errorAnswers("duplicate_entry"),
		handler: async (request) => {
			const change = { siteId: request.site.id, actor: actorOf(request) };
			return presentMapping(await addMapping(deps, change, request.body));
		},
	});
	registerChanges(app, deps);
	registerRemovals(app, deps);
}

function registerChanges(app: App, deps: SiteRouteDeps): void {
	const changed = async (change: SiteChange, mappingId: number, body: Static<typeof ChangeMappingBody>) =>
		success(presentMapping(await changeMapping(deps, change, mappingId, body)));
	addRoute(app, "PATCH /sites/:id/utm-mappings/:mapping_id", {
		tags,
		summary: "Change a UTM mapping",
		params: MappingIdParams,
		body: ChangeMappingBody,
		...writing,
		answer: Success(Mapping),
		handler: (request) =>
			changed({ siteId: request.site.id, actor: actorOf(request) }, request.params.mapping_id, request.body),
	});
	addRoute(app, "PATCH /sites/:id/utm-mappings", {
		tags,
		summary: "Change the UTM mapping given in the query",
		params: SiteParams,
		querystring: MappingIdQuery,
		body: ChangeMappingBody,
		...writing,
		answer: Success(Mapping),
		handler: (request) =>
			changed({ siteId: request.site.id, actor: actorOf(request) }, request.query.mapping_id, request.body),
	});
}

function registerRemovals(app: App, deps: SiteRouteDeps): void {
	const removed = async (change: SiteChange, customParam: string) => {
		await removeMapping(deps, change, customParam);
		return success({ removed: true as const, custom_param: customParam });
	};
	addRoute(app, "DELETE /sites/:id/utm-mappings/:custom_param", {
		tags,
		summary: "Remove a UTM mapping",
		params: CustomParamParams,
		...writing,
		answer: Success(MappingRemoved),
		handler: (request) => removed({ siteId: request.site.id, actor: actorOf(request) }, request.params.custom_param),
	});
	addRoute(app, "DELETE /sites/:id/utm-mappings", {
		tags,
		summary: "Remove the UTM mapping given in the query",
		params: SiteParams,
		querystring: CustomParamQuery,
		...writing,
		answer: Success(MappingRemoved),
		handler: (request) => removed({ siteId: request.site.id, actor: actorOf(request) }, request.query.custom_param),
	});
}
