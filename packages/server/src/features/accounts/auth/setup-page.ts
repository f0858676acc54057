import { type Faults, hasFaults } from "../../../platform/http/pages/faults.ts";
import { errorBox, hiddenFields, textFields } from "../../../platform/http/pages/form-fields.ts";
import { html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";

/** What the form showed when it was sent; the password is never written back. */
export interface SetupForm {
	readonly token: string;
	readonly name: string;
	readonly email: string;
	readonly faults?: Faults;
}

/** The form that creates the first account. */
export const setupFormPage = ({ token, name, email, faults = {} }: SetupForm): Page => ({
	title: "Create the first account",
	hasErrors: hasFaults(faults),
	body: html`<p>This account may do everything on this server.</p>
${hasFaults(faults) && errorBox("Please correct what is marked below.")}
<form method="post" action="/setup">
${hiddenFields({ token })}
${textFields([
	{ name: "name", label: "Your name", value: name, autocomplete: "name", maxLength: 255, fault: faults.name },
	{
		name: "email",
		label: "E-mail address",
		type: "email",
		value: email,
		autocomplete: "username",
		maxLength: 254,
		fault: faults.email,
	},
	{
		name: "password",
		label: "Password",
		type: "password",
		autocomplete: "new-password",
		minLength: 12,
		maxLength: 128,
		hint: "At least 12 characters. A few unrelated words make a good one.",
		fault: faults.password,
	},
])}
<div class="actions"><button class="main" type="submit">Create account</button></div>
</form>`,
});

/** Shown once the account exists. */
export const setupDonePage = (email: string): Page => ({
	title: "The account is ready",
	body: html`<p>You can now sign in as <strong>${email}</strong>.</p>
<p><a href="/docs">Read how to use the API</a></p>`,
});

/** Shown for a link that was used, replaced or never existed. */
export const setupLinkDeadPage: Page = {
	title: "This link is no longer valid",
	body: html`<p>It works once, and only until the first account exists. Without an account, restart the server: it prints a new link.</p>`,
};
