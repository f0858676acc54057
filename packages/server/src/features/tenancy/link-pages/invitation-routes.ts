import { Type } from "typebox";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { type FormTrouble, sentence, troubleOf } from "../../../platform/http/pages/form.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { type PageSet, showPage, takeForm } from "../../../platform/http/pages/page-routes.ts";
import {
	clientOf,
	nameField,
	newPasswordField,
	passwordField,
	SignInBody,
	setSessionCookies,
} from "../../people/auth/index.ts";
import { codePage, signInForms, VerifyLoginBody } from "../../people/two-factor/index.ts";
import {
	AcceptBody,
	AcceptExistingBody,
	acceptAsUser,
	acceptInvitation,
	acceptLimit,
	type OpenInvitation,
	openInvitation,
	signInAccepted,
} from "../invitations/index.ts";
import {
	formPage,
	guard,
	type LinkPagesDeps,
	leadIn,
	linkPages,
	type RefuseVisit,
	resetPath,
	type Visit,
	whatNext,
} from "./page-routes.ts";

/** A page of an open invitation, with the last refusal if there was one. */
type InvitationPage = (visit: Visit, invited: Invited, refusal?: ServiceError) => Page;

/** The invitation that a page is about; throws as `openInvitation` does. */
async function invitedBy(deps: LinkPagesDeps, { field }: Visit): Promise<Invited> {
	const token = field("token");
	return { token, ...(await openInvitation(deps.metadata, token, deps.clock.now())) };
}

/** The page shows refusals as long as the invitation is open. */
const refusingInvitation = (deps: LinkPagesDeps, page: InvitationPage): RefuseVisit =>
	tellingDead(async (refusal, visit) => page(visit, await invitedBy(deps, visit), refusal));

/** Says why an invitation is dead, where no open invitation is found. */
const tellingDead =
	(refuse: RefuseVisit): RefuseVisit =>
	async (refusal, visit) => {
		try {
			return await refuse(refusal, visit);
		} catch (error) {
			if (!(error instanceof ServiceError) || error.isOurs) throw error;
			return invitationDeadPage(sentence(error.message));
		}
	};

const { token } = AcceptExistingBody.properties;
const PasswordBody = Type.Object({ token, password: SignInBody.properties.password });
const { challenge_token: challengeToken, code } = VerifyLoginBody.properties;
const CodeBody = Type.Object({ token, challenge_token: challengeToken, code });

/** The forms that ask somebody who is invited and has an account to sign in: password, then the code of a second factor. */
function registerInvitationSignIn(pages: App, set: PageSet<Visit>, deps: LinkPagesDeps): void {
	const forms = signInForms<Visit>(deps, {
		passwordPage: async (visit, trouble) => memberSignInPage(visit, await invitedBy(deps, visit), trouble),
		codePage: async (visit, given) => memberCodePage(visit, (await invitedBy(deps, visit)).token, given),
		next: ({ field }) => pageOf(field("token")),
		labels: { password: "The password", code: "The code" },
	});
	const byPassword = {
		url: `${invitationPath}/sign-in`,
		summary: "Sign in as the invited address",
		guard,
		body: PasswordBody,
		refuse: tellingDead(forms.refusePassword),
	};
	takeForm(pages, set, byPassword, async (visit, { password }) => {
		const { email } = (await invitedBy(deps, visit)).invitation;
		return forms.takePassword(visit, { email, password });
	});
	const byCode = {
		url: `${invitationPath}/code`,
		summary: "Second step of signing in",
		guard,
		body: CodeBody,
		refuse: tellingDead(forms.refuseCode),
	};
	takeForm(pages, set, byCode, async (visit, body) =>
		forms.takeCode(visit, { challengeToken: body.challenge_token, code: body.code }),
	);
}

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
		const { name } = await acceptAsUser(deps, { caller: session, ip: request.ip }, token);
		return leadIn(deps, visit, welcomePage(name, session.email));
	});
	registerInvitationSignIn(pages, set, deps);
}

const isInvited = ({ session }: Visit, { invitation }: Invited): boolean => session?.email === invitation.email;

