import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";
import type { FileResult } from "./test-group.ts";
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

/** Notes a whole run in `node_modules/.cache/footfall/last-run.json`; seconds are of the wall clock unless named otherwise. */
export function noteRun(run: {
	readonly tree: ReturnType<typeof treeNow>;
	readonly verdict: Verdict;
	readonly seconds: number;
	readonly files: readonly FileResult[];
}): void {
	const { tree, verdict, seconds, files } = run;
	const note = {
		...tree,
		passed: verdict.passed,
		failed: verdict.failed,
		skipped: verdict.skipped.length,
		unsteady: verdict.unsteady.map(({ file }) => file),
		seconds,
		cpuSeconds: cpuSeconds(),
		files: Object.fromEntries(files.map((result) => [result.file, result.seconds])),
	};
	mkdirSync(FOLDER, { recursive: true });
	writeFileSync(join(FOLDER, "last-run.json"), `${JSON.stringify(note, undefined, "\t")}\n`);
}

/** Processor time of this process and of all that it waited for; undefined where the kernel does not tell. */
function cpuSeconds(): number | undefined {
	try {
		const text = readFileSync("/proc/self/stat", "latin1");
		// The second field, a name in brackets, may hold spaces; times of the process and its children are fields 14 to 17.
		const ticks = text
			.slice(text.lastIndexOf(")") + 2)
			.split(" ")
			.slice(11, 15);
		return ticks.reduce((sum, count) => sum + Number(count), 0) / CLOCK_TICKS;
	} catch {
		return undefined;
	}
}

/** `USER_HZ`, which is 100 on every platform that Node runs on. */
const CLOCK_TICKS = 100;
