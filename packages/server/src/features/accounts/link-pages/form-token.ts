import { deriveKey, equalConstantTime, hmacHex } from "../../../platform/lib/crypto.ts";

/** To what a form is bound. */
export interface FormBinding {
	/** What tells one browser from another. */
	readonly browser: string;
	/** The session in it; undefined while nobody is signed in. */
	readonly sessionId: string | undefined;
	/** The page that the form belongs to. */
	readonly path: string;
}

/** The token that a form carries: another page cannot know it, and it does for no other browser and no other session. */
export const formToken = (secretKey: string, { browser, sessionId = "", path }: FormBinding): string =>
	hmacHex(deriveKey(secretKey, "link-page-forms"), [path, browser, sessionId].join("\n"));

/** True for the token of a form that was made for this browser and session. */
export const isFormToken = (secretKey: string, binding: FormBinding, given: string): boolean =>
	equalConstantTime(given, formToken(secretKey, binding));
