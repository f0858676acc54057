// All static checks, then all tests: `npm test`, or `npm test -- PATTERN` for the test files whose path holds PATTERN. With
// `--split` those that ask over HTTP, of a collector, an API and a worker on PostgreSQL and Redis; with `--also-split` both.
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type Check, checks, runCheck } from "./lib/checks.ts";
import { inParallel } from "./lib/in-parallel.ts";
import { root } from "./lib/root.ts";
import { splitFiles } from "./lib/split-files.ts";
import { type FileResult, killRunningFiles, type NextFile, runTestGroup, type TestForm } from "./lib/test-group.ts";
import { testQueues } from "./lib/test-queues.ts";

/** A file that runs longer is killed and counts as failed. */
const FILE_LIMIT_MS = 300_000;
/** Two processes more than there are cores, as many of them wait; more than four would not fit into the memory of small machines. */
const CONCURRENCY = Math.min(4, availableParallelism() + 2);

const given = process.argv.slice(2);
const forms: readonly TestForm[] = given.includes("--split")
	? ["split"]
	: given.includes("--also-split")
		? ["whole", "split"]
		: ["whole"];
const patterns = given.filter((word) => !word.startsWith("--"));
const count = { passed: 0, failed: 0, skipped: 0 };
const skipped: string[] = [];
const failed: string[] = [];

function testFiles(form: TestForm): readonly string[] {
	const found = globSync(
		["packages/*/{src,test,migrations}/**/*.test.{ts,mjs}", "{scripts,bench}/**/*.test.{ts,mjs}"],
		{
			cwd: root,
			exclude: ["**/node_modules/**", "**/dist/**"],
		},
	);
	const wanted = found.filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)));
	return form === "split" ? splitFiles(wanted) : wanted;
}

async function checkOne(check: Check) {
	const result = await runCheck(check);
	console.log(`${result.passed ? "ok    " : "FAILED"} ${result.name} (${result.seconds.toFixed(1)} s)`);
	if (result.passed) count.passed++;
	else {
		count.failed++;
		failed.push(result.name);
		console.log(result.output.trimEnd());
	}
}

function show(given: FileResult, form: TestForm) {
	const result = form === "split" ? { ...given, file: `${given.file} (split)` } : given;
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

if (forms.includes("split") && !(process.env.TEST_DATABASE_URL && process.env.TEST_REDIS_URL)) {
	console.error("The split form needs TEST_DATABASE_URL and TEST_REDIS_URL");
	process.exit(1);
}
const queues = forms.map((form) => ({ form, ...testQueues(testFiles(form)) }));
const isEmpty = queues.every(({ alone, busy, waiting }) => alone.length + busy.length + waiting.length === 0);
if (isEmpty) console.log(`No test file matches ${patterns.join(" ")}`);
const run = (form: TestForm, next: NextFile) =>
	runTestGroup(next, { form, limitMs: FILE_LIMIT_MS, show: (result) => show(result, form) });
const nextOf = (files: readonly string[]): NextFile => {
	const left = [...files];
	return () => left.shift();
};
const checking = patterns.length === 0 && forms.includes("whole") ? checks.map((check) => () => checkOne(check)) : [];
/** As many processes as may be, which share what is to be done: whoever is through with a file takes the next. */
const share = (form: TestForm, files: readonly string[]) => {
	const next = nextOf(files);
	return Array.from({ length: Math.min(CONCURRENCY, files.length) }, () => () => run(form, next));
};
const alone = queues.flatMap(({ form, alone: files }) => files.map((file) => () => run(form, nextOf([file]))));
const busy = queues.flatMap(({ form, busy: files }) => share(form, files));
const waiting = queues
	.filter(({ waiting: files }) => files.length > 0)
	.map(
		({ form, waiting: files }) =>
			() =>
				run(form, nextOf(files)),
	);
// What mostly waits takes little from the others.
await Promise.all([
	inParallel([...checking, ...alone, ...busy], CONCURRENCY, (work) => work()),
	inParallel(waiting, 1, (work) => work()),
]);
list("Skipped (`.ci/run` starts what they need and skips nothing):", skipped);
list("Failed:", failed);
const left = count.skipped > 0 ? `, ${count.skipped} skipped` : "";
console.log(`\n${count.passed} passed, ${count.failed} failed${left}`);
process.exit(count.failed > 0 || isEmpty ? 1 : 0);
