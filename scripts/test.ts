// The static checks and the core of the tests: `npm test`; with `--rest` what `npm run test:all` adds. `npm test -- PATTERN` runs the
// test files whose path holds PATTERN. With `--split` those that ask over HTTP, of a collector, an API and a worker on PostgreSQL and
// Redis; with `--also-split` both. A file that fails runs once more, alone, after all others.
import { globSync } from "node:fs";
import { availableParallelism } from "node:os";
import { type Check, type CheckResult, checks, runCheck } from "./lib/checks.ts";
import { cpuSeconds } from "./lib/cpu-seconds.ts";
import { inParallel } from "./lib/in-parallel.ts";
import { noteRun, treeNow } from "./lib/last-run.ts";
import { root } from "./lib/root.ts";
import { splitFiles } from "./lib/split-files.ts";
import { type FileResult, killRunningFiles, type NextFile, runTestGroup, type TestForm } from "./lib/test-group.ts";
import { filesOf, type TestGroup, testQueues } from "./lib/test-queues.ts";
import { type FileRuns, hasFailed, testsOf, verdictOf } from "./lib/verdict.ts";

/** A file that runs longer is killed and counts as failed; counting what runs takes several times as long. */
const FILE_LIMIT_MS = process.env.NODE_V8_COVERAGE === undefined ? 300_000 : 1_200_000;
/** Two processes more than there are cores, as many of them wait; more than four would not fit into the memory of small machines. */
const CONCURRENCY = Math.min(4, availableParallelism() + 2);
/** Most seconds of the core on two idle cores, of the wall clock and of the processors: more is reported, and fails nothing. */
const CORE_BUDGET = { wall: 300, cpu: 540 };
/** How many processes may run files that start browsers or services. */
const HEAVY_AT_ONCE = Math.min(availableParallelism(), CONCURRENCY - 1);

const began = performance.now();
const tree = treeNow();
const given = process.argv.slice(2);
const forms: readonly TestForm[] = given.includes("--split")
	? ["split"]
	: given.includes("--also-split")
		? ["whole", "split"]
		: ["whole"];
const patterns = given.filter((word) => !word.startsWith("--"));
/** The group of the files to run; undefined for those whose path holds a pattern. */
const group: TestGroup | undefined = patterns.length > 0 ? undefined : given.includes("--rest") ? "rest" : "core";
const checked: CheckResult[] = [];
const runs: (FileRuns & { readonly form: TestForm; readonly path: string })[] = [];

function testFiles(form: TestForm): readonly string[] {
	const found = globSync(
		["packages/*/{src,test,migrations}/**/*.test.{ts,mjs}", "{scripts,bench}/**/*.test.{ts,mjs}"],
		{
			cwd: root,
			exclude: ["**/node_modules/**", "**/dist/**"],
		},
	);
	const wanted = found.filter((file) => patterns.length === 0 || patterns.some((pattern) => file.includes(pattern)));
	if (form === "split") return splitFiles(wanted);
	return group === undefined ? wanted : filesOf(group, wanted);
}

async function checkOne(check: Check) {
	const result = await runCheck(check);
	checked.push(result);
	console.log(`${result.passed ? "ok    " : "FAILED"} ${result.name} (${result.seconds.toFixed(1)} s)`);
	if (!result.passed) console.log(result.output.trimEnd());
}

function show(result: FileResult) {
	const figures = `${testsOf(result).length} tests, ${result.seconds.toFixed(1)} s`;
	console.log(`${hasFailed(result) ? "FAILED" : "ok    "} ${result.file} (${figures})`);
	for (const line of result.lines) if (line.kind === "note") console.log(`       ${line.name}`);
	if (!hasFailed(result)) return;
	console.log(errorsOf(result));
	if (result.output !== "") console.log(`  printed:\n${indent(result.output.slice(-8_000))}`);
}

const errorsOf = ({ lines }: FileResult) =>
	lines
		.filter(({ kind }) => kind === "fail")
		.map(({ name, error = "" }) => `  ✖ ${name}\n${indent(error)}`)
		.join("\n");

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

const named = (form: TestForm, result: FileResult): FileResult =>
	form === "split" ? { ...result, file: `${result.file} (split)` } : result;
