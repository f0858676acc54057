import type { TestEvent } from "node:test/reporters";

/** One line that a test file reports about a test or suite. */
export interface TestLine {
	readonly kind: "pass" | "fail" | "note";
	readonly name: string;
	/** A suite, not a test: its own tests are counted in its place. */
	readonly suite?: boolean;
	/** Why the test was skipped. */
	readonly skip?: string;
	readonly line?: number;
	readonly error?: string;
}

/** The descriptor on which the process of a group tells what it does, and the one on which it is answered with the next file. */
export const ASKS_ON = 3;
export const ANSWERED_ON = 4;

/** Messages of a group's process: it requests a file, a file begins, a test's result, a file ends. */
export type GroupMessage =
	| { readonly kind: "next" }
	| { readonly kind: "begin"; readonly file: string }
	| { readonly kind: "end"; readonly file: string; readonly cpuSeconds: number }
	| { readonly kind: "line"; readonly line: TestLine };

const summary = /^(tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /;

function describe(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	const cause = error.cause;
	return cause instanceof Error ? (cause.stack ?? cause.message) : (error.stack ?? error.message);
}

/** The line of an event of `node:test`; undefined for those that say nothing new. */
export function toTestLine(event: TestEvent): TestLine | undefined {
	if (event.type === "test:diagnostic") {
		return summary.test(event.data.message) ? undefined : { kind: "note", name: event.data.message };
	}
	if (event.type !== "test:pass" && event.type !== "test:fail") return undefined;
	const { name, skip, line, details } = event.data;
	return {
		kind: event.type === "test:pass" ? "pass" : "fail",
		name,
		suite: details.type === "suite",
		...(skip !== undefined && { skip: skip === true ? "" : String(skip) }),
		...(line !== undefined && { line }),
		...(event.type === "test:fail" && { error: describe(event.data.details.error) }),
	};
}
