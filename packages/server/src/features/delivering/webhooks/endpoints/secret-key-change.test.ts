import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { createSite, type Session, signIn, signInAgain } from "../../../../../test/support/accounts.ts";
import { type TestApp, testApp } from "../../../../../test/support/test-app.ts";
import { openWebhookReceiver, type WebhookReceiver } from "../../../../../test/support/webhook-receiver.ts";
import { hmacHex } from "../../../../platform/lib/crypto.ts";
import { acceptSecret } from "../../../operating/server-secret/index.ts";

const FIRST = "the first secret of this service, long enough";
const SECOND = "the second secret of this service, long enough";

const ann = { userId: 1, email: "ann@example.com" };

const dataDir = mkdtempSync(join(tmpdir(), "footfall-webhook-secret-"));
let receiver: WebhookReceiver;
before(async () => {
	receiver = await openWebhookReceiver();
});
after(async () => {
	await receiver.close();
	rmSync(dataDir, { recursive: true, force: true });
});

/** The service on the same data, started with these secrets. */
async function withApp<T>(env: Readonly<Record<string, string>>, work: (app: TestApp) => Promise<T>): Promise<T> {
	const outbound = { extraCertificates: [receiver.certificate] };
	const app = await testApp({ dataDir, env: { WEBHOOK_ALLOW_PRIVATE: "true", ...env }, outbound });
	try {
		return await work(app);
	} finally {
		await app.close();
	}
}

async function call(app: TestApp, { headers }: Session, route: string, payload: object = {}) {
	const [method, path] = route.split(" ") as ["GET" | "POST", string];
	const url = `/api/v1${path}?account_id=shop`;
	const response = await app.inject({ method, url, headers, ...(method === "POST" && { payload }) });
	return { status: response.statusCode, body: response.json() };
}

/** Sends a test, and answers which of the secrets sign it, by their names, and the header that is sent along. */
async function signers(app: TestApp, as: Session, id: string, secrets: Readonly<Record<string, string>>) {
	assert.equal((await call(app, as, `POST /webhooks/${id}/test`)).body.success, true);
	const sent = receiver.received.at(-1);
	assert.ok(sent);
	const signed = `${sent.headers["x-service-timestamp"]}.${sent.body}`;
	const signatures = [sent.headers["x-service-signature"], sent.headers["x-service-signature-previous"]];
	const nameOf = (signature: unknown) =>
		Object.keys(secrets).find((name) => signature === `sha256=${hmacHex(secrets[name] ?? "", signed)}`);
	return [...signatures.map(nameOf), sent.headers["x-key"]];
}

/** The addresses that the rule of an alert posts to. */
const addresses = async (app: TestApp, as: Session) => {
	const [rule] = (await call(app, as, "GET /alerts/rules")).body.rules;
	return [rule.slack_webhook_url, rule.custom_webhook_url];
};
const shown = ["https://hooks.slack.example/…", "https://hooks.example/?key=hush"];

test("after a change of SECRET_KEY webhooks and alert rules send as before, also once SECRET_KEY_PREVIOUS is gone", async () => {
	const made = await withApp({ SECRET_KEY: FIRST }, async (app) => {
		const as = await signIn(app, ann);
		await createSite(app, as, { name: "Shop", domains: ["shop.example"] });
		const fields = { name: "Hook", url: `${receiver.url}/in`, event_types: ["export.failed"] };
		const { id, secret } = (await call(app, as, "POST /webhooks", { ...fields, headers: { "X-Key": "hush" } })).body;
		const { new_secret: current } = (await call(app, as, `POST /webhooks/${id}/rotate-secret`)).body;
		const slack = { slack_webhook_url: "https://hooks.slack.example/services/hush" };
		await call(app, as, "POST /alerts/rules", { name: "Watch", ...slack, custom_webhook_url: shown[1] });
		return { id: id as string, secrets: { current, before: secret } };
	});
	const check = async (app: TestApp) => {
		const as = await signInAgain(app, ann);
		assert.deepEqual(await signers(app, as, made.id, made.secrets), ["current", "before", "hush"]);
		assert.deepEqual(await addresses(app, as), shown);
		assert.ok(!app.logLines.join("").includes("sealed with another SECRET_KEY"));
	};
	await withApp({ SECRET_KEY: SECOND, SECRET_KEY_PREVIOUS: FIRST }, check);
	await withApp({ SECRET_KEY: SECOND }, check);
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
		const changed = await app.inject({
			method: "PATCH",
			url: `/api/v1/webhooks/${endpoint.id}?account_id=shop`,
			headers: as.headers,
			payload: { headers: { "X-Key": "new" } },
		});
		assert.equal(changed.statusCode, 200, changed.body);
		assert.deepEqual(await signers(app, as, endpoint.id, { current }), ["current", undefined, "new"]);
	});
	await withApp({ SECRET_KEY: lost, SECRET_KEY_PREVIOUS: SECOND }, async (app) => {
		assert.deepEqual(await addresses(app, await signInAgain(app, ann)), shown);
	});
});
