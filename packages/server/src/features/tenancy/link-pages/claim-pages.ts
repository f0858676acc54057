import { type FormTrouble, isTroubled } from "../../../platform/http/pages/faults.ts";
import { troubleBox } from "../../../platform/http/pages/form.ts";
import { textFields } from "../../../platform/http/pages/form-fields.ts";
import { html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { nameField, newPasswordField } from "../../people/auth/index.ts";
import { type FormFrame, linkForm, whatNext } from "./form.ts";
import { resetPath } from "./reset-password-pages.ts";

export const claimPath = "/claim";

/** The form by which a site that was set up for somebody becomes theirs. */
export const claimPage = (
	frame: FormFrame,
	token: string,
	{ name = "", ...trouble }: FormTrouble & { name?: string } = {},
): Page => ({
	title: "Claim your site",
	hasErrors: isTroubled(trouble),
	body: html`${troubleBox(trouble)}
<p>Choose a password for the account that owns the site.</p>
${linkForm(frame, claimPath, {
	hidden: { token },
	body: textFields([
		{ ...nameField(name, trouble.faults?.name), label: "Your name (optional)", isOptional: true },
		newPasswordField(trouble.faults?.password, "New password"),
	]),
	button: "Claim the site",
})}`,
});

/** Shown once the site has an owner who can sign in. */
export const claimedPage = (email: string): Page => ({
	title: "The site is now yours",
	body: html`<p>You are signed in as <strong><bdi>${email}</bdi></strong>.</p>
${whatNext}`,
});

/** The button that has the mail with the link sent again. */
export const resendClaimPage = (frame: FormFrame, token: string, trouble: FormTrouble = {}): Page => ({
	title: "Resend email",
	hasErrors: isTroubled(trouble),
	body: html`${troubleBox(trouble)}
<p>The link to claim the site was emailed to the address that it was set up for. A new email replaces
the earlier link.</p>
${linkForm(frame, `${claimPath}/resend`, { hidden: { token }, button: "Resend email" })}`,
});

/** Shown once the mail is queued; does not reveal the address. */
export const claimResentPage: Page = {
	title: "Check your email",
	body: html`<p>We sent the email to the address that the site was set up for. Its link works once, within 7 days.</p>`,
};

/** Shown for a link that was used, replaced, is too old or never existed. */
export const claimDeadPage: Page = {
	title: "This link is no longer valid",
	body: html`<p>It works once, within 7 days, and a newer email replaces it.</p>
<ul>
<li>If the site is yours already, just sign in; <a href="${resetPath}">ask for a new password</a> if you lost yours.</li>
<li>If it is not, open the address that was given out when the site was set up: it has the mail sent again.</li>
</ul>`,
};
