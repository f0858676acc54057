import assert from "node:assert/strict";
import type { SiteRole } from "../../src/access/index.ts";
import { authOf } from "../../src/composition/routes/auth-of.ts";
import type { UserRow } from "../../src/features/people/users/index.ts";
import type { TestApp } from "./test-app.ts";
import { insertTestUser, openTestSession } from "./test-users.ts";

const superadmins = new WeakMap<TestApp, Promise<UserRow>>();

/** A session of the test's superadmin, as new as the test's clock. */
async function superadmin(app: TestApp) {
	const user = { email: "superadmin@example.com", name: "Superadmin", role: "superadmin" } as const;
	const row = superadmins.get(app) ?? insertTestUser(app, user);
	superadmins.set(app, row);
	return (await openTestSession(authOf(app), await row)).headers;
}

async function ask(app: TestApp, method: "POST" | "DELETE", path: string, payload?: object): Promise<void> {
	const headers = await superadmin(app);
	const answer = await app.inject({ method, url: `/api/v1${path}`, headers, ...(payload && { payload }) });
	assert.ok(answer.statusCode < 300, answer.body);
}

/** Gives anybody a role on a site, as a superadmin may. */
export const giveSiteRole = (app: TestApp, site: string, userId: number, role: SiteRole): Promise<void> =>
	ask(app, "POST", `/sites/${site}/users`, { user_id: userId, role });

/** Takes a role on a site from somebody. */
export const takeSiteRole = (app: TestApp, site: string, userId: number): Promise<void> =>
	ask(app, "DELETE", `/sites/${site}/users/${userId}`);

/** Shuts somebody's account. */
export const shutAccount = (app: TestApp, userId: number): Promise<void> => ask(app, "DELETE", `/users/${userId}`);
