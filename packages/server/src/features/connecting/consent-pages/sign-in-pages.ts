import { errorBox, textField, textFields } from "../../../platform/http/pages/form-fields.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { type AskingClient, destinationOf } from "./describe-client.ts";
import { type FormFrame, form, pageOf } from "./form-frame.ts";

/** Says who asks, above the forms that come before the question itself. */
export const askingLine = (client: AskingClient): Html =>
	html`<p>To connect <strong><bdi>${client.clientName}</bdi></strong>, which brings you back to ${destinationOf(client)}.</p>`;

/** The form that asks who is there; the password is never written back. */
export const signInPage = (
	client: AskingClient,
	frame: FormFrame,
	{ email = "", error }: { readonly email?: string; readonly error?: string } = {},
): Page => ({
	title: "Sign in",
	hasErrors: error !== undefined,
	body: html`${askingLine(client)}
${error !== undefined && errorBox(error)}
${form(
	frame,
	"/sign-in",
	html`${textFields([
		{ name: "email", label: "E-mail address", type: "email", value: email, autocomplete: "username", maxLength: 254 },
		{ name: "password", label: "Password", type: "password", autocomplete: "current-password", maxLength: 1024 },
	])}
<div class="actions"><button class="main" type="submit">Sign in</button></div>`,
)}
<div class="aside">${
		frame.maySignUp &&
		html`<p>No account yet? <a href="${pageOf(frame.requestId, "/sign-up")}">Create one</a></p>
`
	}<p>Forgot your password? <a href="/reset-password">Ask for a new one</a>, then come back to this page.</p></div>`,
});

/** The form for the second step of a sign-in. */
export const codePage = (
	client: AskingClient,
	frame: FormFrame,
	{ challengeToken, error }: { readonly challengeToken: string; readonly error?: string },
): Page => ({
	title: "Enter your code",
	hasErrors: error !== undefined,
	body: html`${askingLine(client)}
${error !== undefined && errorBox(error)}
${form(
	frame,
	"/code",
	html`${textField({
		name: "code",
		label: "Code",
		autocomplete: "one-time-code",
		maxLength: 14,
		hint: "The six digits that your authenticator app shows, or one of your backup codes.",
	})}
<div class="actions"><button class="main" type="submit">Go on</button></div>`,
	{ challenge_token: challengeToken },
)}
<div class="aside"><p><a href="${pageOf(frame.requestId)}">Sign in again</a></p></div>`,
});
