import { type Caller, type Guard, reachableSitesOf, refuseImpersonator, roleRequired } from "../../../access/index.ts";
import { zoneChoices } from "../../../analytics/attribution/country-of-zone.ts";
import { localHour } from "../../../analytics/model/site-clock.ts";
import { orThrow } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { getUser } from "../../people/users/index.ts";
import type { SiteCreator } from "../organizations/index.ts";
import { changeSite, createSite } from "./change-sites.ts";
import type { SiteRouteDeps } from "./deps.ts";
import { registerDomains } from "./domains.ts";
import { registerPixel } from "./pixel-routes.ts";
import { describeSite, describeSiteFully, describeSites } from "./present.ts";
import { retentionSetBy } from "./retention.ts";
import {
	ChangeSiteBody,
	CreateSiteBody,
	ListQuery,
	readingSite,
	Site,
	SiteDeleted,
	SiteDetail,
	SiteList,
	Timezone,
	writingSite,
} from "./schemas.ts";
import { registerSiteUsers } from "./site-users.ts";
import { findSite, listSites, type SiteRow } from "./store.ts";
import { registerMappings } from "./utm-mappings.ts";

const tags = ["Sites"];
const readingSites: Guard = { kind: "principal", scope: "sites:read", oauth: "admitted" };

/** Routes on sites and their settings. */
export function registerSites(app: App, deps: SiteRouteDeps): void {
	addRoute(app, "GET /sites/config/timezones", {
		tags,
		summary: "Time zones that a site can be set to",
		guard: readingSites,
		list: ["timezones", Timezone],
		handler: () => zoneChoices(),
	});
	addRoute(app, "GET /sites", {
		tags,
		summary: "Sites that the caller can access",
		querystring: ListQuery,
		guard: readingSites,
		data: SiteList,
		handler: async (request) => {
			const reach = await reachableSitesOf(deps.metadata, request.caller);
			const roles = new Map(reach.map(({ id, role }) => [id, role]));
			const includeInactive = request.query.include_inactive;
			const rows = await listSites(deps.metadata, { ids: [...roles.keys()], includeInactive });
			const open = rows.filter(({ id }) => request.isSiteOpenHere(id));
			const sites = await describeSites(deps.metadata, open);
			const fresh = await newAmong(deps, open);
			// Every site of the list is one of those in reach.
			const withRoles = sites.map((site) => ({
				...site,
				role: roles.get(site.id) ?? ("viewer" as const),
				is_new: fresh.has(site.id),
			}));
			const shut = rows.filter((row) => !open.includes(row)).map(({ id }) => id);
			return { sites: withRoles, total: open.length, ip_filtered_accounts: shut };
		},
	});
	addRoute(app, "POST /sites", {
		tags,
		summary: "Create a site",
		body: CreateSiteBody,
		guard: { kind: "session", scope: "write" },
		status: 201,
		data: Site,
		errors: ["not_found"],
		handler: async (request) => {
			const { name, domains, timezone, currency, org_id: orgId = null } = request.body;
			const creator = { ...(await creatorOf(deps.metadata, request.caller)), actor: actorOf(request) };
			const site = await createSite(deps, creator, { name, domains, timezone, currency, orgId });
			return await describeSite(deps.metadata, site);
		},
	});
	addRoute(app, "GET /sites/:id", {
		...readingSite,
		summary: "One site",
		data: SiteDetail,
		handler: async (request) => {
			const site = orThrow(await findSite(deps.metadata, request.site.id), "account_not_found");
			return await describeSiteFully(deps.metadata, site, { ...request.site, userId: request.caller.userId });
		},
	});
	addRoute(app, "PATCH /sites/:id", {
		...writingSite("admin"),
		summary: "Change a site's settings",
		body: ChangeSiteBody,
		data: Site,
		errors: ["conflict"],
		handler: async (request) => {
			const { data_retention_months: months, confirm, ...settings } = request.body;
			const { caller } = request;
			// To stop a site is to delete it.
			if (settings.is_active === false && request.site.role !== "owner") throw roleRequired("owner");
			if (settings.is_active === false) refuseImpersonator(caller);
			const changes = {
				...settings,
				...(months !== undefined && {
					retention: retentionSetBy(deps, { caller, role: request.site.role, months, confirm }),
				}),
			};
			const site = await changeSite(deps, { siteId: request.site.id, actor: actorOf(request) }, changes);
			return await describeSite(deps.metadata, site);
		},
	});
	addRoute(app, "DELETE /sites/:id", {
		...writingSite("owner"),
		summary: "Delete a site: it stops collecting, stays readable, and is purged after 30 days",
		data: SiteDeleted,
		handler: async (request) => {
			const change = { siteId: request.site.id, actor: actorOf(request) };
			await changeSite(deps, change, { is_active: false }, "site.deleted");
			return { deleted: true as const, site_id: request.site.id };
		},
	});
	registerDomains(app, deps);
	registerMappings(app, deps);
	registerPixel(app, deps);
	registerSiteUsers(app, deps);
}

const NEW_FOR_MS = 30 * DAY_MS;
/** The list of sites waits no longer for the event store. */
const LONGEST_WAIT_MS = 500;

/** Slugs of the sites that are new (see `SiteList`); none when the event store does not answer in time. */
async function newAmong({ clock, firstDays }: SiteRouteDeps, sites: readonly SiteRow[]): Promise<ReadonlySet<string>> {
	const now = clock.now();
	const young = sites.filter((site) => site.created_at > now - NEW_FOR_MS);
	const ids = young.map(({ id }) => id);
	const since = await firstDays(ids, clock.deadline(LONGEST_WAIT_MS)).catch(() => undefined);
	if (since === undefined) return new Set();
	const isNew = ({ id, timezone }: SiteRow) => {
		const day = since.get(id);
		return day === undefined || day >= localHour(timezone, now - DAY_MS).date;
	};
	return new Set(young.filter(isNew).map(({ id }) => id));
}

async function creatorOf(metadata: Metadata, caller: Caller): Promise<SiteCreator> {
	const user = await getUser(metadata, caller.userId);
	return { userId: user.id, name: user.name, isSuperadmin: user.role === "superadmin" };
}
