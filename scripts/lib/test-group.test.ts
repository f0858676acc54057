import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { temporaryFolder } from "../../packages/server/test/support/temporary-folder.ts";
import { type FileResult, runTestGroup } from "./test-group.ts";

const good = 'import { test } from "node:test"; test("good", () => console.log("said"));';
const LIMIT_MS = 20_000;

/** Runs files of these texts as one group; resolves with their messages in order. */
async function told(t: TestContext, texts: readonly string[], limitMs = LIMIT_MS): Promise<FileResult[]> {
	const folder = temporaryFolder(t);
	const files = texts.map((text, index) => {
		const file = join(folder, `${index}.test.mjs`);
		writeFileSync(file, text);
		return file;
	});
	const results: FileResult[] = [];
	const queue = [...files];
	await runTestGroup(() => queue.shift(), {
		form: "whole",
		group: undefined,
		limitMs,
		show: (result) => void results.push(result),
	});
	assert.deepEqual(
		results.map(({ file }) => file),
		files,
	);
	return results;
}

const linesOf = (results: readonly FileResult[]) =>
	results.map(({ lines }) => lines.map(({ kind, name }) => `${kind} ${name}`));

test("files run one after the other in a process, each with its tests, its hooks and what it printed", async (t) => {
	const hooked = `import { after, describe, test } from "node:test";
		after(async () => { await new Promise((done) => setTimeout(done, 50)); console.log("hook", process.pid); });
		test("one", () => console.log("one", process.pid));
		describe("a suite", () => { test("two", () => {}); test("later", { skip: "no time" }, () => {}); });`;
	const results = await told(t, [hooked, hooked]);
	const lines = ["pass one", "pass two", "pass later", "pass a suite"];
	assert.deepEqual(linesOf(results), [lines, lines]);
	assert.equal(results[0]?.lines[2]?.skip, "no time");
	const [first, second] = results.map(({ output }) => /^one (\d+)\nhook (\d+)\n$/.exec(output)?.slice(1));
	assert.ok(first !== undefined && first[0] === first[1]);
	assert.deepEqual(second, first);
});

test("a file that fails tells its test and its line; the file after it has a process of its own", async (t) => {
	const bad = 'import { test } from "node:test";\ntest("bad", () => { throw new Error("broken") });';
	const results = await told(t, [bad, good]);
	assert.deepEqual(linesOf(results), [["fail bad"], ["pass good"]]);
	assert.equal(results[0]?.lines[0]?.line, 2);
	assert.match(results[0]?.lines[0]?.error ?? "", /broken/);
});

test("a file that crashes, ends the process, hangs, does not load or holds nothing is a failure of that file alone", async (t) => {
	const crash = 'import { test } from "node:test"; test("x", () => process.kill(process.pid, "SIGKILL"));';
	const exit = 'import { test } from "node:test"; test("x", () => process.exit(0));';
	const hang = 'import { test } from "node:test"; test("x", () => new Promise(() => setInterval(() => {}, 1000)));';
	const results = await told(t, [good, crash, good, exit, good, "import './nowhere.mjs';", "export {};", good]);
	assert.deepEqual(
		linesOf(results).map((lines) => lines.map((line) => line.replace(/ \/.*/, " FILE"))),
		[
			["pass good"],
			["fail the file was killed by SIGKILL"],
			["pass good"],
			["fail the file ended with code 0"],
			["pass good"],
			["fail FILE"],
			["fail the file holds no test"],
			["pass good"],
		],
	);
	assert.deepEqual(linesOf(await told(t, [hang, good], 3_000)), [
		["fail the file did not end within 3 s"],
		["pass good"],
	]);
});

test("an error outside of a test's own promise fails its file, before its first await and after it", async (t) => {
	const inTest = (body: string) => `import { test } from "node:test"; test("x", async () => { ${body} });`;
	const wait = "await new Promise((done) => setTimeout(done, 20));";
	const texts = [
		inTest(`Promise.reject(new Error("left")); ${wait}`),
		inTest(`${wait} Promise.reject(new Error("left")); ${wait}`),
		inTest(`setTimeout(() => { throw new Error("left"); }, 5); ${wait}`),
	];
	for (const { lines } of await told(t, texts)) {
		assert.ok(lines.some(({ kind }) => kind === "fail"));
		assert.match(lines.map(({ name, error = "" }) => name + error).join("\n"), /left/);
	}
});

test("hooks and tests declared within a suite belong to it, those after an await to what is named", async (t) => {
	const nested = `import { beforeEach, describe, test } from "node:test";
		describe("suite", () => {
			beforeEach(async () => { await null; console.log("before"); });
			test("outer", async (t) => { await null; await t.test("inner", () => console.log("inner")); });
		});
		test("beside", () => console.log("beside"));`;
	const results = await told(t, [nested]);
	assert.deepEqual(linesOf(results), [["pass inner", "pass outer", "pass suite", "pass beside"]]);
	assert.equal(results[0]?.output, "before\nbefore\ninner\nbeside\n");
});

test("a file that changes what others rely on fails, and the others do not see it", async (t) => {
	const changes = {
		"process.env.SOMETHING": "process.env.SOMETHING = 'x'",
		"Date.now": "Date.now = () => 0",
		"globalThis.setTimeout": "globalThis.setTimeout = () => {}",
		"globalThis.added": "globalThis.added = 1",
		"listeners of SIGTERM": "process.on('SIGTERM', () => {})",
		"process.exitCode": "process.exitCode = 1",
		"the working directory": "process.chdir('/')",
	};
	const texts = Object.values(changes).map((text) => `import { test } from "node:test"; test("x", () => { ${text} });`);
	assert.deepEqual(
		linesOf(await told(t, texts)),
		Object.keys(changes).map((name) => ["pass x", `fail the file changed ${name} and did not put it back`]),
	);
});

test("an open handle of a file is a failure, and later files run", async (t) => {
	const open = `import { createServer } from "node:net"; import { test } from "node:test";
		test("x", () => new Promise((done) => createServer().listen(0, "127.0.0.1", done)));`;
	const results = await told(t, [open, good], 60_000);
	assert.deepEqual(linesOf(results), [["pass x", "fail the file left open: TCPServerWrap"], ["pass good"]]);
});
