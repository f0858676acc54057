import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { type FormTrouble, isTroubled, textFields, troubleBox, withButton } from "../../../platform/http/pages/form.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { type PageSet, takeForm } from "../../../platform/http/pages/page-routes.ts";
import { emailField, passwordField } from "../../people/auth/index.ts";
import { codePage, signInForms } from "../../people/two-factor/index.ts";
import {
	type AskingClient,
	type ConsentPagesDeps,
	consentForm,
	consentPath,
	consentRoute,
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

const secondStepPage = (
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

const MIN_CODE = 6;
const MAX_CODE = 14;
const MAX_EMAIL = 254;
const MAX_PASSWORD = 1024;

/** The forms that ask who is there: password, then the code where a second factor is on. */
export function registerSignIn(pages: App, set: PageSet<Visit>, deps: ConsentPagesDeps): void {
	const forms = signInForms<Visit>(deps, {
		passwordPage: (visit, trouble) => signInPage(visit, { email: visit.field("email"), ...trouble }),
		codePage: secondStepPage,
		next: ({ requestId }) => pageOf(requestId),
	});
	const byPassword = { ...consentRoute("/sign-in", "Sign in"), refuse: forms.refusePassword };
	takeForm(pages, set, byPassword, async (visit) => {
		const [email, password] = [visit.field("email"), visit.field("password")];
		if (email === "" || password === "" || email.length > MAX_EMAIL || password.length > MAX_PASSWORD) {
			throw new ServiceError("validation_error", "Enter your email address and your password");
		}
		return forms.takePassword(visit, { email, password });
	});
	const byCode = { ...consentRoute("/code", "Second step"), refuse: forms.refuseCode };
	takeForm(pages, set, byCode, async (visit) => {
		const code = visit.field("code").replace(/\s/g, "");
		if (code.length < MIN_CODE || code.length > MAX_CODE) {
			throw new ServiceError("validation_error", "Enter the six digits of the app, or a backup code");
		}
		return forms.takeCode(visit, { challengeToken: visit.field("challenge_token"), code });
	});
}
