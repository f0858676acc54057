import type { CookieSerializeOptions } from "@fastify/cookie";
import { type BrowserSession, browserSession, type Principal } from "../../../access/index.ts";
import { mayDecideOn } from "../oauth/index.ts";
import { consentPath } from "./form-frame.ts";

/** Tells browsers apart before somebody signs in, so that a form opened in one is of no use in another. */
export const visitorCookie = "svc_consent_visitor";

/** How that cookie travels, next to `Secure`: it has to come along when an app sends the browser here. */
export const visitorCookieForm = {
	httpOnly: true,
	sameSite: "lax",
	path: consentPath,
} as const satisfies CookieSerializeOptions;

/** The session of a browser that may answer this request; undefined for anybody else, whatever credential is shown. */
export function sessionFor(principal: Principal, requestId: string): BrowserSession | undefined {
	const session = browserSession(principal);
	return session !== undefined && mayDecideOn(requestId, session) ? session : undefined;
}
