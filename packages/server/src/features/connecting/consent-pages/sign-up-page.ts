import { type Faults, type FormTrouble, isTroubled } from "../../../platform/http/pages/faults.ts";
import { troubleBox, withButton } from "../../../platform/http/pages/form.ts";
import { textFields } from "../../../platform/http/pages/form-fields.ts";
import { html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";
import { emailField, nameField, newPasswordField } from "../../people/auth/index.ts";
import type { AskingClient } from "./describe-client.ts";
import { consentForm, type FormFrame, pageOf } from "./form-frame.ts";
import { askingLine } from "./sign-in-pages.ts";

/** Typed values; the password is never written back. */
export interface SignUpValues {
	readonly name: string;
	readonly email: string;
	readonly siteName: string;
	readonly domain: string;
	readonly acceptsTerms: boolean;
}

/** An empty form. */
export const noValues: SignUpValues = { name: "", email: "", siteName: "", domain: "", acceptsTerms: false };

/** Names of the fields at the beginning of a sentence. */
export const signUpLabels = {
	name: "The name",
	email: "The email address",
	password: "The password",
	site_name: "The site's name",
	domain: "The domain",
	accept_terms: "The terms",
} as const;

/** The form that creates an account, with a first site. */
export const signUpPage = (
	client: AskingClient,
	frame: FormFrame,
	{ values, ...trouble }: FormTrouble & { readonly values: SignUpValues },
): Page => ({
	title: "Create an account",
	hasErrors: isTroubled(trouble),
	body: html`${askingLine(client)}
${troubleBox(trouble)}
${consentForm(
	frame,
	"/sign-up",
	html`${textFields([...personFields(values, trouble.faults), ...siteFields(values, trouble.faults)])}
${withButton("Create account", termsField(values, trouble.faults))}`,
)}
<div class="aside"><p>Already have an account? <a href="${pageOf(frame.requestId)}">Sign in</a></p></div>`,
});

const personFields = ({ name, email }: SignUpValues, faults: Faults = {}) => [
	nameField(name, faults.name),
	emailField(email, faults.email),
	newPasswordField(faults.password),
];

const siteFields = (values: SignUpValues, faults: Faults = {}) =>
	[
		{
			name: "site_name",
			label: "Site name",
			value: values.siteName,
			autocomplete: "organization",
			maxLength: 255,
			fault: faults.site_name,
		},
		{
			name: "domain",
			label: "Domain",
			value: values.domain,
			autocomplete: "off",
			isOptional: true,
			maxLength: 255,
			hint: "For example shop.example. You can add it later.",
			fault: faults.domain,
		},
	] as const;

const termsField = ({ acceptsTerms }: SignUpValues, { accept_terms: fault }: Faults = {}) =>
	html`<div class="field">
${fault !== undefined && html`<p class="fault" id="accept_terms-fault">${fault}</p>`}
<div class="choice">
<input id="accept_terms" name="accept_terms" type="checkbox" value="true" required${acceptsTerms && html` checked`}${fault !== undefined && html` aria-invalid="true" aria-describedby="accept_terms-fault"`}>
<label for="accept_terms">I accept the terms of this service</label>
</div>
</div>`;
