import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { troubleOf } from "../../../platform/http/pages/faults.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { showPage, takeForm } from "../../../platform/http/pages/page-routes.ts";
import { clientOf, setSessionCookies } from "../../people/auth/index.ts";
import {
	AcceptBody,
	AcceptExistingBody,
	acceptAsUser,
	acceptInvitation,
	acceptLimit,
	signInAccepted,
} from "../invitations/index.ts";
import type { LinkPagesDeps } from "./deps.ts";
import {
	acceptPage,
	confirmAddressPage,
	type Invited,
	invitationPath,
	memberSignInPage,
	newMemberPage,
	welcomePage,
} from "./invitation-pages.ts";
import { registerInvitationSignIn } from "./invitation-sign-in-routes.ts";
import { type InvitationPage, invitedBy, refusingInvitation } from "./invitation-visit.ts";
import { guard, leadIn, linkPages, type Visit } from "./page-routes.ts";

const labels = { name: "The name", password: "The password" };

/** The link of an invitation: new users sign up, existing ones sign in, then both accept. */
export function registerInvitationPages(pages: App, deps: LinkPagesDeps): void {
	const set = linkPages(deps, invitationPath);
	const open = {
		url: invitationPath,
		summary: "Show an invitation",
		guard,
		refuse: refusingInvitation(deps, firstPage),
	};
	showPage(pages, set, open, async (visit) => firstPage(visit, await invitedBy(deps, visit)));
	const join = {
		url: invitationPath,
		summary: "Accept an invitation with a new account",
		guard,
		body: AcceptBody,
		limit: [acceptLimit],
		refuse: refusingInvitation(deps, newcomersPage),
	};
	takeForm(pages, set, join, async (visit, body) => {
		const { request, reply } = visit;
		const { user, organization } = await acceptInvitation(deps, { ...body, ip: request.ip });
		const { secrets, isConfirmed } = await signInAccepted(deps, user, clientOf(request));
		setSessionCookies(reply, secrets, deps.cookieSecure);
		if (!isConfirmed) return confirmAddressPage(organization.name, user.email);
		return leadIn(deps, visit, welcomePage(organization.name, user.email));
	});
	const accept = {
		url: `${invitationPath}/accept`,
		summary: "Accept an invitation as the signed-in user",
		guard,
		body: AcceptExistingBody,
		limit: [acceptLimit],
		refuse: refusingInvitation(deps, acceptingPage),
	};
	takeForm(pages, set, accept, async (visit, { token }) => {
		const { request, session } = visit;
		if (session === undefined) throw new ServiceError("unauthorized");
		const { organization } = await acceptAsUser(deps, { caller: session, ip: request.ip }, token);
		return leadIn(deps, visit, welcomePage(organization.name, session.email));
	});
	registerInvitationSignIn(pages, set, deps);
}

const isInvited = ({ session }: Visit, { invitation }: Invited): boolean => session?.email === invitation.email;

/** The page does not reveal whether the invited address has an account; the invitee chooses. */
function firstPage(visit: Visit, invited: Invited, refusal?: ServiceError): Page {
	if (isInvited(visit, invited)) return acceptingPage(visit, invited, refusal);
	if (visit.field("account") === "") return newcomersPage(visit, invited, refusal);
	return memberSignInPage(visit.frame, invited, troubleOf(refusal, labels));
}

const newcomersPage: InvitationPage = ({ frame, field, session }, invited, refusal) =>
	newMemberPage(frame, invited, {
		name: field("name"),
		signedInAs: session?.email,
		...troubleOf(refusal, labels),
	});

const acceptingPage: InvitationPage = (visit, invited, refusal) => {
	if (isInvited(visit, invited)) return acceptPage(visit.frame, invited, troubleOf(refusal, labels));
	return memberSignInPage(visit.frame, invited, { error: "You were signed out meanwhile. Please sign in again." });
};
