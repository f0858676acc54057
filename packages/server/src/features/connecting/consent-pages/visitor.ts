import { type BrowserSession, browserSession, type Principal } from "../../../access/index.ts";
import type { BrowserCookie } from "../../../platform/http/pages/check-form.ts";
import { mayDecideOn } from "../oauth/index.ts";
import { consentPath } from "./form-frame.ts";

/** Tells browsers apart before somebody signs in, so that a form opened in one is of no use in another. */
export const visitorCookie = (secure: boolean): BrowserCookie => ({
	name: "svc_consent_visitor",
	path: consentPath,
	secure,
});

/** The session of a browser that may answer this request; undefined for anybody else, whatever credential is shown. */
export function sessionFor(principal: Principal, requestId: string): BrowserSession | undefined {
	const session = browserSession(principal);
	return session !== undefined && mayDecideOn(requestId, session) ? session : undefined;
}
