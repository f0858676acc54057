import assert from "node:assert/strict";
import { after, test } from "node:test";
import { accountsApp } from "../../test/support/accounts-app.ts";
import { cli } from "../../test/support/cli.ts";
import { JobFailure } from "../platform/jobs/job-failure.ts";

const app = await accountsApp();
app.jobs.register("greet", async (name) => {
	if (name !== "Ann") throw new JobFailure(`nobody is called ${name}`, { isFinal: true });
});
for (const payload of ["Ann", "Bob", "Cid"]) await app.jobs.enqueue(app.metadata, { kind: "greet", payload });
await app.jobs.runDue();
await app.jobs.enqueue(app.metadata, { kind: "later", runAt: app.clock.now() + 1000 });
after(() => app.close());

const footfall = (...args: readonly string[]) =>
	cli(args, { env: { DATA_DIR: app.config.dataDir, NODE_ENV: "development" } });

test("operators see what waits, runs and was given up, with the reason", async () => {
	const { out, error, code } = await footfall("jobs");
	assert.deepEqual([code, error], [0, ""]);
	assert.equal(
		out,
		[
			"KIND   PENDING  RUNNING  FAILED  DONE",
			"greet  0        0        2       1",
			"later  1        0        0       0",
			"",
			"ID  KIND   ATTEMPTS  FAILED_AT                 ERROR",
			"3   greet  1         2026-11-21T12:00:00.000Z  nobody is called Cid",
			"2   greet  1         2026-11-21T12:00:00.000Z  nobody is called Bob",
			"",
		].join("\n"),
	);
	const json = JSON.parse((await footfall("jobs", "--json")).out);
	assert.deepEqual(json.kinds[0], { kind: "greet", pending: 0, running: 0, failed: 2, done: 1 });
	assert.equal(json.failed[1].error, "nobody is called Bob");
});

test("a job that was given up begins anew, and no other one", async () => {
	assert.deepEqual(await footfall("jobs", "retry", "2"), { out: "Job 2 will be retried.\n", error: "", code: 0 });
	for (const id of ["1", "2", "4", "99"]) {
		const refused = await footfall("jobs", "retry", id);
		assert.deepEqual([refused.code, refused.error], [1, `There is no failed job ${id}\n`]);
	}
	assert.equal((await footfall("jobs", "retry", "two")).code, 1);
	assert.match((await footfall("jobs")).out, /^greet {2}1 +0 +1 +1$/m);
});
