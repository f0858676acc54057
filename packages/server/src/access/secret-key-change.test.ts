import assert from "node:assert/strict";
import { after, test } from "node:test";
import { createSite, type Session, signIn, signInAgain } from "../../test/support/accounts.ts";
import { apiCall, cookiesOf } from "../../test/support/accounts-app.ts";
import { totpAt } from "../../test/support/authenticator.ts";
import { days } from "../../test/support/export-site.ts";
import { sendHits } from "../../test/support/hits.ts";
import { newDirectory } from "../../test/support/new-directory.ts";
import { codeOf } from "../../test/support/refusals.ts";
import { requestOf } from "../../test/support/request-of.ts";
import { lendEventStore } from "../../test/support/stores-on-shared-engine.ts";
import { type TestApp, testApp } from "../../test/support/test-app.ts";
import { openWebhookReceiver } from "../../test/support/webhook-receiver.ts";
import { ownSignature } from "../../test/support/webhook-signatures.ts";
import { collectKey } from "../composition/collector.ts";
import { issueToken } from "../features/collecting/collect/index.ts";
import { acceptSecret } from "../features/operating/server-secret/index.ts";
import { createUser } from "../features/people/users/index.ts";

const dataDir = newDirectory();
const events = await lendEventStore();
const receiver = await openWebhookReceiver();
after(async () => {
	await receiver.close();
	await events.giveBack();
});

const FIRST = "the first secret of this service, long enough";
const SECOND = "the second secret of this service, long enough";
const LOST = "a third secret that sealed nothing at all";
const NOON = Date.parse("2026-11-21T12:00:00.000Z");
/** Has a second factor. */
const bob = { email: "bob@example.com", password: "correct horse battery staple 7" };
/** Has a site, with a webhook, a rule and an export. */
const ann = { userId: 1, email: "ann@example.com" };
type Cookies = Readonly<Record<string, string>>;

/** Does something with the service of a minute after noon. */
async function withApp<T>(env: Record<string, string>, minute: number, work: (app: TestApp) => Promise<T>): Promise<T> {
	const now = new Date(NOON + minute * 60_000).toISOString();
	const outbound = { extraCertificates: [receiver.certificate] };
	await using app = await testApp({ dataDir, events, now, env: { WEBHOOK_ALLOW_PRIVATE: "true", ...env }, outbound });
	return await work(app);
}

const post = (app: TestApp, path: string, body?: object, cookies: Cookies = {}) =>
	apiCall(app)(`POST ${path}`, { cookies, headers: { "x-csrf-token": cookies.svc_csrf_token ?? "" }, body });
const me = async (app: TestApp, cookies: Cookies) => {
	const { error, data } = (await apiCall(app)("GET /users/me", { cookies })).json();
	return error?.code ?? data.email;
};

/** Sends a hit of a page that has been open for a while; answers how many of the last minute were accepted. */
async function acceptedHits(app: TestApp, token: string): Promise<number | undefined> {
	await sendHits(app, [{ site: "shop", token, url: "https://shop.example/" }]);
	return app.collector?.rejections.window("shop", 1, app.clock.now()).accepted;
}

/** Both steps of a sign-in. */
async function twoSteps(app: TestApp, secret: string) {
	const { challenge_token } = (await post(app, "/auth/token", bob)).json().data;
	return post(app, "/2fa/verify-login", { challenge_token, code: totpAt(secret, app.clock.now()) });
}

async function call(app: TestApp, { headers }: Session, route: string, payload: object = {}) {
	const body = route.startsWith("GET") ? undefined : payload;
	const response = await app.inject(requestOf(route, { headers, body, query: "account_id=shop" }));
	return { status: response.statusCode, body: response.json() };
}

/** Sends a test, and answers which of the secrets sign it, by their names, and the header that is sent along. */
async function signers(app: TestApp, as: Session, id: string, secrets: Readonly<Record<string, string>>) {
	assert.equal((await call(app, as, `POST /webhooks/${id}/test`)).body.success, true);
	const sent = receiver.received.at(-1);
	assert.ok(sent);
	const signatures = [sent.headers["x-service-signature"], sent.headers["x-service-signature-previous"]];
	const nameOf = (signature: unknown) =>
		Object.keys(secrets).find((name) => signature === ownSignature(secrets[name] ?? "", sent));
	return [...signatures.map(nameOf), sent.headers["x-key"]];
}

/** The addresses that the rule of an alert posts to. */
const addresses = async (app: TestApp, as: Session) => {
	const [rule] = (await call(app, as, "GET /alerts/rules")).body.rules;
	return [rule.slack_webhook_url, rule.custom_webhook_url];
};
const shown = ["https://hooks.slack.example/…", "https://hooks.example/?key=hush"];
const pathOf = (link: string | null) => link?.replace(/^http:\/\/[^/]+/, "");

