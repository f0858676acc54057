import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { hourly, type RouteLimit } from "../../../platform/http/rate-limit/route-limit.ts";
import { Message, Success } from "../../../platform/http/schemas.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import { clientOf, presentAccessToken, setSessionCookies } from "../../people/auth/index.ts";
import { OrganizationParams, readingOrganizationAs, writingOrganization } from "../organizations/index.ts";
import {
	acceptAsUser,
	acceptInvitation,
	type OpenInvitation,
	openInvitation,
	signInAccepted,
} from "./accept-invitation.ts";
import { resendInvitation, revokeInvitation } from "./change-invitation.ts";
import type { InvitationRouteDeps } from "./deps.ts";
import {
	AcceptBody,
	AcceptExistingBody,
	Accepted,
	AcceptedByUser,
	InvitationList,
	InvitationParams,
	InvitationPreview,
	InviteBody,
	Invited,
	TokenParams,
} from "./schemas.ts";
import { type SentLink, sendInvitation } from "./send-invitation.ts";
import { listInvitations, type SentInvitation } from "./store.ts";

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

/** Accepting an invitation, in whichever way. */
export const acceptLimit = hourly("invitation-accept", 10);

/** Routes for those who have the link of an invitation. */
function registerAnswers(app: App, deps: InvitationRouteDeps): void {
	addRoute(app, "GET /invitations/:token", {
		tags,
		summary: "Show an invitation",
		params: TokenParams,
		guard: { kind: "public" },
		data: InvitationPreview,
		errors: errorAnswers("conflict"),
		handler: async (request, reply) => {
			reply.header("cache-control", "no-store");
			const open = await openInvitation(deps.metadata, request.params.token, deps.clock.now());
			return presentOpenInvitation(open);
		},
	});
	registerAccepting(app, deps);
}

function registerAccepting(app: App, deps: InvitationRouteDeps): void {
	app.route({
		method: "POST",
		url: "/invitations/accept",
		schema: {
			"x-headers": ["Set-Cookie"],
			tags,
			summary: "Accept an invitation with a new account",
			body: AcceptBody,
			response: { 201: Success(Accepted), ...errorAnswers("forbidden", "not_found", "conflict") },
		},
		config: { guard: { kind: "public" }, limit: [acceptLimit] },
		handler: async (request, reply) => {
			const { user, organization } = await acceptInvitation(deps, { ...request.body, ip: request.ip });
			const { secrets, isConfirmed } = await signInAccepted(deps, user, clientOf(request));
			setSessionCookies(reply, secrets, deps.cookieSecure);
			reply.code(201).header("cache-control", "no-store");
			const message = isConfirmed
				? `Welcome to ${organization.name}`
				: "Confirm your email address with the link that was mailed to it";
			return reply.send(success({ message, org_name: organization.name, ...presentAccessToken(secrets.accessToken) }));
		},
	});
	addRoute(app, "POST /invitations/accept-existing", {
		tags,
		summary: "Accept an invitation as the signed-in user",
		body: AcceptExistingBody,
		guard: { kind: "session", scope: "write" },
		limit: [acceptLimit],
		data: AcceptedByUser,
		errors: errorAnswers("not_found", "conflict"),
		handler: async (request) => {
			const { organization } = await acceptAsUser(deps, request, request.body.token);
			const { name, slug } = organization;
			return { message: `Welcome to ${name}`, org_name: name, org_slug: slug };
		},
	});
}

const presentInvitation = (row: SentInvitation, nowMs: number) => ({
	id: row.id,
	org_id: row.organization_id,
	email: row.email,
	role: row.role,
	site_ids: JSON.parse(row.site_ids) as string[],
	site_role: row.site_role,
	invited_by_name: row.inviterName,
	is_active: row.is_active === 1 && row.expires_at > nowMs,
	expires_at: timestamp(row.expires_at),
	accepted_at: timestampOrNull(row.accepted_at),
	created_at: timestamp(row.created_at),
});

const presentSentLink = ({ id, link, expiresAt }: SentLink) => ({
	invitation_id: id,
	invitation_link: link,
	expires_at: timestamp(expiresAt),
});

const presentOpenInvitation = ({ invitation, organization }: OpenInvitation) => ({
	org_name: organization.name,
	email: invitation.email,
	role: invitation.role,
	invited_by_name: invitation.inviterName,
});