/** The page does not reveal whether the invited address has an account; the invitee chooses. */
function firstPage(visit: Visit, invited: Invited, refusal?: ServiceError): Page {
	if (isInvited(visit, invited)) return acceptingPage(visit, invited, refusal);
	if (visit.field("account") === "") return newcomersPage(visit, invited, refusal);
	return memberSignInPage(visit, invited, troubleOf(refusal, labels));
}

const acceptingPage: InvitationPage = (visit, invited, refusal) => {
	if (isInvited(visit, invited)) return acceptPage(visit, invited, troubleOf(refusal, labels));
	return memberSignInPage(visit, invited, { error: "You were signed out meanwhile. Please sign in again." });
};

const invitationPath = "/invitation";

/** An invitation that is open, with the secret of its link. */
interface Invited extends OpenInvitation {
	readonly token: string;
}

/** Address of the page of an invitation; `account` leads those who have one to the form that signs in. */
const pageOf = (token: string, account = false): string =>
	`${invitationPath}?token=${encodeURIComponent(token)}${account ? "&account=mine" : ""}`;

const invitingLine = ({ invitation, organization }: Invited): Html =>
	html`<p><bdi>${invitation.inviterName ?? "Someone"}</bdi> invites <strong><bdi>${invitation.email}</bdi></strong> to work
with <strong><bdi>${organization.name}</bdi></strong> on its web statistics, as ${invitation.role}.</p>`;

/** Note about another user who is signed in with this browser. */
const strangerLine = ({ session }: Visit): Html | false =>
	session !== undefined &&
	html`<p>You are signed in as <bdi>${session.email}</bdi>, but the invitation is for another address.</p>`;

const newcomersPage: InvitationPage = (visit, invited, refusal) => {
	const trouble = troubleOf(refusal, labels);
	const { name, password } = trouble.faults ?? {};
	return formPage(visit, {
		title: "You are invited",
		trouble,
		above: html`${invitingLine(invited)}
${strangerLine(visit)}`,
		action: invitationPath,
		fields: [nameField(visit.field("name"), name), newPasswordField(password, "New password")],
		button: "Create the account and accept",
		below: html`<div class="aside"><p>Already have an account? <a href="${pageOf(invited.token, true)}">Sign in</a></p></div>`,
	});
};

/** The form for those who have an account: it is that of the invited address. */
const memberSignInPage = (visit: Visit, invited: Invited, trouble: FormTrouble): Page =>
	formPage(visit, {
		title: "Sign in",
		trouble,
		above: invitingLine(invited),
		action: `${invitationPath}/sign-in`,
		fields: [passwordField(trouble.faults?.password)],
		button: "Sign in",
		below: html`<div class="aside"><p><a href="${resetPath}">Reset password</a></p>
<p>No account yet? <a href="${pageOf(invited.token)}">Create one</a></p></div>`,
	});

const memberCodePage = (
	visit: Visit,
	token: string,
	{ challengeToken, ...trouble }: FormTrouble & { challengeToken: string },
): Page =>
	codePage({
		action: `${invitationPath}/code`,
		hidden: visit.hiddenIn({ token, challenge_token: challengeToken }),
		firstStep: pageOf(token, true),
		trouble,
	});

const acceptPage = (visit: Visit, invited: Invited, trouble: FormTrouble): Page =>
	formPage(visit, {
		title: "You are invited",
		trouble,
		above: invitingLine(invited),
		action: `${invitationPath}/accept`,
		button: "Accept the invitation",
	});

const welcomePage = (organizationName: string, email: string): Page => ({
	title: `Welcome to ${organizationName}`,
	body: html`<p>You are now a member, signed in as <strong><bdi>${email}</bdi></strong>.</p>
${whatNext}`,
});

const confirmAddressPage = (organizationName: string, email: string): Page => ({
	title: "Confirm your address",
	body: html`<p>You are now a member of ${organizationName}. Confirm your address first: we sent a link to
<strong><bdi>${email}</bdi></strong>.</p>`,
});

/** Shown for an invitation that cannot be accepted any more, or never could. */
const invitationDeadPage = (reason: string): Page => ({
	title: "This invitation is no longer valid",
	body: html`<p>${reason}</p>
<p>An invitation works once, within 7 days. The sender can send another one.</p>`,
});
