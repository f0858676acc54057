import type { Tables } from "../../migrations/metadata/tables/index.ts";
import { authOf } from "../../src/composition/app-deps.ts";
import { openTestSession } from "./test-users.ts";
import type { TestApp } from "./whole-app.ts";

/** Headers of a new session of a user, without the password's slow hash: for tests that move the clock beyond a session's end. */
export async function renewSession(app: TestApp, userId: number): Promise<{ readonly authorization: string }> {
	const users = app.metadata.withTables<Tables>().selectFrom("users");
	const user = await users.selectAll().where("id", "=", userId).executeTakeFirstOrThrow();
	return (await openTestSession(authOf(app), user)).headers;
}
