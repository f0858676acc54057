import { deriveKey, hmacHex } from "../../../platform/lib/crypto.ts";

/** To what a form is bound: the request that it answers, and the session, or before there is one the browser. */
interface FormBinding {
	readonly requestId: string;
	readonly holder: { readonly session: string } | { readonly browser: string };
}

/** The token that a form carries: another page cannot know it, and it does for no other request and no other holder. */
export function formToken(secretKey: string, { requestId, holder }: FormBinding): string {
	const bound = "session" in holder ? ["session", holder.session] : ["browser", holder.browser];
	return hmacHex(deriveKey(secretKey, "consent-forms"), [...bound, requestId].join("\n"));
}
