import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn, signInAgain } from "../../../test/support/accounts.ts";
import { days } from "../../../test/support/export-site.ts";
import { requestOf } from "../../../test/support/request-of.ts";
import { type LentEventStore, lendEventStore } from "../../../test/support/stores-on-shared-engine.ts";
import { type TestApp, testApp } from "../../../test/support/test-app.ts";
import { openWebhookReceiver, type WebhookReceiver } from "../../../test/support/webhook-receiver.ts";
import { ownSignature } from "../../../test/support/webhook-signatures.ts";
import { acceptSecret } from "../operating/server-secret/index.ts";

const FIRST = "the first secret of this service, long enough";
const SECOND = "the second secret of this service, long enough";

const ann = { userId: 1, email: "ann@example.com" };

const dataDir = mkdtempSync(join(tmpdir(), "footfall-delivering-secret-"));
let events: LentEventStore;
let receiver: WebhookReceiver;
before(async () => {
	events = await lendEventStore();
	receiver = await openWebhookReceiver();
});
after(async () => {
	await receiver.close();
	await events.giveBack();
	rmSync(dataDir, { recursive: true, force: true });
});

/** The service on the same data, started with these secrets. */
async function withApp<T>(env: Readonly<Record<string, string>>, work: (app: TestApp) => Promise<T>): Promise<T> {
	const outbound = { extraCertificates: [receiver.certificate] };
	const app = await testApp({ dataDir, events, env: { WEBHOOK_ALLOW_PRIVATE: "true", ...env }, outbound });
	try {
		return await work(app);
	} finally {
		await app.close();
	}
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

test("webhooks, alert rules and links of exports outlive a change of SECRET_KEY; jobs show links while SECRET_KEY_PREVIOUS is given", async () => {
	const made = await withApp({ SECRET_KEY: FIRST }, async (app) => {
		const as = await signIn(app, ann);
		await createSite(app, as);
		const fields = { name: "Hook", url: `${receiver.url}/in`, event_types: ["export.failed"] };
		const { id, secret } = (await call(app, as, "POST /webhooks", { ...fields, headers: { "X-Key": "hush" } })).body;
		const { new_secret: current } = (await call(app, as, `POST /webhooks/${id}/rotate-secret`)).body;
		const slack = { slack_webhook_url: "https://hooks.slack.example/services/hush" };
		await call(app, as, "POST /alerts/rules", { name: "Watch", ...slack, custom_webhook_url: shown[1] });
		const { job } = (await call(app, as, "POST /exports", { export_type: "pages", ...days })).body;
		return {
			id: id as string,
			secrets: { current, before: secret },
			export: job.job_id,
			link: pathOf(job.download_url),
		};
	});
	for (const [env, link] of [
		[{ SECRET_KEY: SECOND, SECRET_KEY_PREVIOUS: FIRST }, made.link],
		[{ SECRET_KEY: SECOND }, undefined],
	] as const) {
		await withApp(env, async (app) => {
			const as = await signInAgain(app, ann);
			assert.deepEqual(await signers(app, as, made.id, made.secrets), ["current", "before", "hush"]);
			assert.deepEqual(await addresses(app, as), shown);
			const { status, download_url } = (await call(app, as, `GET /exports/${made.export}`)).body;
			assert.deepEqual([status, pathOf(download_url)], ["completed", link]);
			assert.equal((await app.inject({ url: made.link ?? "" })).statusCode, 200);
			assert.ok(!app.logLines.join("").includes("sealed with another SECRET_KEY"));
		});
	}
});

test("with both secrets lost the log says so; new secrets or the key given later bring webhooks and alert rules back", async () => {
	const lost = "a third secret that sealed nothing at all";
	await withApp({ SECRET_KEY: SECOND }, (app) => acceptSecret(app.metadata, lost, app.clock.now() + 1));
	await withApp({ SECRET_KEY: lost }, async (app) => {
		for (const lost of ["Webhooks", "Addresses of alert rules"]) {
			assert.match(app.logLines.join(""), new RegExp(`${lost} were sealed with another SECRET_KEY: give it as`));
		}
		const as = await signInAgain(app, ann);
		const [endpoint] = (await call(app, as, "GET /webhooks")).body.endpoints;
		assert.deepEqual([endpoint.headers, await addresses(app, as)], [{}, [null, null]]);
		assert.equal((await call(app, as, `POST /webhooks/${endpoint.id}/test`)).status, 500);
		const { new_secret: current } = (await call(app, as, `POST /webhooks/${endpoint.id}/rotate-secret`)).body;
		const headers = { "X-Key": "new" };
		assert.equal((await call(app, as, `PATCH /webhooks/${endpoint.id}`, { headers })).status, 200);
		assert.deepEqual(await signers(app, as, endpoint.id, { current }), ["current", undefined, "new"]);
	});
	await withApp({ SECRET_KEY: lost, SECRET_KEY_PREVIOUS: SECOND }, async (app) => {
		assert.deepEqual(await addresses(app, await signInAgain(app, ann)), shown);
	});
});
