import assert from "node:assert/strict";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { sharedTestApp } from "../../test/support/accounts.ts";
import { mailbox } from "../../test/support/mailbox.ts";

const app = sharedTestApp();

const health = async () => (await app.inject({ method: "GET", url: "/health" })).json();

test("/health says how mails leave", async () => {
	assert.equal((await health()).checks.mailer.message, "mails are written to DATA_DIR/outbox");
	await app.mailer.queue(app.metadata, { to: "ann@example.com", subject: "Hello", body: ["Hello"] });
	assert.equal((await mailbox(app).to("ann@example.com")).length, 1);
});

test("jobs that nobody does for ten minutes degrade the service, until somebody does them", async () => {
	await app.mailer.queue(app.metadata, { to: "ann@example.com", subject: "Hello", body: ["Hello"] });
	app.clock.advance(10 * 60_000);
	assert.equal((await health()).status, "healthy");
	app.clock.advance(1);
	const late = await health();
	assert.deepEqual([late.status, late.checks.queue.status], ["degraded", "unhealthy"]);
	await app.jobs.runDue();
	assert.equal((await health()).status, "healthy");
});

test("an outbox that cannot be written degrades the service", async () => {
	const outbox = join(app.config.dataDir, "outbox");
	rmSync(outbox, { recursive: true });
	writeFileSync(outbox, "a file in the way");
	const broken = await health();
	assert.deepEqual([broken.status, broken.checks.mailer.status], ["degraded", "unhealthy"]);
	assert.equal(broken.checks.mailer.message, "not reachable");
});
