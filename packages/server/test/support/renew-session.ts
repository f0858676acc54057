import type { Tables } from "../../migrations/metadata/tables/index.ts";
import { authOf } from "../../src/composition/routes/auth-of.ts";
import type { AuthDeps } from "../../src/features/people/auth/index.ts";
import type { TestApp } from "./test-app.ts";
import { openTestSession } from "./test-users.ts";

type Headers = { readonly authorization: string };

/** Headers of a new session of a user, without the password's slow hash: for tests that move the clock beyond a session's end. */
export const renewSession = (app: TestApp, userId: number): Promise<Headers> => newSession(authOf(app), userId);

/** The same for a part of the service. */
export async function newSession(deps: AuthDeps, userId: number): Promise<Headers> {
	const users = deps.metadata.withTables<Tables>().selectFrom("users");
	const user = await users.selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
	return (await openTestSession(deps, user)).headers;
}
