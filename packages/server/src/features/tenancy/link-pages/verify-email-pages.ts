import { type FormTrouble, isTroubled } from "../../../platform/http/pages/faults.ts";
import { troubleBox } from "../../../platform/http/pages/form.ts";
import { textFields } from "../../../platform/http/pages/form-fields.ts";
import { html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { emailField, newPasswordField, passwordField } from "../../people/auth/index.ts";
import { type FormFrame, linkForm, whatNext } from "./form.ts";

export const verifyPath = "/verify-email";

/** The form that confirms an address; `isTheirs` when the browser's user has registered it. */
export const verifyPage = (
	frame: FormFrame,
	token: string,
	{ isTheirs = false, ...trouble }: FormTrouble & { isTheirs?: boolean } = {},
): Page => ({
	title: "Confirm your email address",
	hasErrors: isTroubled(trouble),
	body: html`${troubleBox(trouble)}
<p>This address was registered with Footfall. Confirm it to sign in.</p>
${linkForm(frame, verifyPath, {
	hidden: { token },
	button: "Confirm address",
	...(!isTheirs && { body: textFields(passwordFields(trouble)) }),
})}
<p>If you did not register, close this page: the account stays inactive.</p>`,
});

/** Anybody can register an address: confirming it needs the password, or sets a new one. */
const passwordFields = ({ faults = {} }: FormTrouble) =>
	[
		{
			...passwordField(faults.password),
			isOptional: true,
			hint: "The one that you chose when you registered.",
		},
		{
			...newPasswordField(faults.new_password, "Or choose another password"),
			name: "new_password",
			isOptional: true,
			hint: "At least 12 characters. It ends the access of anyone who knows the first password, and of connected apps.",
		},
	] as const;

const verified = "The address is confirmed";

/** Shown once the address is confirmed, if that signs in. */
export const verifiedPage = (email: string): Page => ({
	title: verified,
	body: html`<p>You are signed in as <strong><bdi>${email}</bdi></strong>.</p>
${whatNext}`,
});

/** Shown once the address is confirmed, where sign-in needs a second factor and the application is not installed. */
export const confirmedPage: Page = {
	title: verified,
	body: html`<p>You can now sign in with your password and the code of your authenticator app.</p>
${whatNext}`,
};

/** Asks for another mail. */
export const resendPage = (
	frame: FormFrame,
	{ isDead = false, email = "", ...trouble }: FormTrouble & { isDead?: boolean; email?: string } = {},
): Page => ({
	title: isDead ? "This link is no longer valid" : "Confirm your email address",
	hasErrors: isTroubled(trouble),
	body: html`${troubleBox(trouble)}
${isDead && html`<p>It works once, within 24 hours, and a newer email replaces it. If you have already confirmed the address, just sign in.</p>`}
<p>Request another link:</p>
${linkForm(frame, `${verifyPath}/resend`, {
	body: textFields([emailField(email, trouble.faults?.email)]),
	button: "Send link",
})}`,
});

/** Shown for every address alike. */
export const resentPage: Page = {
	title: "Check your email",
	body: html`<p>If the address is not confirmed yet, we have sent a link.</p>`,
};
