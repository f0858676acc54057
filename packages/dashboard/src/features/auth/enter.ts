import { type Answer, call } from "../../api/client.ts";
import { adoptPreferences } from "../preferences/index.ts";
import { destination } from "./destination.ts";

/** What is told to whoever has just signed in. */
export type Entered = Extract<Answer<"POST /auth/token">, { readonly user: unknown }>;

/** Loads the application as the user that has just signed in: nothing of the one before is left in memory. */
export async function enter(): Promise<void> {
	const preferences = await call("GET /users/me/preferences").catch(() => undefined);
	if (preferences !== undefined) adoptPreferences(preferences);
	location.assign(destination(location.search, location.origin));
}
