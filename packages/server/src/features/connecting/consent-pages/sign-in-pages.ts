import { type FormTrouble, isTroubled } from "../../../platform/http/pages/faults.ts";
import { troubleBox, withButton } from "../../../platform/http/pages/form.ts";
import { textFields } from "../../../platform/http/pages/form-fields.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { emailField, passwordField } from "../../people/auth/index.ts";
import { codePage } from "../../people/two-factor/index.ts";
import {
	type AskingClient,
	consentForm,
	consentPath,
	destinationOf,
	hiddenIn,
	pageOf,
	type Visit,
} from "./page-routes.ts";

/** Says who asks, above the forms that come before the question itself. */
export const askingLine = (client: AskingClient): Html =>
	html`<p>To connect <strong><bdi>${client.clientName}</bdi></strong>. You will return to ${destinationOf(client)}.</p>`;

/** The form that asks who is there; the password is never written back. */
export const signInPage = (
	{ pending, requestId, frame }: Visit,
	{ email = "", ...trouble }: FormTrouble & { readonly email?: string } = {},
): Page => ({
	title: "Sign in",
	hasErrors: isTroubled(trouble),
	body: html`${askingLine(pending.client)}
${troubleBox(trouble)}
${consentForm(frame(), "/sign-in", withButton("Sign in", textFields([emailField(email), passwordField()])))}
<div class="aside">${
		frame().maySignUp &&
		html`<p>No account yet? <a href="${pageOf(requestId, "/sign-up")}">Create one</a></p>
`
	}<p>Forgot your password? <a href="/reset-password">Reset it</a>, then return to this page.</p></div>`,
});

export const secondStepPage = (
	{ pending, requestId, frame }: Visit,
	{ challengeToken, ...trouble }: FormTrouble & { readonly challengeToken: string },
): Page =>
	codePage({
		purpose: askingLine(pending.client),
		action: `${consentPath}/code`,
		hidden: hiddenIn(frame(), { challenge_token: challengeToken }),
		firstStep: pageOf(requestId),
		trouble,
	});
