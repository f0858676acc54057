import assert from "node:assert/strict";
import { cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { runService } from "../support/service-process.ts";
import { testApp } from "../support/test-app.ts";

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

test("a start that fails after the stores and the spool were opened ends the process, too", async () => {
	const env = { DATA_DIR: join(directory, "collector-id") };
	mkdirSync(join(env.DATA_DIR, "collector-id"), { recursive: true });
	const failing = runService(["start"], env);
	assert.equal(await failing.ended, 1);
	assert.match(failing.output().stderr, /^EISDIR: .*\n$/);
});

test("a backup that was copied through its links is refused with the engine's reason", async () => {
	const dataDir = join(directory, "links");
	const app = await testApp({ dataDir });
	await app.close();
	const copy = join(directory, "links-copy");
	cpSync(dataDir, copy, { recursive: true, dereference: true });
	await assert.rejects(
		testApp({ dataDir: copy }),
		/^Error: The event store in DATA_DIR cannot be used: .*[A-Z_]+ \(\d+\)/,
	);
});

test("a service ends with the process that started the Node it needs", async () => {
	const old = `
		Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.0.0" } });
		delete process.env.NODE_OPTIONS;`;
	const options = `--import=data:text/javascript,${encodeURIComponent(old)}`;
	const wrapper = runService(["start"], { DATA_DIR: join(directory, "wrapped"), NODE_OPTIONS: options });
	const address = await wrapper.listening;
	wrapper.child.kill("SIGKILL");
	// The pipes of its output close when the service itself has ended.
	await wrapper.ended;
	await assert.rejects(fetch(`${address}/livez`));
});
