// A real process, as the promise is about one that is killed.
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { signIn } from "../support/accounts.ts";
import { beside, doJobs, lockedApp, newDirectory } from "../support/backups.ts";
import { cli } from "../support/cli.ts";
import { BUCKET, startS3Peer } from "../support/s3-peer.ts";
import { runService } from "../support/service-process.ts";

const footfall = (...args: string[]) => cli(args, { env: { NODE_ENV: "test" } });

test("a killed backup leaves none, and the next one is complete", async (t) => {
	const peer = await startS3Peer();
	t.after(() => peer.close());
	const app = await lockedApp({ dataDir: newDirectory(), now: "2026-11-21T12:00:00.000Z" });
	t.after(() => app.close());
	await signIn(app);
	const place = peer.url(`${BUCKET}/footfall`);
	const running = runService(["backup", "--to", place], { DATA_DIR: app.config.dataDir });
	peer.fault = (request) => {
		if (!request.includes("/state-")) return undefined;
		running.child.kill("SIGKILL");
		return "cut before";
	};
	assert.equal(await doJobs(app, running.ended), null, running.output().stderr);
	peer.fault = () => undefined;
	assert.ok(
		peer.objects().some((name) => name.includes("part-")),
		"parts were written",
	);
	assert.equal((await footfall("verify", place)).error, "There is no complete backup in this place\n");
	assert.equal((await footfall("restore", place, "--to", join(newDirectory(), "data"))).code, 1);
	assert.equal((await beside(app, ["backup", "--to", place])).code, 0);
	assert.equal((await footfall("verify", place, "--deep")).code, 0);
	assert.deepEqual(readdirSync(join(app.config.dataDir, "snapshots")), ["lock"]);
});
