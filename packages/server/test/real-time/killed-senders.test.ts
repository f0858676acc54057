// Real processes, as the promises are about senders that are killed.
import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, test } from "node:test";
import { until } from "../support/until.ts";
import { openWebhookApp } from "../support/webhook-app.ts";

const source = new URL("../../src/", import.meta.url).href;
const children: ChildProcess[] = [];
afterEach(() => {
	for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A process that does something with the jobs, mails and clock of the same SQLite file. */
function worker(
	{ dataDir, secretKey }: { dataDir: string; secretKey: string },
	nowMs: number,
	body: string,
): ChildProcess {
	const script = `
		import { createDomainEvents } from "${source}features/delivering/domain-events/index.ts";
		import { startWebhooks } from "${source}features/delivering/webhooks/index.ts";
		import { createJobs } from "${source}platform/jobs/job-runner.ts";
		import { openMetadata } from "${source}platform/metadata/open-metadata.ts";
		import { createGuardedFetch } from "${source}platform/outbound/guarded-fetch.ts";
		import { createMailer } from "${source}platform/outbound/mail/mailer.ts";
		import { systemClock } from "${source}platform/lib/clock.ts";
		const { dataDir, secretKey } = ${JSON.stringify({ dataDir, secretKey })};
		const clock = { ...systemClock, now: () => ${nowMs} + Math.round(performance.now()) };
		const log = { info() {}, warn() {}, error() {} };
		const metadata = await openMetadata({ dataDir });
		const jobs = createJobs({ metadata, clock, log });
		const mailer = createMailer({ jobs, clock, log, secretKey, dataDir, mailFrom: "ops@stats.example" });
		${body}
	`;
	const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
		stdio: ["ignore", "ignore", "inherit"],
	});
	children.push(child);
	return child;
}

test("a sender that is killed loses no delivery, and what comes twice has the same event id and body", {
	timeout: 60_000,
}, async (t) => {
	const EVENTS = 60;
	const hooks = await openWebhookApp("sqlite");
	t.after(() => hooks.close());
	const { app, receiver, got, call } = hooks;
	const sender = (aheadMs: number) =>
		worker(
			app.config,
			app.clock.now() + aheadMs,
			`const extraCertificates = [${JSON.stringify(receiver.certificate)}];
			const guardedFetch = createGuardedFetch({ clock, allowPrivate: true, extraCertificates });
			const events = createDomainEvents({ jobs, clock });
			startWebhooks({ metadata, clock, jobs, mailer, guardedFetch, secretKey, events });
			jobs.start();`,
		);
	const { id } = await hooks.endpoint("/killed");
	await app.metadata.transaction().execute(async (trx) => {
		for (let event = 0; event < EVENTS; event++) {
			const data = { export_id: String(event), export_type: "pages", error_message: "no", failed_at: "" };
			await app.events.announce(trx, { type: "export.failed", siteId: "shop", data });
		}
	});
	const first = sender(0);
	await until(() => got("/killed").length >= 10);
	first.kill("SIGKILL");
	await once(first, "exit");
	const before = got("/killed").length;
	assert.ok(before < EVENTS, `${before} came before the kill`);
	// Places of the first process are free again when its leases expire.
	sender(120_000);
	const deliveries = async (query = "") => (await call(`GET /webhooks/${id}/deliveries${query}`)).body.total;
	await until(async () => (await deliveries("?status=success&limit=200")) === EVENTS);
	const bodies = new Map<string, string>();
	for (const { headers, body } of receiver.received) {
		const eventId = String(headers["webhook-id"]);
		assert.equal(bodies.get(eventId) ?? body, body);
		bodies.set(eventId, body);
	}
	assert.deepEqual([bodies.size, await deliveries()], [EVENTS, EVENTS]);
	// Only what was on its way when the process died may come again.
	assert.ok(receiver.received.length <= EVENTS + 8, `${receiver.received.length} calls`);
});
