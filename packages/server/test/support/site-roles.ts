import type { SiteRole } from "../../src/access/index.ts";
import { authOf } from "../../src/composition/app-deps.ts";
import type { UserRow } from "../../src/features/people/users/index.ts";
import { dataOf } from "./request-of.ts";
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

const ask = async (app: TestApp, route: string, body?: object): Promise<void> =>
	dataOf(app, route, { headers: await superadmin(app), body });

/** Gives anybody a role on a site, as a superadmin may. */
export const giveSiteRole = (app: TestApp, site: string, userId: number, role: SiteRole): Promise<void> =>
	ask(app, `POST /sites/${site}/users`, { user_id: userId, role });

export const takeSiteRole = (app: TestApp, site: string, userId: number): Promise<void> =>
	ask(app, `DELETE /sites/${site}/users/${userId}`);

export const shutAccount = (app: TestApp, userId: number): Promise<void> => ask(app, `DELETE /users/${userId}`);
