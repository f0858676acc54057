import { type Answer, call } from "../../api/client.ts";
import { dropDrafts, keepDraftsOf } from "../../lib/draft-owner.ts";
import { adoptPreferences } from "../preferences/index.ts";
import { destination } from "./destination.ts";

/** The answer to a completed sign-in. */
export type Entered = Extract<Answer<"POST /auth/token">, { readonly user: unknown }>;

/** Loads the application as the user that has just signed in: nothing of the one before is left in memory. */
export async function enter(): Promise<void> {
	const [preferences, me] = await Promise.all([
		call("GET /users/me/preferences").catch(() => undefined),
		call("GET /auth/me").catch(() => undefined),
	]);
	if (me === undefined) dropDrafts();
	else keepDraftsOf(me.id, true);
	if (preferences !== undefined) adoptPreferences(preferences);
	location.assign(destination(location.search, location.origin));
}