const run = (form: TestForm, next: NextFile, take: (result: FileResult, path: string) => void) =>
	runTestGroup(next, {
		form,
		group,
		limitMs: FILE_LIMIT_MS,
		show: (result) => {
			show(named(form, result));
			take(named(form, result), result.file);
		},
	});
const runFirst = (form: TestForm, next: NextFile) =>
	run(form, next, (first, path) => void runs.push({ form, path, first }));

/** The work of a form, by priority. An idle process takes the next file of the queue. */
function workOf(form: TestForm) {
	const { alone, realTime, heavy, light } = testQueues(testFiles(form));
	const [nextHeavy, nextLight, nextRealTime] = [[...heavy], [...light], [...realTime]];
	const takeLight = () => nextLight.shift();
	const takeAny = () => nextHeavy.shift() ?? nextLight.shift();
	const processes = (count: number, next: NextFile) => Array.from({ length: count }, () => () => runFirst(form, next));
	return {
		files: alone.length + realTime.length + heavy.length + light.length,
		long: processes(Math.min(HEAVY_AT_ONCE, heavy.length), takeAny),
		alone: alone.map((file) => {
			const left = [file];
			return () => runFirst(form, () => left.shift());
		}),
		realTime: processes(Math.min(1, realTime.length), () => nextRealTime.shift()),
		rest: processes(Math.min(CONCURRENCY - HEAVY_AT_ONCE, light.length), takeLight),
	};
}

const work = forms.map(workOf);
const isEmpty = work.every(({ files }) => files === 0);
if (isEmpty) console.log(`No test file matches ${patterns.join(" ")}`);
const checking = group === "core" && forms.includes("whole") ? checks.map((check) => () => checkOne(check)) : [];
// The heavy files of the second form come last: those of the first are through by then.
const longOf = (forms: typeof work) => forms.flatMap(({ long }) => long);
const others = work.flatMap(({ alone, rest }) => [...alone, ...rest]);
const tasks = [...longOf(work.slice(0, 1)), ...checking, ...others, ...longOf(work.slice(1))];
await inParallel(tasks, CONCURRENCY, (begin) => begin());
for (const begin of work.flatMap(({ realTime }) => realTime)) await begin();

const failedFirst = runs.filter(({ first: result }) => hasFailed(result));
if (failedFirst.length > 0) console.log("\nOnce more, alone:");
const again = new Map<FileResult, FileResult>();
for (const { form, path, first: result } of failedFirst) {
	const left = [path];
	await run(
		form,
		() => left.shift(),
		(second) => void again.set(result, second),
	);
}
const verdict = verdictOf(
	runs.map(({ first: result }) => {
		const second = again.get(result);
		return second === undefined ? { first: result } : { first: result, again: second };
	}),
	checked,
);
// The core runs without servers: tests that need them belong to the rest.
const skipped = group === "core" ? [] : verdict.skipped;
list("Skipped (`.ci/run` starts what they need and skips nothing):", skipped);
list("Failed:", verdict.failures);
if (verdict.unsteady.length > 0) {
	console.log("\nUnsteady:");
	for (const result of verdict.unsteady) console.log(`  ${result.file}\n${indent(errorsOf(result))}`);
}
const files = runs.map(({ first: result }) => result);
const seconds = (performance.now() - began) / 1000;
if (group !== undefined) noteRun({ group, tree, verdict, seconds, files });
if (group === "core" && forms.includes("whole")) {
	const spent = { wall: Math.round(seconds), cpu: Math.round(cpuSeconds()) };
	console.log(
		`\nBudget on two idle cores: ${spent.wall} s of ${CORE_BUDGET.wall} s, processors ${spent.cpu} s of ${CORE_BUDGET.cpu} s`,
	);
	if (spent.wall > CORE_BUDGET.wall || spent.cpu > CORE_BUDGET.cpu) {
		const dearest = files.toSorted((a, b) => b.cpuSeconds - a.cpuSeconds).slice(0, 10);
		list(
			"It is exceeded. The dearest files, by the processors' seconds:",
			dearest.map(({ file, cpuSeconds }) => `${cpuSeconds.toFixed(1).padStart(6)} ${file}`),
		);
	}
}
const left = skipped.length > 0 ? `, ${skipped.length} skipped` : "";
console.log(`\n${verdict.passed} passed, ${verdict.failed} failed${left}`);
process.exit(verdict.failed > 0 || isEmpty ? 1 : 0);
