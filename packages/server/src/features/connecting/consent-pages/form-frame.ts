import { form } from "../../../platform/http/pages/form.ts";
import { formTokenField } from "../../../platform/http/pages/form-token.ts";
import type { Html } from "../../../platform/http/pages/html.ts";

/** Where these pages live, at the root of the host. */
export const consentPath = "/oauth/consent";

/** Common fields of a request's forms. */
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

/** Hidden common fields of a request's forms. */
export const hiddenIn = (frame: FormFrame, more: Readonly<Record<string, string>> = {}) => ({
	request_id: frame.requestId,
	[formTokenField]: frame.formToken,
	...more,
});

/** A form that goes back to these pages. */
export const consentForm = (frame: FormFrame, action: string, body: Html): Html =>
	form(consentPath + action, { hidden: hiddenIn(frame), body });
