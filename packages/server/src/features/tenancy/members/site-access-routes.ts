import { orgRoleReaches } from "../../../access/index.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { Message, Success } from "../../../platform/http/schemas.ts";
import {
	OrganizationParams,
	readingOrganization,
	readingOrganizationAs,
	writingOrganization,
} from "../organizations/index.ts";
import { assignSites, unassignSite } from "./assign-sites.ts";
import type { MemberDeps } from "./change-members.ts";
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
export function registerSiteAccess(app: App, deps: MemberDeps): void {
	registerReads(app, deps);
	registerAssigning(app, deps);
}

function registerReads(app: App, { metadata }: MemberDeps): void {
	app.route({
		method: "GET",
		url: "/organizations/:slug/sites",
		schema: {
			tags,
			summary: "The organization's sites in the caller's reach",
			params: OrganizationParams,
			response: { 200: Success(OrganizationSiteList) },
		},
		config: { guard: readingOrganization },
		handler: async (request) => {
			const reach = await describeSitesFor(metadata, request.organization.id, request.caller);
			const sites = reach.filter(({ id }) => request.isSiteOpenHere(id));
			return success({ sites, total: sites.length });
		},
	});
	app.route({
		method: "GET",
		url: "/organizations/:slug/members/:user_id/sites",
		schema: {
			tags,
			summary: "What a member may do on each site",
			params: MemberParams,
			response: { 200: Success(MemberSiteList) },
		},
		config: { guard: readingOrganizationAs("member") },
		handler: async (request) => {
			const all = await describeSitesOfMember(metadata, {
				organizationId: request.organization.id,
				userId: request.params.user_id,
				leads: orgRoleReaches(request.organization.role, "admin"),
				callerId: request.caller.userId,
			});
			const sites = all.filter(({ id }) => request.isSiteOpenHere(id));
			return success({ sites, total: sites.length });
		},
	});
}

function registerAssigning(app: App, deps: MemberDeps): void {
	app.route({
		method: "POST",
		url: "/organizations/:slug/members/:user_id/sites",
		schema: {
			tags,
			summary: "Give a member a role on sites",
			params: MemberParams,
			body: AssignSitesBody,
			response: { 200: Success(AssignedSites) },
		},
		config: { guard: writingOrganization("admin") },
		handler: async (request) => {
			const { site_ids: siteIds, role } = request.body;
			await request.refuseShutSites(siteIds);
			const member = { organizationId: request.organization.id, userId: request.params.user_id };
			const { added, alreadyAssigned, invalid } = await assignSites(deps, request, { ...member, siteIds, role });
			return success({ added: [...added], already_assigned: [...alreadyAssigned], invalid: [...invalid] });
		},
	});
	app.route({
		method: "DELETE",
		url: "/organizations/:slug/members/:user_id/sites/:site_id",
		schema: {
			tags,
			summary: "Take a member's role on a site away",
			params: MemberSiteParams,
			response: { 200: Success(Message) },
		},
		config: { guard: writingOrganization("admin") },
		handler: async (request) => {
			const { user_id: userId, site_id: siteId } = request.params;
			await request.refuseShutSites([siteId]);
			await unassignSite(deps, request, { organizationId: request.organization.id, userId, siteId });
			return success({ message: "Site access removed" });
		},
	});
}
