// All static checks, then all tests: `npm test`, or `npm test -- PATTERN` for the test files whose path holds PATTERN.
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { checks, runCheck } from "./lib/checks.ts";
import { inParallel } from "./lib/in-parallel.ts";
import { root } from "./lib/root.ts";
import { type FileResult, killRunningFiles, runTestGroup } from "./lib/test-group.ts";
import { testGroups } from "./lib/test-groups.ts";

/** A file that runs longer is killed and counts as failed. */
const FILE_LIMIT_MS = 240_000;
/** Two processes more than there are cores, as many of them wait; more than four would not fit into the memory of small machines. */
const CONCURRENCY = Math.min(4, availableParallelism() + 2);

const patterns = process.argv.slice(2);
const count = { passed: 0, failed: 0, skipped: 0 };
const skipped: string[] = [];
const failed: string[] = [];

function testFiles(): string[] {
	const found = globSync(
		["packages/*/{src,test,migrations}/**/*.test.{ts,mjs}", "{scripts,bench}/**/*.test.{ts,mjs}"],
		{
			cwd: root,
			exclude: ["**/node_modules/**", "**/dist/**"],
		},
	);
	return found.filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)));
}

async function checkAll() {
	await inParallel(checks, 2, async (check) => {
		const result = await runCheck(check);
		console.log(`${result.passed ? "ok    " : "FAILED"} ${result.name} (${result.seconds.toFixed(1)} s)`);
		if (result.passed) count.passed++;
		else {
			count.failed++;
			failed.push(result.name);
			console.log(result.output.trimEnd());
		}
	});
}

function show(result: FileResult) {
	const tests = result.lines.filter((line) => line.kind !== "note" && line.suite !== true);
	const bad = result.lines.filter((line) => line.kind === "fail");
	const left = tests.filter((line) => line.skip !== undefined);
	count.failed += tests.filter((line) => line.kind === "fail").length;
	count.passed += tests.filter((line) => line.kind === "pass").length - left.length;
	count.skipped += left.length;
	// A suite can break in its own hook with all of its tests passed.
	if (bad.length > 0 && bad.every((line) => line.suite === true)) count.failed++;
	for (const line of left) skipped.push(`${line.name} (${result.file})${line.skip ? `: ${line.skip}` : ""}`);
	const figures = `${tests.length} tests, ${result.seconds.toFixed(1)} s`;
	console.log(`${bad.length === 0 ? "ok    " : "FAILED"} ${result.file} (${figures})`);
	for (const line of result.lines) if (line.kind === "note") console.log(`       ${line.name}`);
	for (const line of bad) {
		failed.push(`${line.name} (${result.file}${line.line === undefined ? "" : `:${line.line}`})`);
		console.log(`  ✖ ${line.name}\n${indent(line.error ?? "")}`);
	}
	if (bad.length > 0 && result.output !== "") console.log(`  printed:\n${indent(result.output.slice(-8_000))}`);
}

const indent = (text: string) => text.trimEnd().replaceAll(/^/gm, "      ");

function list(title: string, lines: readonly string[]) {
	if (lines.length > 0) console.log(`\n${title}\n${lines.map((line) => `  ${line}`).join("\n")}`);
}

for (const signal of ["SIGINT", "SIGTERM"] as const) {
	process.on(signal, () => {
		killRunningFiles();
		process.exit(1);
	});
}

if (patterns.length === 0) await checkAll();
const files = testFiles();
if (files.length === 0) console.log(`No test file matches ${patterns.join(" ")}`);
await inParallel(testGroups(files), CONCURRENCY, (group) => runTestGroup(group, FILE_LIMIT_MS, show));
list("Skipped (`.ci/run` starts what they need and skips nothing):", skipped);
list("Failed:", failed);
const left = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
console.log(`\n${count.passed} passed, ${count.failed} failed${left}`);
process.exit(count.failed > 0 || files.length === 0 ? 1 : 0);
