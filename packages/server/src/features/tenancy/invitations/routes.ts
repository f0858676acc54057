import { Type } from "typebox";
import { orgRoles, siteRoles } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { hourly, hourlyOfUser } from "../../../platform/http/rate-limit/route-limit.ts";
import { Id, Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { accessToken, clientOf, presentAccessToken, setSessionCookies } from "../../people/auth/index.ts";
import { Password } from "../../people/users/index.ts";
import { OrganizationParams, OrgRoleName, readingOrganizationAs, writingOrganization } from "../organizations/index.ts";
import { acceptAsUser, acceptInvitation, openInvitation, signInAccepted } from "./accept-invitation.ts";
import { type InvitationRouteDeps, resendInvitation, revokeInvitation, sendInvitation } from "./send-invitation.ts";
import { listInvitations, type SentInvitation } from "./store.ts";

const Invitation = Type.Object({
	id: Type.Integer(),
	org_id: Type.String({ format: "uuid" }),
	email: Type.String(),
	role: OrgRoleName,
	site_ids: Type.Array(Type.String(), { description: "Sites that a member gets a role on" }),
	site_role: OneOf([...siteRoles]),
	invited_by_name: Nullable(Type.String()),
	is_active: Type.Boolean({ description: "The invitation can still be accepted" }),
	expires_at: Timestamp(),
	accepted_at: Nullable(Timestamp()),
	created_at: Timestamp(),
});

const InviteBody = Type.Object({
	email: Type.String({ format: "email", maxLength: 254, pattern: "^[^\\u0000-\\u001f\\u007f-\\u009f]*$" }),
	role: OneOf([...orgRoles], { default: "member" }),
	site_ids: Type.Array(Type.String({ maxLength: 64 }), {
		default: [],
		description: "Sites that a member gets a role on; owners and admins have access to all",
	}),
	site_role: OneOf([...siteRoles], { default: "viewer", description: "The member's role on these sites" }),
});

const token = () => Type.String({ minLength: 20, maxLength: 200 });

export const AcceptBody = Type.Object({
	token: token(),
	name: Type.String({ minLength: 1, maxLength: 255 }),
	password: Password(),
});
export const AcceptExistingBody = Type.Object({ token: token() });

const InvitationParams = Type.Object({ ...OrganizationParams.properties, id: Id() });

const tags = ["Organizations"];
/** Mails go to people who did not ask for them. */
const mailing = hourlyOfUser("invitation-mail", 100);

/** Routes on invitations into an organization, for those who send them and those who get them. */
export function registerInvitations(app: App, deps: InvitationRouteDeps): void {
	addRoute(app, "GET /organizations/:slug/invitations", {
		...readingOrganizationAs("admin"),
		summary: "Invitations",
		list: ["invitations", Invitation],
		handler: async (request) => {
			const rows = await listInvitations(deps.metadata, request.organization.id);
			return rows.map((row) => presentInvitation(row, deps.clock.now()));
		},
	});
	addRoute(app, "POST /organizations/:slug/invitations", {
		...writingOrganization("admin"),
		summary: "Invite somebody by email address",
		body: InviteBody,
		limit: [mailing],
		status: 201,
		data: Type.Object({
			invitation_id: Type.Integer(),
			invitation_link: Type.String({ description: "Shown only in this response, and mailed" }),
			expires_at: Timestamp(),
		}),
		errors: ["duplicate_entry"],
		handler: async (request) => {
			const { email, role, site_ids: siteIds, site_role: siteRole } = request.body;
			await request.refuseShutSites(siteIds);
			const input = { organizationId: request.organization.id, email, role, siteIds, siteRole };
			const sent = await sendInvitation(deps, request, input);
			return { invitation_id: sent.id, invitation_link: sent.link, expires_at: timestamp(sent.expiresAt) };
		},
	});
	addRoute(app, "POST /organizations/:slug/invitations/:id/resend", {
		...writingOrganization("admin"),
		summary: "Send an invitation again, with a new link",
		params: InvitationParams,
		limit: [mailing],
		message: "Invitation sent again",
		errors: ["conflict"],
		handler: (request) => resendInvitation(deps, request, invitationOf(request)),
	});
	addRoute(app, "DELETE /organizations/:slug/invitations/:id", {
		...writingOrganization("admin"),
		summary: "Revoke an invitation",
		params: InvitationParams,
		message: "Invitation revoked",
		errors: ["conflict"],
		handler: (request) => revokeInvitation(deps, request, invitationOf(request)),
	});
	addRoute(app, "GET /invitations/:token", {
		tags,
		summary: "Show an invitation",
		params: Type.Object({ token: Type.String({ maxLength: 200 }) }),
		guard: { kind: "public" },
		data: Type.Object({
			org_name: Type.String(),
			email: Type.String(),
			role: OrgRoleName,
			invited_by_name: Nullable(Type.String()),
		}),
		errors: ["conflict"],
		handler: async (request) => {
			const { invitation, organization } = await openInvitation(deps.metadata, request.params.token, deps.clock.now());
			const { email, role, inviterName: invited_by_name } = invitation;
			return { org_name: organization.name, email, role, invited_by_name };
		},
	});
	addRoute(app, "POST /invitations/accept", {
		"x-headers": ["Set-Cookie"],
		tags,
		summary: "Accept an invitation with a new account",
		body: AcceptBody,
		guard: { kind: "public" },
		limit: [acceptLimit],
		status: 201,
		data: Type.Object({ message: Type.String(), org_name: Type.String(), ...accessToken }),
		errors: ["forbidden", "not_found", "conflict"],
		handler: async (request, reply) => {
			const { user, organization } = await acceptInvitation(deps, { ...request.body, ip: request.ip });
			const { secrets, isConfirmed } = await signInAccepted(deps, user, clientOf(request));
			setSessionCookies(reply, secrets, deps.cookieSecure);
			const message = isConfirmed
				? `Welcome to ${organization.name}`
				: "Confirm your email address with the link that was mailed to it";
			return { message, org_name: organization.name, ...presentAccessToken(secrets.accessToken) };
		},
	});
	addRoute(app, "POST /invitations/accept-existing", {
		tags,
		summary: "Accept an invitation as the signed-in user",
		body: AcceptExistingBody,
		guard: { kind: "session", scope: "write" },
		limit: [acceptLimit],
		data: Type.Object({ message: Type.String(), org_name: Type.String(), org_slug: Type.String() }),
		errors: ["not_found", "conflict"],
		handler: async (request) => {
			const { name, slug } = await acceptAsUser(deps, request, request.body.token);
			return { message: `Welcome to ${name}`, org_name: name, org_slug: slug };
		},
	});
}

/** Accepting an invitation, in whichever way. */
export const acceptLimit = hourly("invitation-accept", 10);

const presentInvitation = (row: SentInvitation, nowMs: number) => ({
	...presentRow(Invitation, row),
	org_id: row.organization_id,
	site_ids: JSON.parse(row.site_ids) as string[],
	invited_by_name: row.inviterName,
	is_active: row.is_active === 1 && row.expires_at > nowMs,
});

const invitationOf = (request: { organization: { id: string }; params: { id: number } }) => ({
	organizationId: request.organization.id,
	id: request.params.id,
});
