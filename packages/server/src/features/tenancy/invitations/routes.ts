import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import type { RouteLimit } from "../../../platform/http/rate-limit/route-limit.ts";
import { Message, Success } from "../../../platform/http/schemas.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import { OrganizationParams, readingOrganizationAs, writingOrganization } from "../organizations/index.ts";
import { registerAnswers } from "./answer-routes.ts";
import { resendInvitation, revokeInvitation } from "./change-invitation.ts";
import type { InvitationRouteDeps } from "./deps.ts";
import { presentInvitation, presentSentLink } from "./present.ts";
import { InvitationList, InvitationParams, InviteBody, Invited } from "./schemas.ts";
import { sendInvitation } from "./send-invitation.ts";
import { listInvitations } from "./store.ts";

const tags = ["Organizations"];
/** Mails go to people who did not ask for them. */
const mailing: RouteLimit = {
	name: "invitation-mail",
	max: 100,
	windowMs: HOUR_MS,
	by: (request) => String(request.caller.userId),
};

/** Routes on invitations into an organization, for those who send them and those who get them. */
export function registerInvitations(app: App, deps: InvitationRouteDeps): void {
	registerSending(app, deps);
	registerChanges(app, deps);
	registerAnswers(app, deps);
}

function registerSending(app: App, deps: InvitationRouteDeps): void {
	addRoute(app, "GET /organizations/:slug/invitations", {
		tags,
		summary: "Invitations",
		params: OrganizationParams,
		guard: readingOrganizationAs("admin"),
		data: InvitationList,
		handler: async (request) => {
			const rows = await listInvitations(deps.metadata, request.organization.id);
			const nowMs = deps.clock.now();
			return { invitations: rows.map((row) => presentInvitation(row, nowMs)), total: rows.length };
		},
	});
	app.route({
		method: "POST",
		url: "/organizations/:slug/invitations",
		schema: {
			tags,
			summary: "Invite somebody by email address",
			params: OrganizationParams,
			body: InviteBody,
			response: { 201: Success(Invited), ...errorAnswers("duplicate_entry") },
		},
		config: { guard: writingOrganization("admin"), limit: [mailing] },
		handler: async (request, reply) => {
			const { email, role, site_ids: siteIds, site_role: siteRole } = request.body;
			await request.refuseShutSites(siteIds);
			const input = { organizationId: request.organization.id, email, role, siteIds, siteRole };
			const sent = await sendInvitation(deps, request, input);
			return reply
				.code(201)
				.header("cache-control", "no-store")
				.send(success(presentSentLink(sent)));
		},
	});
}

function registerChanges(app: App, deps: InvitationRouteDeps): void {
	addRoute(app, "POST /organizations/:slug/invitations/:id/resend", {
		tags,
		summary: "Send an invitation again, with a new link",
		params: InvitationParams,
		guard: writingOrganization("admin"),
		limit: [mailing],
		data: Message,
		errors: errorAnswers("conflict"),
		handler: async (request) => {
			await resendInvitation(deps, request, { organizationId: request.organization.id, id: request.params.id });
			return { message: "Invitation sent again" };
		},
	});
	addRoute(app, "DELETE /organizations/:slug/invitations/:id", {
		tags,
		summary: "Revoke an invitation",
		params: InvitationParams,
		guard: writingOrganization("admin"),
		data: Message,
		errors: errorAnswers("conflict"),
		handler: async (request) => {
			await revokeInvitation(deps, request, { organizationId: request.organization.id, id: request.params.id });
			return { message: "Invitation revoked" };
		},
	});
}
