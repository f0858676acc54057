import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runService } from "../support/service-process.ts";

const directory = mkdtempSync(join(tmpdir(), "footfall-failed-start-"));
after(() => rmSync(directory, { recursive: true, force: true }));

/** Lets a process find no file whose path ends so. */
const withoutFile = (ending: string): string => {
	const module = `
		import fs from "node:fs";
		import { syncBuiltinESMExports } from "node:module";
		const read = fs.readFileSync;
		fs.readFileSync = (path, ...more) => read(String(path).endsWith("${ending}") ? path + ".gone" : path, ...more);
		syncBuiltinESMExports();`;
	return `--import=data:text/javascript,${encodeURIComponent(module)}`;
};

test("a start that fails half way ends the process with a line that says why, and the next start works", async () => {
	const env = { DATA_DIR: join(directory, "tracker") };
	const failing = runService(["start"], { ...env, NODE_OPTIONS: withoutFile("/tracker.js") });
	assert.equal(await failing.ended, 1);
	const { stdout, stderr } = failing.output();
	assert.equal(stdout, "");
	assert.match(stderr, /The tracker is not built: run node packages\/tracker\/build\.mjs/);
	const service = runService(["start"], env);
	await service.listening;
	service.child.kill("SIGTERM");
	assert.equal(await service.ended, 0, service.output().stderr);
});
