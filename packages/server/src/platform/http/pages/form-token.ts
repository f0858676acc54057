import { deriveKey, equalConstantTime, hmacHex } from "../../lib/crypto.ts";

/** Name of the hidden field that shows that a form was made by the service. */
export const formTokenField = "form_token";

/** To what a form is bound. */
export interface FormBinding {
	/** Subject: a page, or the one question that it answers. */
	readonly about: string;
	/** Identifies a browser; see `browserIn`. */
	readonly browser?: string | undefined;
	readonly sessionId?: string | undefined;
}

/** The token that a form carries: another page cannot know it, and it is valid for one form and one visitor. */
export const formToken = (secretKey: string, { about, browser = "", sessionId = "" }: FormBinding): string =>
	hmacHex(deriveKey(secretKey, "page-forms"), JSON.stringify([about, browser, sessionId]));

/** True for the token of a form that was bound so. */
export const isFormToken = (secretKey: string, binding: FormBinding, given: string): boolean =>
	equalConstantTime(given, formToken(secretKey, binding));

/** The browser's identity in a cookie, if it has the form of one of ours. */
export const browserIn = (cookie: string | undefined): string | undefined =>
	cookie !== undefined && /^[A-Za-z0-9_-]{43}$/.test(cookie) ? cookie : undefined;