/** A webhook, a rule and an export, whose secrets `opens` reads. */
async function make(app: TestApp) {
	const as = await signIn(app, ann);
	await createSite(app, as);
	const fields = { name: "Hook", url: `${receiver.url}/in`, event_types: ["export.failed"] };
	const { id, secret } = (await call(app, as, "POST /webhooks", { ...fields, headers: { "X-Key": "hush" } })).body;
	const { new_secret: current } = (await call(app, as, `POST /webhooks/${id}/rotate-secret`)).body;
	const slack = { slack_webhook_url: "https://hooks.slack.example/services/hush" };
	await call(app, as, "POST /alerts/rules", { name: "Watch", ...slack, custom_webhook_url: shown[1] });
	const { job } = (await call(app, as, "POST /exports", { export_type: "pages", ...days })).body;
	const opens = async (app: TestApp, link: string | undefined) => {
		const as = await signInAgain(app, ann);
		assert.deepEqual(await signers(app, as, id, { current, before: secret }), ["current", "before", "hush"]);
		assert.deepEqual(await addresses(app, as), shown);
		const { status, download_url } = (await call(app, as, `GET /exports/${job.job_id}`)).body;
		assert.deepEqual([status, pathOf(download_url)], ["completed", link]);
		assert.equal((await app.inject({ url: pathOf(job.download_url) ?? "" })).statusCode, 200);
		assert.ok(!app.logLines.join("").includes("sealed with another SECRET_KEY"));
	};
	return { opens, link: pathOf(job.download_url) };
}

test("while SECRET_KEY_PREVIOUS names the old secret sessions and links go on; second factors, webhooks and rules do afterwards too", async () => {
	const { cookies, secret, opens, link } = await withApp({ SECRET_KEY: FIRST }, 0, async (app) => {
		const made = await make(app);
		await createUser(app, { ...bob, name: "Bob", role: "user" });
		const signedIn = cookiesOf(await post(app, "/auth/token", bob));
		const setup = (await post(app, "/2fa/setup", { password: bob.password }, signedIn)).json().data;
		const code = totpAt(setup.secret, app.clock.now());
		assert.equal((await post(app, "/2fa/verify", { code }, signedIn)).statusCode, 200);
		return { ...made, cookies: signedIn, secret: setup.secret as string };
	});

	const oldToken = issueToken(collectKey(FIRST), "shop", NOON);
	const both = { SECRET_KEY: SECOND, SECRET_KEY_PREVIOUS: FIRST };
	const renewed = await withApp(both, 2, async (app) => {
		assert.equal(await me(app, cookies), bob.email);
		assert.equal((await post(app, "/2fa/setup/cancel", {}, cookies)).statusCode, 200);
		const refreshed = await post(app, "/auth/refresh", undefined, cookies);
		assert.equal(refreshed.statusCode, 200, refreshed.body);
		assert.equal((await twoSteps(app, secret)).statusCode, 200);
		assert.equal(await acceptedHits(app, oldToken), 1);
		await opens(app, link);
		return cookiesOf(refreshed);
	});

	await withApp({ SECRET_KEY: SECOND }, 4, async (app) => {
		assert.equal(await me(app, cookies), "token_invalid");
		assert.equal(await me(app, renewed), bob.email);
		assert.equal((await post(app, "/2fa/setup/cancel", {}, renewed)).statusCode, 200);
		assert.equal((await twoSteps(app, secret)).statusCode, 200);
		assert.equal(await acceptedHits(app, oldToken), 0);
		await opens(app, undefined);
	});
});

test("with both secrets lost no second factor opens, and the log says so; new secrets or the key given later bring webhooks and rules back", async () => {
	await withApp({ SECRET_KEY: SECOND }, 5, (app) => acceptSecret(app.metadata, LOST, app.clock.now()));
	await withApp({ SECRET_KEY: LOST }, 6, async (app) => {
		const { challenge_token } = (await post(app, "/auth/token", bob)).json().data;
		const refused = await post(app, "/2fa/verify-login", { challenge_token, code: "123456" });
		assert.deepEqual(codeOf(refused), [500, "internal_error"]);
		assert.equal(refused.body.includes("SECRET_KEY"), false);
		for (const lost of ["Second factors", "Webhooks", "Addresses of alert rules"])
			assert.match(app.logLines.join(""), new RegExp(`${lost} were sealed with another SECRET_KEY: give it as`));
		const as = await signInAgain(app, ann);
		const [endpoint] = (await call(app, as, "GET /webhooks")).body.endpoints;
		assert.deepEqual([endpoint.headers, await addresses(app, as)], [{}, [null, null]]);
		assert.equal((await call(app, as, `POST /webhooks/${endpoint.id}/test`)).status, 500);
		const { new_secret: current } = (await call(app, as, `POST /webhooks/${endpoint.id}/rotate-secret`)).body;
		const headers = { "X-Key": "new" };
		assert.equal((await call(app, as, `PATCH /webhooks/${endpoint.id}`, { headers })).status, 200);
		assert.deepEqual(await signers(app, as, endpoint.id, { current }), ["current", undefined, "new"]);
	});
	await withApp({ SECRET_KEY: LOST, SECRET_KEY_PREVIOUS: SECOND }, 7, async (app) => {
		assert.deepEqual(await addresses(app, await signInAgain(app, ann)), shown);
	});
});
