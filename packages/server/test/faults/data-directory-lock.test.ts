import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { lockDirectory } from "../../src/platform/files/lock-directory.ts";
import { runService } from "../support/service-process.ts";

const directory = mkdtempSync(join(tmpdir(), "footfall-lock-"));
after(() => rmSync(directory, { recursive: true, force: true }));

const NOBODY_THERE = "http://default:secret@127.0.0.1:9";

test("a directory belongs to one process at a time, and to the next when that has ended", async () => {
	const path = join(directory, "one");
	const lock = await lockDirectory(path);
	await assert.rejects(lockDirectory(path, 0), /in use by another process of Footfall/);
	lock.release();
	(await lockDirectory(path, 0)).release();
});

test("a second service on a data directory is refused, also with an event store elsewhere and other roles, and touches nothing", async () => {
	const env = { DATA_DIR: join(directory, "data") };
	const first = runService(["start"], env);
	await first.listening;
	const second = runService(["start"], { ...env, CLICKHOUSE_URL: NOBODY_THERE, ROLES: "api" });
	assert.equal(await second.ended, 1);
	assert.equal(
		second.output().stderr,
		`DATA_DIR ${env.DATA_DIR} is in use by a process of Footfall that has all roles: give each process a DATA_DIR of its own, or divide the ROLES between them\n`,
	);
	const status = runService(["spool", "status"], env);
	assert.equal(await status.ended, 0, "commands work beside the service");
	first.child.kill("SIGKILL");
	await first.ended;
	const third = runService(["start"], env);
	await third.listening;
	third.child.kill("SIGTERM");
	assert.equal(await third.ended, 0, third.output().stderr);
});
