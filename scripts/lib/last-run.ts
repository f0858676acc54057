import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { cpuSeconds } from "./cpu-seconds.ts";
import { root } from "./root.ts";
import type { FileResult } from "./test-group.ts";
import type { TestGroup } from "./test-queues.ts";
import type { Verdict } from "./verdict.ts";

const FOLDER = join(root, "node_modules/.cache/footfall");

const git = (...args: readonly string[]): string =>
	execFileSync("git", args, { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }).trim();

/** The commit that a run is of, and whether the tree is that of the commit; undefined outside a git checkout. */
export function treeNow(): { readonly commit: string; readonly clean: boolean } | undefined {
	try {
		return { commit: git("rev-parse", "HEAD"), clean: git("status", "--porcelain") === "" };
	} catch {
		return undefined;
	}
}

/**
 * Notes the run of a group in `node_modules/.cache/footfall/last-run.json`, and that of the rest in `last-run-rest.json`; seconds are
 * of the wall clock unless named otherwise.
 */
export function noteRun(run: {
	readonly group: TestGroup;
	readonly tree: ReturnType<typeof treeNow>;
	readonly verdict: Verdict;
	readonly seconds: number;
	readonly files: readonly FileResult[];
}): void {
	const { group, tree, verdict, seconds, files } = run;
	const note = {
		...tree,
		passed: verdict.passed,
		failed: verdict.failed,
		skipped: verdict.skipped.length,
		unsteady: verdict.unsteady.map(({ file }) => file),
		seconds,
		cpuSeconds: cpuSeconds(),
		files: Object.fromEntries(files.map(({ file, seconds, cpuSeconds }) => [file, { seconds, cpuSeconds }])),
	};
	mkdirSync(FOLDER, { recursive: true });
	writeFileSync(
		join(FOLDER, group === "core" ? "last-run.json" : "last-run-rest.json"),
		`${JSON.stringify(note, undefined, "\t")}\n`,
	);
}
