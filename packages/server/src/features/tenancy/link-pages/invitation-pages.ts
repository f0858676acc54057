import { type FormTrouble, isTroubled } from "../../../platform/http/pages/faults.ts";
import { troubleBox } from "../../../platform/http/pages/form.ts";
import { textFields } from "../../../platform/http/pages/form-fields.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { nameField, newPasswordField, passwordField } from "../../people/auth/index.ts";
import { codePage } from "../../people/two-factor/index.ts";
import type { OpenInvitation } from "../invitations/index.ts";
import { type FormFrame, hiddenIn, linkForm, whatNext } from "./form.ts";
import { resetPath } from "./reset-password-pages.ts";

export const invitationPath = "/invitation";

/** An invitation that is open, with the secret of its link. */
export interface Invited extends OpenInvitation {
	readonly token: string;
}

/** Address of the page of an invitation; `account` leads those who have one to the form that signs in. */
export const pageOf = (token: string, account = false): string =>
	`${invitationPath}?token=${encodeURIComponent(token)}${account ? "&account=mine" : ""}`;

const invitingLine = ({ invitation, organization }: Invited): Html =>
	html`<p><bdi>${invitation.inviterName ?? "Someone"}</bdi> invites <strong><bdi>${invitation.email}</bdi></strong> to work
with <strong><bdi>${organization.name}</bdi></strong> on its web statistics, as ${invitation.role}.</p>`;

/** Note about another user who is signed in with this browser. */
const strangerLine = (signedInAs: string | undefined): Html | false =>
	signedInAs !== undefined &&
	html`<p>You are signed in as <bdi>${signedInAs}</bdi>, but the invitation is for another address.</p>`;

/** The form for those who have no account yet. */
export const newMemberPage = (
	frame: FormFrame,
	invited: Invited,
	{ name = "", signedInAs, ...trouble }: FormTrouble & { name?: string; signedInAs?: string | undefined } = {},
): Page => ({
	title: "You are invited",
	hasErrors: isTroubled(trouble),
	body: html`${troubleBox(trouble)}
${invitingLine(invited)}
${strangerLine(signedInAs)}
${linkForm(frame, invitationPath, {
	hidden: { token: invited.token },
	body: textFields([nameField(name, trouble.faults?.name), newPasswordField(trouble.faults?.password, "New password")]),
	button: "Create the account and accept",
})}
<div class="aside"><p>Already have an account? <a href="${pageOf(invited.token, true)}">Sign in</a></p></div>`,
});

/** The form for those who have an account: it is that of the invited address. */
export const memberSignInPage = (frame: FormFrame, invited: Invited, trouble: FormTrouble = {}): Page => ({
	title: "Sign in",
	hasErrors: isTroubled(trouble),
	body: html`${troubleBox(trouble)}
${invitingLine(invited)}
${linkForm(frame, `${invitationPath}/sign-in`, {
	hidden: { token: invited.token },
	body: textFields([passwordField(trouble.faults?.password)]),
	button: "Sign in",
})}
<div class="aside"><p><a href="${resetPath}">Reset password</a></p>
<p>No account yet? <a href="${pageOf(invited.token)}">Create one</a></p></div>`,
});

/** The form for the second step of a sign-in. */
export const memberCodePage = (
	frame: FormFrame,
	token: string,
	{ challengeToken, ...trouble }: FormTrouble & { challengeToken: string },
): Page =>
	codePage({
		action: `${invitationPath}/code`,
		hidden: hiddenIn(frame, { token, challenge_token: challengeToken }),
		firstStep: pageOf(token, true),
		trouble,
	});

/** The button by which somebody who is signed in accepts. */
export const acceptPage = (frame: FormFrame, invited: Invited, trouble: FormTrouble = {}): Page => ({
	title: "You are invited",
	hasErrors: isTroubled(trouble),
	body: html`${troubleBox(trouble)}
${invitingLine(invited)}
${linkForm(frame, `${invitationPath}/accept`, { hidden: { token: invited.token }, button: "Accept the invitation" })}`,
});

/** Shown to a new member. */
export const welcomePage = (organizationName: string, email: string): Page => ({
	title: `Welcome to ${organizationName}`,
	body: html`<p>You are now a member, signed in as <strong><bdi>${email}</bdi></strong>.</p>
${whatNext}`,
});

/** Shown after an account was created with a link that was not mailed. */
export const confirmAddressPage = (organizationName: string, email: string): Page => ({
	title: "Confirm your address",
	body: html`<p>You are now a member of ${organizationName}. Confirm your address first: we sent a link to
<strong><bdi>${email}</bdi></strong>.</p>`,
});

/** Shown for an invitation that cannot be accepted any more, or never could. */
export const invitationDeadPage = (reason: string): Page => ({
	title: "This invitation is no longer valid",
	body: html`<p>${reason}</p>
<p>An invitation works once, within 7 days. The sender can send another one.</p>`,
});
