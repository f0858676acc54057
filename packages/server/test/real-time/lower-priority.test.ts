// A process of its own, as the priority of this one could not be raised again.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { promisify } from "node:util";

const program = `
	import { readdirSync, readFileSync } from "node:fs";
	import { lowerPriority } from "${new URL("../../src/platform/lib/lower-priority.ts", import.meta.url)}";
	lowerPriority(7);
	const nice = (thread) => readFileSync("/proc/self/task/" + thread + "/stat", "latin1").split(") ")[1].split(" ")[16];
	console.log(JSON.stringify(readdirSync("/proc/self/task").map(nice)));
`;

test("a process lowers the priority of all of its threads", { skip: process.platform !== "linux" }, async () => {
	const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program]);
	const levels = JSON.parse(stdout) as string[];
	assert.ok(levels.length > 4, stdout);
	assert.deepEqual([...new Set(levels)], ["7"]);
});
