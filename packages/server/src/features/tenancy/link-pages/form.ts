import { type Faults, hasFaults } from "../../../platform/http/pages/faults.ts";
import { errorBox, hiddenFields, sentence } from "../../../platform/http/pages/form-fields.ts";
import { formTokenField } from "../../../platform/http/pages/form-token.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";
import type { Page } from "../../../platform/http/pages/page.ts";

/** What every form of an answer carries. */
export interface FormFrame {
	readonly formToken: string;
}

/** What is wrong with a form that comes back. */
export interface FormTrouble {
	readonly faults?: Faults;
	/** What is wrong with no field in particular. */
	readonly error?: string;
}

/** A form that goes back to these pages. */
export const form = (
	frame: FormFrame,
	action: string,
	{ hidden = {}, body, button }: { hidden?: Readonly<Record<string, string>>; body?: Html; button: string },
): Html =>
	html`<form method="post" action="${action}">
${hiddenFields({ ...hidden, [formTokenField]: frame.formToken })}
${body}
<div class="actions"><button class="main" type="submit">${button}</button></div>
</form>`;

/** True when a form comes back with something to correct. */
export const isTroubled = ({ faults = {}, error }: FormTrouble): boolean => error !== undefined || hasFaults(faults);

/** Says above a form that something is wrong with it. */
export const troubleBox = (trouble: FormTrouble): Html | false =>
	isTroubled(trouble) && errorBox(trouble.error ?? "Please correct what is marked below.");

/** The field for a password that somebody chooses. */
export const newPasswordField = (name: string, fault: string | undefined) =>
	({
		name,
		label: "New password",
		type: "password",
		autocomplete: "new-password",
		minLength: 12,
		maxLength: 128,
		hint: "At least 12 characters. A few unrelated words make a good one.",
		fault,
	}) as const;

/** The field for an address that gets a mail. */
export const emailField = (value: string, fault: string | undefined) =>
	({
		name: "email",
		label: "E-mail address",
		type: "email",
		value,
		autocomplete: "username",
		maxLength: 254,
		fault,
	}) as const;

/** Where one goes from here. */
export const whatNext = html`<p><a href="/docs">Read how to use the API</a></p>`;

/** Shown for what is nobody's plan. */
export const failurePage = ({ message }: { readonly message: string }): Page => ({
	title: "That did not work",
	body: html`<p>${sentence(message)}</p>
<p>Please try again in a while. The link still works.</p>`,
});
