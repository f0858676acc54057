import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { hourly } from "../../../platform/http/rate-limit/route-limit.ts";
import { Success } from "../../../platform/http/schemas.ts";
import { clientOf, presentAccessToken, setSessionCookies } from "../../people/auth/index.ts";
import { acceptAsUser, acceptInvitation } from "./accept-invitation.ts";
import type { InvitationRouteDeps } from "./deps.ts";
import { openInvitation } from "./open-invitation.ts";
import { presentOpenInvitation } from "./present.ts";
import { AcceptBody, AcceptExistingBody, Accepted, AcceptedByUser, InvitationPreview, TokenParams } from "./schemas.ts";
import { signInAccepted } from "./sign-in-accepted.ts";

const tags = ["Organizations"];
/** Accepting an invitation, in whichever way. */
export const acceptLimit = hourly("invitation-accept", 10);

/** Routes for those who have the link of an invitation. */
export function registerAnswers(app: App, deps: InvitationRouteDeps): void {
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
