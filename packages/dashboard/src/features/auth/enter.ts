import { type Answer, call } from "../../api/client.ts";
import { dropDrafts, keepDraftsOf } from "../../lib/draft-owner.ts";
import { asFailure, Failure } from "../../lib/failure.ts";
import { adoptPreferences } from "../preferences/index.ts";
import { destination } from "./destination.ts";
import { t } from "./texts.ts";

/** The answer to a completed sign-in. */
export type Entered = Extract<Answer<"POST /auth/token">, { readonly user: unknown }>;

/**
 * Loads the application as the user that has just signed in: nothing of the one before is left in memory. Throws a failure
 * where the browser did not keep the session's cookies.
 */
export async function enter(): Promise<void> {
	const [preferences, me] = await Promise.all([
		call("GET /users/me/preferences").catch(() => undefined),
		call("GET /auth/me").catch(refusedCookies),
	]);
	if (me === undefined) dropDrafts();
	else keepDraftsOf(me.id, true);
	if (preferences !== undefined) adoptPreferences(preferences);
	location.assign(destination(location.search, location.origin));
}

/** Browsers keep secure cookies over HTTPS, and over plain HTTP from their own machine alone. */
function refusedCookies(error: unknown): undefined {
	const { status } = asFailure(error);
	if (status !== 401) return undefined;
	throw new Failure(isSecureContext ? t.cookiesRefused : t.insecureAddress, { status, code: "cookies_refused" });
}
