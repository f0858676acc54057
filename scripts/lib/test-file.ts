import { spawn } from "node:child_process";
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { root } from "./root.ts";
import { newScratchFolder } from "./scratch-folder.ts";
import type { TestLine } from "./test-reporter.ts";

/** What one test file did. */
export interface FileResult {
	readonly file: string;
	readonly lines: readonly TestLine[];
	readonly seconds: number;
	/** What the file and its children printed. */
	readonly output: string;
}

interface Ending {
	readonly code: number | null;
	readonly signal: NodeJS.Signals | null;
	readonly timedOut: boolean;
	readonly output: string;
}

/** Each file is a process that reads the same few hundred modules: compiled once, they save a fifth of all its work. */
const COMPILE_CACHE = `${root}node_modules/.cache/compiled-modules`;
/** What the reporter writes, in the folder of the file. */
const EVENTS = "events.ndjson";

const running = new Set<number>();

/** Ends the test files that are still running, with their children. */
export function killRunningFiles(): void {
	for (const pid of running) killGroup(pid);
}

function killGroup(pid: number) {
	try {
		process.kill(-pid, "SIGKILL");
	} catch {
		// The group is gone already.
	}
}

/** Runs one test file in a process group of its own; a crash or an overrun is a failed test of that file. */
export async function runTestFile(file: string, limitMs: number): Promise<FileResult> {
	const began = performance.now();
	const folder = newScratchFolder();
	const ending = await runProcess(file, folder, limitMs);
	const lines = readEvents(join(folder, EVENTS));
	remove(folder);
	const broken = howItBroke(ending, lines, limitMs);
	return {
		file,
		lines: broken === undefined ? lines : [...lines, { kind: "fail", name: broken, error: broken }],
		seconds: (performance.now() - began) / 1000,
		output: ending.output,
	};
}

function remove(folder: string) {
	try {
		rmSync(folder, { recursive: true, maxRetries: 5 });
	} catch {
		// A file that was killed may have left a file system mounted there.
	}
}

function runProcess(file: string, folder: string, limitMs: number): Promise<Ending> {
	const args = [
		"--test-reporter=./scripts/lib/test-reporter.ts",
		`--test-reporter-destination=${join(folder, EVENTS)}`,
		file,
	];
	const env = { ...process.env, NODE_TEST_CONTEXT: "", NODE_COMPILE_CACHE: COMPILE_CACHE, TMPDIR: folder };
	const child = spawn(process.execPath, args, { cwd: root, env, detached: true, stdio: ["ignore", "pipe", "pipe"] });
	const { pid } = child;
	let output = "";
	let timedOut = false;
	const collect = (chunk: Buffer) => {
		if (output.length < 1_000_000) output += chunk;
	};
	child.stdout.on("data", collect);
	child.stderr.on("data", collect);
	if (pid !== undefined) running.add(pid);
	const timer = setTimeout(() => {
		timedOut = true;
		if (pid !== undefined) killGroup(pid);
	}, limitMs);
	return new Promise((resolve) => {
		child.on("exit", (code, signal) => {
			clearTimeout(timer);
			if (pid !== undefined) {
				// Whatever the file started and left behind ends with it.
				killGroup(pid);
				running.delete(pid);
			}
			setImmediate(() => resolve({ code, signal, timedOut, output }));
		});
	});
}

function readEvents(path: string): TestLine[] {
	try {
		const text = readFileSync(path, "utf8");
		const whole = text.slice(0, text.lastIndexOf("\n") + 1);
		return whole
			.split("\n")
			.filter((line) => line !== "")
			.map((line) => JSON.parse(line));
	} catch {
		return [];
	}
}

function howItBroke(ending: Ending, lines: readonly TestLine[], limitMs: number): string | undefined {
	if (ending.timedOut) return `the file did not end within ${limitMs / 1000} s`;
	if (ending.signal !== null) return `the file was killed by ${ending.signal}`;
	const failed = lines.some((line) => line.kind === "fail");
	if (ending.code !== 0 && !failed) return `the file ended with code ${ending.code}`;
	return lines.some((line) => line.kind !== "note") ? undefined : "the file holds no test";
}
