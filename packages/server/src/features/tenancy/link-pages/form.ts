import { failurePage } from "../../../platform/http/pages/error-pages.ts";
import { form, withButton } from "../../../platform/http/pages/form.ts";
import { formTokenField } from "../../../platform/http/pages/form-token.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";

/** Common fields of an answer's forms. */
export interface FormFrame {
	readonly formToken: string;
}

/** Hidden fields of a form. */
export const hiddenIn = (frame: FormFrame, values: Readonly<Record<string, string>> = {}) => ({
	...values,
	[formTokenField]: frame.formToken,
});

/** A form that goes back to these pages. */
export const linkForm = (
	frame: FormFrame,
	action: string,
	{ hidden, body, button }: { hidden?: Readonly<Record<string, string>>; body?: Html; button: string },
): Html => form(action, { hidden: hiddenIn(frame, hidden), body: withButton(button, body) });

/** Where one goes from here, where there is no application. */
export const whatNext: Html = html`<p><a href="/docs">Read how to use the API</a></p>`;

/** Shown for an unexpected error. */
export const linkFailurePage = failurePage("Please try again in a while. The link still works.");
