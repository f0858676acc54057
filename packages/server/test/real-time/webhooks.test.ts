// A real process, as the promise is about a sender that is killed.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, test } from "node:test";
import { until } from "../support/until.ts";
import { openWebhookApp, type WebhookApp } from "../support/webhook-app.ts";

const source = new URL("../../src/", import.meta.url).href;
const EVENTS = 60;

let hooks: WebhookApp | undefined;
const children: ChildProcess[] = [];
afterEach(async () => {
	for (const child of children.splice(0)) child.kill("SIGKILL");
	await hooks?.close();
});

/** A process that sends what is due from the same store; its clock is some milliseconds ahead. */
function sender({ app, receiver }: WebhookApp, aheadMs: number): ChildProcess {
	const script = `
		import { createDomainEvents } from "${source}features/delivering/domain-events/index.ts";
		import { startWebhooks } from "${source}features/delivering/webhooks/index.ts";
		import { createJobs } from "${source}platform/jobs/create-jobs.ts";
		import { openMetadata } from "${source}platform/metadata/open-metadata.ts";
		import { createGuardedFetch } from "${source}platform/outbound/guarded-fetch.ts";
		import { createMailer } from "${source}platform/outbound/mail/mailer.ts";
		import { systemClock } from "${source}platform/lib/clock.ts";
		const dataDir = ${JSON.stringify(app.config.dataDir)};
		const secretKey = ${JSON.stringify(app.config.secretKey)};
		const clock = { ...systemClock, now: () => ${app.clock.now() + aheadMs} + Math.round(performance.now()) };
		const log = { info() {}, warn() {}, error() {} };
		const metadata = await openMetadata({ dataDir });
		const jobs = createJobs({ metadata, clock, log });
		const mailer = createMailer({ jobs, clock, log, secretKey, dataDir, mailFrom: "a@stats.example" });
		const guardedFetch = createGuardedFetch({
			clock,
			allowPrivate: true,
			extraCertificates: [${JSON.stringify(receiver.certificate)}],
		});
		const events = createDomainEvents({ jobs, clock });
		startWebhooks({ metadata, clock, jobs, mailer, guardedFetch, secretKey, events });
		jobs.start();
	`;
	const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
		stdio: ["ignore", "ignore", "inherit"],
	});
	children.push(child);
	return child;
}

test("a sender that is killed loses no delivery, and what comes twice has the same event id and body", {
	timeout: 60_000,
}, async () => {
	hooks = await openWebhookApp("sqlite");
	const { app, receiver, got, call } = hooks;
	const { id } = await hooks.endpoint("/killed");
	await app.metadata.transaction().execute(async (trx) => {
		for (let event = 0; event < EVENTS; event++) {
			const data = { export_id: String(event), export_type: "pages", error_message: "no", failed_at: "" };
			await app.events.announce(trx, { type: "export.failed", siteId: "shop", data });
		}
	});
	const first = sender(hooks, 0);
	await until(() => got("/killed").length >= 10);
	first.kill("SIGKILL");
	await once(first, "exit");
	const before = got("/killed").length;
	assert.ok(before < EVENTS, `${before} came before the kill`);
	// Places of the first process are free again when its leases expire.
	sender(hooks, 120_000);
	const list = async () => (await call(`GET /webhooks/${id}/deliveries?status=success&limit=200`)).body;
	await until(async () => (await list()).total === EVENTS);
	const bodies = new Map<string, string>();
	for (const { headers, body } of receiver.received) {
		const eventId = String(headers["webhook-id"]);
		assert.equal(bodies.get(eventId) ?? body, body);
		bodies.set(eventId, body);
	}
	assert.equal(bodies.size, EVENTS);
	// Only what was on its way when the process died may come again.
	assert.ok(receiver.received.length <= EVENTS + 8, `${receiver.received.length} calls`);
	assert.equal((await call(`GET /webhooks/${id}/deliveries`)).body.total, EVENTS);
});
