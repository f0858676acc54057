import { type Caller, type Guard, reachableSitesOf, refuseImpersonator, type SiteRole } from "../../../access/index.ts";
import { zoneChoices } from "../../../analytics/attribution/country-of-zone.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Success } from "../../../platform/http/schemas.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { findUser } from "../../people/users/index.ts";
import type { SiteCreator } from "../organizations/index.ts";
import { createSite } from "./create-site.ts";
import type { SiteRouteDeps } from "./deps.ts";
import { describeSite, describeSiteFully, describeSites } from "./describe-sites.ts";
import { registerDomains } from "./domains-routes.ts";
import { readingSite, writingSite } from "./guards.ts";
import { registerPixel } from "./pixel-routes.ts";
import { retentionSetBy } from "./retention.ts";
import {
	ChangeSiteBody,
	CreateSiteBody,
	ListQuery,
	Site,
	SiteDeleted,
	SiteDetail,
	SiteList,
	SiteParams,
	Timezones,
} from "./schemas.ts";
import { findSite, listSites } from "./store.ts";
import { changeSite } from "./update-site.ts";
import { registerSiteUsers } from "./users-routes.ts";
import { registerMappings } from "./utm-mappings-routes.ts";

const tags = ["Sites"];
const readingSites: Guard = { kind: "principal", scope: "sites:read", oauth: "admitted" };

/** Routes on sites and their settings. */
export function registerSites(app: App, deps: SiteRouteDeps): void {
	registerLists(app, deps);
	registerOneSite(app, deps);
	registerDomains(app, deps);
	registerMappings(app, deps);
	registerPixel(app, deps);
	registerSiteUsers(app, deps);
}

function registerLists(app: App, deps: SiteRouteDeps): void {
	app.route({
		method: "GET",
		url: "/sites/config/timezones",
		schema: { tags, summary: "Time zones that a site can be set to", response: { 200: Success(Timezones) } },
		config: { guard: readingSites },
		handler: async () => {
			const timezones = [...zoneChoices()];
			return success({ timezones, total: timezones.length });
		},
	});
	app.route({
		method: "GET",
		url: "/sites",
		schema: {
			tags,
			summary: "Sites in the caller's reach",
			querystring: ListQuery,
			response: { 200: Success(SiteList) },
		},
		config: { guard: readingSites },
		handler: async (request) => {
			const reach = await reachableSitesOf(deps.metadata, request.caller);
			const roles = new Map(reach.map(({ id, role }) => [id, role]));
			const includeInactive = request.query.include_inactive;
			const rows = await listSites(deps.metadata, { ids: [...roles.keys()], includeInactive });
			const open = rows.filter(({ id }) => request.isSiteOpenHere(id));
			const sites = await describeSites(deps.metadata, open);
			// Every site of the list is one of those in reach.
			const withRoles = sites.map((site) => ({ ...site, role: roles.get(site.id) ?? ("viewer" as const) }));
			const shut = rows.filter((row) => !open.includes(row)).map(({ id }) => id);
			return success({ sites: withRoles, total: open.length, ip_filtered_accounts: shut });
		},
	});
	app.route({
		method: "POST",
		url: "/sites",
		schema: {
			tags,
			summary: "Create a site",
			body: CreateSiteBody,
			response: { 201: Success(Site), ...errorAnswers("not_found") },
		},
		config: { guard: { kind: "session", scope: "write" } },
		handler: async (request, reply) => {
			const { name, domains, timezone, currency, org_id: orgId = null } = request.body;
			const creator = { ...(await creatorOf(deps.metadata, request.caller)), actor: actorOf(request) };
			const site = await createSite(deps, creator, { name, domains, timezone, currency, orgId });
			return reply.code(201).send(success(await describeSite(deps.metadata, site)));
		},
	});
}

function registerOneSite(app: App, deps: SiteRouteDeps): void {
	app.route({
		method: "GET",
		url: "/sites/:id",
		schema: { tags, summary: "One site", params: SiteParams, response: { 200: Success(SiteDetail) } },
		config: { guard: readingSite },
		handler: async (request) => {
			const site = await findSite(deps.metadata, request.site.id);
			if (site === undefined) throw new ServiceError("account_not_found");
			return success(await describeSiteFully(deps.metadata, site, { ...request.site, userId: request.caller.userId }));
		},
	});
	app.route({
		method: "PATCH",
		url: "/sites/:id",
		schema: {
			tags,
			summary: "Change a site's settings",
			params: SiteParams,
			body: ChangeSiteBody,
			response: { 200: Success(Site), ...errorAnswers("conflict") },
		},
		config: { guard: writingSite("admin") },
		handler: async (request) => {
			const {
				is_active: isActive,
				bot_threshold: botThreshold,
				data_retention_months: months,
				confirm,
				...texts
			} = request.body;
			const { caller } = request;
			// To stop a site is to delete it.
			if (isActive === false && request.site.role !== "owner") throw roleRequired("owner");
			if (isActive === false) refuseImpersonator(caller);
			const changes = {
				...texts,
				...(isActive !== undefined && { isActive }),
				...(botThreshold !== undefined && { botThreshold }),
				...(months !== undefined && {
					retention: retentionSetBy(deps, { caller, role: request.site.role, months, confirm }),
				}),
			};
			const site = await changeSite(deps, { siteId: request.site.id, actor: actorOf(request) }, changes);
			return success(await describeSite(deps.metadata, site));
		},
	});
	app.route({
		method: "DELETE",
		url: "/sites/:id",
		schema: {
			tags,
			summary: "Delete a site: it collects nothing more, stays readable, and is purged 30 days later",
			params: SiteParams,
			response: { 200: Success(SiteDeleted) },
		},
		config: { guard: writingSite("owner") },
		handler: async (request) => {
			const change = { siteId: request.site.id, actor: actorOf(request) };
			await changeSite(deps, change, { isActive: false }, "site.deleted");
			return success({ deleted: true as const, site_id: request.site.id });
		},
	});
}

const roleRequired = (role: SiteRole) => new ServiceError("forbidden", { message: `Required role: ${role}` });

async function creatorOf(metadata: Metadata, caller: Caller): Promise<SiteCreator> {
	const user = await findUser(metadata, caller.userId);
	if (user === undefined) throw new ServiceError("user_not_found");
	return { userId: user.id, name: user.name, isSuperadmin: user.role === "superadmin" };
}
