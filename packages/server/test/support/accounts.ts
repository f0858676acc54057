import { after, before } from "node:test";
import { authOf } from "../../src/composition/app-deps.ts";
import { dataOf } from "./request-of.ts";
import { type TestApp, testApp } from "./test-app.ts";
import { insertTestUser, openTestSession, password } from "./test-users.ts";
import { letGo } from "./whole-app.ts";

export interface Session {
	readonly userId: number;
	readonly email: string;
	readonly headers: { readonly authorization: string };
}

/**
 * One service for the tests of the suite or file that calls this. At the top of a file hooks run as soon as they are
 * registered, so another `before` there does not find it open.
 */
export function sharedTestApp(options: Parameters<typeof testApp>[0] = {}, open: typeof testApp = testApp): TestApp {
	const app = {} as TestApp;
	before(async () => {
		Object.assign(app, await open(options));
	});
	after(async () => {
		await app.close();
		letGo(app);
	});
	return app;
}

export async function signIn(
	app: TestApp,
	user: { email?: string; name?: string; role?: "superadmin" | "user" } = {},
): Promise<Session> {
	const { email = "ann@example.com", name = "Ann", role = "user" } = user;
	const row = await insertTestUser(app, { email, name, role });
	// Sign-ins are rate limited.
	if (app.config.rateLimitEnabled) return signInAgain(app, { userId: row.id, email });
	const { headers } = await openTestSession(authOf(app), row);
	return { userId: row.id, email, headers };
}

/** Signs a user of a test in over HTTP who exists already, for instance after a new start. */
export async function signInAgain(
	app: TestApp,
	{ userId, email }: Pick<Session, "userId" | "email">,
): Promise<Session> {
	const { access_token: token } = await dataOf(app, "POST /auth/token", { body: { email, password } });
	return { userId, email, headers: { authorization: `Bearer ${token}` } };
}

/** Creates a site over HTTP; answers its id. */
export async function createSite(
	app: TestApp,
	session: Session,
	site: { name?: string; domains?: readonly string[]; timezone?: string } = {},
): Promise<string> {
	const body = { name: "Shop", domains: ["shop.example"], timezone: "UTC", ...site };
	return (await dataOf(app, "POST /sites", { headers: session.headers, body })).id;
}
