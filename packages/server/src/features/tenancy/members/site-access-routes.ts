import { orgRoleReaches } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { Message } from "../../../platform/http/schemas.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import {
	OrganizationParams,
	readingOrganization,
	readingOrganizationAs,
	writingOrganization,
} from "../organizations/index.ts";
import { assignSites, unassignSite } from "./assign-sites.ts";
import { describeSitesFor, describeSitesOfMember } from "./list-members.ts";
import {
	AssignedSites,
	AssignSitesBody,
	MemberParams,
	MemberSiteList,
	MemberSiteParams,
	OrganizationSiteList,
} from "./schemas.ts";

const tags = ["Organizations"];

/** Routes on the organization's sites that somebody reaches. */
export function registerSiteAccess(app: App, deps: ChangeDeps): void {
	registerReads(app, deps);
	registerAssigning(app, deps);
}

function registerReads(app: App, { metadata }: ChangeDeps): void {
	addRoute(app, "GET /organizations/:slug/sites", {
		tags,
		summary: "The organization's sites that the caller can access",
		params: OrganizationParams,
		guard: readingOrganization,
		data: OrganizationSiteList,
		handler: async (request) => {
			const reach = await describeSitesFor(metadata, request.organization.id, request.caller);
			const sites = reach.filter(({ id }) => request.isSiteOpenHere(id));
			return { sites, total: sites.length };
		},
	});
	addRoute(app, "GET /organizations/:slug/members/:user_id/sites", {
		tags,
		summary: "Site roles of a member",
		params: MemberParams,
		guard: readingOrganizationAs("member"),
		data: MemberSiteList,
		handler: async (request) => {
			const all = await describeSitesOfMember(metadata, {
				organizationId: request.organization.id,
				userId: request.params.user_id,
				leads: orgRoleReaches(request.organization.role, "admin"),
				callerId: request.caller.userId,
			});
			const sites = all.filter(({ id }) => request.isSiteOpenHere(id));
			return { sites, total: sites.length };
		},
	});
}

function registerAssigning(app: App, deps: ChangeDeps): void {
	addRoute(app, "POST /organizations/:slug/members/:user_id/sites", {
		tags,
		summary: "Set a member's role on sites",
		params: MemberParams,
		body: AssignSitesBody,
		guard: writingOrganization("admin"),
		data: AssignedSites,
		handler: async (request) => {
			const { site_ids: siteIds, role } = request.body;
			await request.refuseShutSites(siteIds);
			const member = { organizationId: request.organization.id, userId: request.params.user_id };
			const { added, alreadyAssigned, invalid } = await assignSites(deps, request, { ...member, siteIds, role });
			return { added: [...added], already_assigned: [...alreadyAssigned], invalid: [...invalid] };
		},
	});
	addRoute(app, "DELETE /organizations/:slug/members/:user_id/sites/:site_id", {
		tags,
		summary: "Remove a member's role on a site",
		params: MemberSiteParams,
		guard: writingOrganization("admin"),
		data: Message,
		handler: async (request) => {
			const { user_id: userId, site_id: siteId } = request.params;
			await request.refuseShutSites([siteId]);
			await unassignSite(deps, request, { organizationId: request.organization.id, userId, siteId });
			return { message: "Site access removed" };
		},
	});
}
