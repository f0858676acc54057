import { hiddenFields } from "../../../platform/http/pages/form-fields.ts";
import { formTokenField } from "../../../platform/http/pages/form-token.ts";
import { type Html, html } from "../../../platform/http/pages/html.ts";

/** Where these pages live, at the root of the host. */
export const consentPath = "/oauth/consent";

/** What every form of a request carries. */
export interface FormFrame {
	readonly requestId: string;
	/** Shows that the form came from these pages. */
	readonly formToken: string;
	/** Whether strangers may make accounts. */
	readonly maySignUp: boolean;
}

/** Address of a page of a request. */
export const pageOf = (requestId: string, page = ""): string =>
	`${consentPath}${page}?request_id=${encodeURIComponent(requestId)}`;

/** A form that goes back to these pages. */
export const form = (frame: FormFrame, action: string, body: Html, more: Readonly<Record<string, string>> = {}): Html =>
	html`<form method="post" action="${consentPath}${action}">
${hiddenFields({ request_id: frame.requestId, [formTokenField]: frame.formToken, ...more })}
${body}
</form>`;
