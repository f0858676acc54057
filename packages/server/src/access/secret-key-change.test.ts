import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { apiCall, cookiesOf } from "../../test/support/accounts-app.ts";
import { totpAt } from "../../test/support/authenticator.ts";
import { sendHits } from "../../test/support/hits.ts";
import { newDirectory } from "../../test/support/new-directory.ts";
import { codeOf } from "../../test/support/refusals.ts";
import { type LentEventStore, lendEventStore } from "../../test/support/stores-on-shared-engine.ts";
import { type TestApp, testApp } from "../../test/support/test-app.ts";
import { collectKey } from "../composition/collector.ts";
import { issueToken } from "../features/collecting/collect/index.ts";
import { acceptSecret } from "../features/operating/server-secret/index.ts";
import { createUser } from "../features/people/users/index.ts";

const dataDir = newDirectory();
let events: LentEventStore;
before(async () => {
	events = await lendEventStore();
});
after(() => events.giveBack());

const FIRST = "the first secret of this service, long enough";
const SECOND = "the second secret of this service, long enough";
const NOON = Date.parse("2026-11-21T12:00:00.000Z");
const login = { email: "ann@example.com", password: "correct horse battery staple 7" };
type Cookies = Readonly<Record<string, string>>;

/** Does something with the service of a minute after noon. */
async function withApp<T>(env: Record<string, string>, minute: number, work: (app: TestApp) => Promise<T>): Promise<T> {
	await using app = await testApp({ dataDir, events, now: new Date(NOON + minute * 60_000).toISOString(), env });
	return await work(app);
}

const post = (app: TestApp, path: string, body?: object, cookies: Cookies = {}) =>
	apiCall(app)(`POST ${path}`, { cookies, headers: { "x-csrf-token": cookies.svc_csrf_token ?? "" }, body });
const me = async (app: TestApp, cookies: Cookies) => {
	const { error, data } = (await apiCall(app)("GET /users/me", { cookies })).json();
	return error?.code ?? data.email;
};

/** Sends a hit of a page that has been open for a while; answers how many of the last minute were accepted. */
async function acceptedHits(app: TestApp, site: string, token: string): Promise<number | undefined> {
	await sendHits(app, [{ site, token, url: "https://shop.example/" }]);
	return app.collector?.rejections.window(site, 1, app.clock.now()).accepted;
}

/** Both steps of a sign-in. */
async function twoSteps(app: TestApp, secret: string) {
	const { challenge_token } = (await post(app, "/auth/token", login)).json().data;
	return post(app, "/2fa/verify-login", { challenge_token, code: totpAt(secret, app.clock.now()) });
}

test("changing SECRET_KEY signs nobody out and keeps every second factor while SECRET_KEY_PREVIOUS names the old one", async () => {
	const { cookies, secret, site } = await withApp({ SECRET_KEY: FIRST }, 0, async (app) => {
		await createUser(app, { ...login, name: "Ann", role: "user" });
		const signedIn = cookiesOf(await post(app, "/auth/token", login));
		const setup = (await post(app, "/2fa/setup", { password: login.password }, signedIn)).json().data;
		const code = totpAt(setup.secret, app.clock.now());
		assert.equal((await post(app, "/2fa/verify", { code }, signedIn)).statusCode, 200);
		const created = await post(app, "/sites", { name: "Shop" }, signedIn);
		return { cookies: signedIn, secret: setup.secret as string, site: created.json().data.id as string };
	});

	const oldToken = issueToken(collectKey(FIRST), site, NOON);
	const both = { SECRET_KEY: SECOND, SECRET_KEY_PREVIOUS: FIRST };
	const renewed = await withApp(both, 2, async (app) => {
		assert.equal(await me(app, cookies), login.email);
		assert.equal((await post(app, "/2fa/setup/cancel", {}, cookies)).statusCode, 200);
		const refreshed = await post(app, "/auth/refresh", undefined, cookies);
		assert.equal(refreshed.statusCode, 200, refreshed.body);
		assert.equal((await twoSteps(app, secret)).statusCode, 200);
		assert.equal(await acceptedHits(app, site, oldToken), 1);
		return cookiesOf(refreshed);
	});

	await withApp({ SECRET_KEY: SECOND }, 4, async (app) => {
		assert.equal(await me(app, cookies), "token_invalid");
		assert.equal(await me(app, renewed), login.email);
		assert.equal((await post(app, "/2fa/setup/cancel", {}, renewed)).statusCode, 200);
		assert.equal((await twoSteps(app, secret)).statusCode, 200);
		assert.equal(await acceptedHits(app, site, oldToken), 0);
	});
});

test("a secret that nobody knows any more opens no second factor, and says so to the operator alone", async () => {
	const lost = { SECRET_KEY: "a third secret that sealed nothing at all" };
	await withApp({ SECRET_KEY: SECOND }, 5, (app) => acceptSecret(app.metadata, lost.SECRET_KEY, app.clock.now()));
	await withApp(lost, 6, async (app) => {
		const { challenge_token } = (await post(app, "/auth/token", login)).json().data;
		const refused = await post(app, "/2fa/verify-login", { challenge_token, code: "123456" });
		assert.deepEqual(codeOf(refused), [500, "internal_error"]);
		assert.equal(refused.body.includes("SECRET_KEY"), false);
		assert.ok(app.logLines.join("").includes("SECRET_KEY_PREVIOUS"));
	});
});
