import type { CheckResult } from "./checks.ts";
import type { FileResult } from "./test-group.ts";
import type { TestLine } from "./test-line.ts";

/** The most files that may pass only when they run again. */
const MOST_UNSTEADY = 3;

/** The runs of a test file: a failed one is followed by another, alone. */
export interface FileRuns {
	readonly first: FileResult;
	readonly again?: FileResult;
}

/** The outcome of a test run. */
export interface Verdict {
	/** Tests and checks. */
	readonly passed: number;
	readonly failed: number;
	/** Titles with their files and, where known, reasons. */
	readonly failures: readonly string[];
	readonly skipped: readonly string[];
	/** First runs of files that failed and passed when they ran again. */
	readonly unsteady: readonly FileResult[];
}

/** Whether a test or a suite's own hook failed. */
export const hasFailed = ({ lines }: FileResult): boolean => lines.some(({ kind }) => kind === "fail");

/** The tests of a file, without suites and notes. */
export const testsOf = ({ lines }: FileResult): TestLine[] =>
	lines.filter((line) => line.kind !== "note" && line.suite !== true);

/** Counts the last run of each file, and the checks. */
export function verdictOf(files: readonly FileRuns[], checks: readonly CheckResult[]): Verdict {
	const last = files.map(({ first, again = first }) => again);
	const tests = last.flatMap((file) => testsOf(file).map((line) => ({ file, line })));
	const skipped = tests.filter(({ line }) => line.skip !== undefined);
	const failedTests = tests.filter(({ line }) => line.kind === "fail").length;
	// A suite may fail in a hook of its own while each of its tests passes.
	const failedHooks = last.filter(
		(file) => hasFailed(file) && testsOf(file).every(({ kind }) => kind === "pass"),
	).length;
	const failedChecks = checks.filter(({ passed }) => !passed);
	const unsteady = files.filter(({ again }) => again !== undefined && !hasFailed(again)).map(({ first }) => first);
	const tooMany = unsteady.length > MOST_UNSTEADY;
	const failures = last.flatMap((file) =>
		file.lines.filter(({ kind }) => kind === "fail").map((line) => placed(file, line)),
	);
	return {
		passed: tests.length - failedTests - skipped.length + checks.length - failedChecks.length,
		failed: failedTests + failedHooks + failedChecks.length + (tooMany ? 1 : 0),
		failures: [
			...failedChecks.map(({ name }) => name),
			...failures,
			...(tooMany ? [`${unsteady.length} files are unsteady; ${MOST_UNSTEADY} may be`] : []),
		],
		skipped: skipped.map(({ file, line }) => `${line.name} (${file.file})${line.skip ? `: ${line.skip}` : ""}`),
		unsteady,
	};
}

const placed = ({ file }: FileResult, { name, line }: TestLine): string =>
	`${name} (${file}${line === undefined ? "" : `:${line}`})`;
