import type { CookieSerializeOptions } from "@fastify/cookie";
import type { Caller, Principal } from "../../../access/index.ts";
import { randomToken } from "../../../platform/lib/ids.ts";
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

/** The session of somebody who looks at these pages. */
export type BrowserSession = Extract<Caller, { kind: "session" }>;

/** The value that a browser showed, when it is one of ours in form; else a new one. */
export const visitorOf = (shown: string | undefined): string =>
	shown !== undefined && /^[A-Za-z0-9_-]{43}$/.test(shown) ? shown : randomToken();

/** The session of a browser that may answer this request; undefined for anybody else, whatever credential is shown. */
export function sessionFor(principal: Principal, requestId: string): BrowserSession | undefined {
	if (principal.kind !== "session" || !principal.viaCookie) return undefined;
	return mayDecideOn(requestId, principal) ? principal : undefined;
}
