import { type FormTrouble, isTroubled } from "./faults.ts";
import { errorBox, hiddenFields } from "./form-fields.ts";
import { type Html, html } from "./html.ts";

/** A form that goes back to the service. */
export const form = (
	action: string,
	{ hidden = {}, body }: { hidden?: Readonly<Record<string, string>>; body?: Html },
): Html =>
	html`<form method="post" action="${action}">
${hiddenFields(hidden)}
${body}
</form>`;

/** Fields with the button that sends them. */
export const withButton = (label: string, fields?: Html): Html => html`${fields}
<div class="actions"><button class="main" type="submit">${label}</button></div>`;

/** Says above a form that something is wrong with it. */
export const troubleBox = (trouble: FormTrouble): Html | false =>
	isTroubled(trouble) && errorBox(trouble.error ?? "Please correct what is marked below.");

/** The form on the page of a mailed link with one answer: a button and hidden fields. */
export const answerForm = (
	{ url, token }: { readonly url: string; readonly token: string },
	button: Html,
	hidden: Readonly<Record<string, string>> = {},
): Html => form(`${url}?token=${token}`, { hidden, body: html`<div class="actions">${button}</div>` });
