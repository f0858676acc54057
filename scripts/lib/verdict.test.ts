import assert from "node:assert/strict";
import { test } from "node:test";
import type { FileResult } from "./test-group.ts";
import type { TestLine } from "./test-line.ts";
import { type FileRuns, verdictOf } from "./verdict.ts";

const pass = (name: string): TestLine => ({ kind: "pass", name });
const fail = (name: string): TestLine => ({ kind: "fail", name, line: 7, error: `${name} broke` });
const resultOf = (file: string, ...lines: TestLine[]): FileResult => ({
	file,
	lines,
	seconds: 1,
	cpuSeconds: 1,
	output: "",
});
const check = (name: string, passed: boolean) => ({ name, passed, output: "", seconds: 1 });
const runsOf = (...files: FileRuns[]) => verdictOf(files, []);

test("a file that passes when it runs again counts as passed and is unsteady", () => {
	const first = resultOf("a", fail("one"), pass("two"));
	const { passed, failed, failures, unsteady } = runsOf({ first, again: resultOf("a", pass("one"), pass("two")) });
	assert.deepEqual([passed, failed, failures], [2, 0, []]);
	assert.deepEqual(unsteady, [first]);
});

test("a file that fails twice counts as its second run and is not unsteady", () => {
	const again = resultOf("a", pass("one"), fail("two"));
	const { passed, failed, failures, unsteady } = runsOf({ first: resultOf("a", fail("one"), fail("two")), again });
	assert.deepEqual([passed, failed, failures], [1, 1, ["two (a:7)"]]);
	assert.deepEqual(unsteady, []);
});

test("three unsteady files pass, four fail the run", () => {
	const shaky = ["a", "b", "c", "d"].map((name) => ({
		first: resultOf(name, fail("one")),
		again: resultOf(name, pass("one")),
	}));
	assert.equal(runsOf(...shaky.slice(1)).failed, 0);
	const { passed, failed, failures } = runsOf(...shaky);
	assert.deepEqual([passed, failed, failures], [4, 1, ["4 files are unsteady; 3 may be"]]);
});

test("suites and notes are no tests, a failed hook is one failure, skipped tests and checks are counted", () => {
	const suite = { suite: true, name: "a suite" };
	const hook = resultOf("hook", pass("one"), { ...suite, kind: "fail" });
	const inner = resultOf("inner", fail("one"), { ...suite, kind: "fail" }, { kind: "note", name: "a note" });
	const skip = resultOf("skip", { ...pass("later"), skip: "no server" }, { ...suite, kind: "pass" });
	const verdict = verdictOf(
		[hook, inner, skip].map((first) => ({ first })),
		[check("types", true), check("style", false)],
	);
	assert.deepEqual(verdict, {
		passed: 2,
		failed: 3,
		failures: ["style", "a suite (hook)", "one (inner:7)", "a suite (inner)"],
		skipped: ["later (skip): no server"],
		unsteady: [],
	});
});
