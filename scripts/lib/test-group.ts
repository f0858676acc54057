import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { PrintedOutput } from "./printed-output.ts";
import { root } from "./root.ts";
import { newScratchFolder } from "./scratch-folder.ts";
import type { GroupMessage, TestLine } from "./test-line.ts";

/** What one test file did. */
export interface FileResult {
	readonly file: string;
	readonly lines: readonly TestLine[];
	readonly seconds: number;
	/** What the file and its children printed. */
	readonly output: string;
}

/** The file that a process is at. */
interface Current {
	readonly file: string;
	readonly lines: TestLine[];
	readonly began: number;
	readonly limit: NodeJS.Timeout;
	output: string;
}

/** Test files read the same few hundred modules: compiled once, they save a fifth of all the work. */
const COMPILE_CACHE = `${root}node_modules/.cache/compiled-modules`;

const running = new Set<number>();

/** Ends the test files that are still running, with their children. */
export function killRunningFiles(): void {
	for (const pid of running) killGroup(pid);
}

function killGroup(pid: number | undefined) {
	try {
		if (pid !== undefined) process.kill(-pid, "SIGKILL");
	} catch {
		// The group is gone already.
	}
}

/**
 * Runs test files one after the other in a process, and tells of each when it is through. A file that crashes, hangs or
 * changes what the others rely on is a failed test of that file; the files after it run in a new process.
 */
export async function runTestGroup(
	files: readonly string[],
	limitMs: number,
	show: (result: FileResult) => void,
): Promise<void> {
	let left = files;
	while (left.length > 0) {
		const through = await runProcess(left, limitMs, show);
		left = left.slice(Math.max(1, through));
	}
}

/** Resolves with the number of files that are through, the last one perhaps broken. */
async function runProcess(
	files: readonly string[],
	limitMs: number,
	show: (result: FileResult) => void,
): Promise<number> {
	const folder = newScratchFolder();
	const child = start(files, folder);
	const progress = new Progress(limitMs, show, () => killGroup(child.pid));
	const printed = new PrintedOutput();
	child.stdout?.setEncoding("utf8").on("data", (text: string) => printed.add(text));
	child.stderr?.setEncoding("utf8").on("data", (text: string) => progress.print(text));
	const ended = new Promise<string>((resolve) => {
		child.once("error", (error) => resolve(`did not start: ${error.message}`));
		child.once("exit", (code, signal) => {
			// Whatever the files started and left behind ends with them.
			killGroup(child.pid);
			if (child.pid !== undefined) running.delete(child.pid);
			resolve(signal === null ? `ended with code ${code}` : `was killed by ${signal}`);
		});
	});
	for await (const text of createInterface({ input: child.stdio[3] as Readable })) {
		const message = messageOf(text);
		if (message?.kind === "end") progress.print(await printed.next(ended));
		if (message !== undefined) progress.take(message);
	}
	const ending = await ended;
	await new Promise(setImmediate);
	progress.print(printed.rest());
	progress.end(ending, files);
	remove(folder);
	return progress.through;
}

/** How far a process is with its files. */
class Progress {
	/** Files of which has been told. */
	through = 0;
	readonly #limitMs: number;
	readonly #show: (result: FileResult) => void;
	readonly #kill: () => void;
	#current: Current | undefined;
	#isLate = false;

	constructor(limitMs: number, show: (result: FileResult) => void, kill: () => void) {
		this.#limitMs = limitMs;
		this.#show = show;
		this.#kill = kill;
	}

	take(message: GroupMessage): void {
		if (message.kind === "begin") this.#begin(message.file);
		if (message.kind === "line") this.#current?.lines.push(message.line);
		if (message.kind === "end") this.#finish();
	}

	print(text: string): void {
		if (this.#current !== undefined) this.#current.output += text;
	}

	/** The process has ended: the file that it was at is broken, its first one when it came to none. */
	end(ending: string, [first = ""]: readonly string[]): void {
		if (this.#current === undefined && this.through === 0) this.#begin(first);
		const name = `the file ${this.#isLate ? `did not end within ${this.#limitMs / 1000} s` : ending}`;
		this.#current?.lines.push({ kind: "fail", name, error: name });
		this.#finish();
	}

	#begin(file: string): void {
		const limit = setTimeout(() => {
			this.#isLate = true;
			this.#kill();
		}, this.#limitMs);
		this.#current = { file, lines: [], began: performance.now(), limit, output: "" };
	}

	#finish(): void {
		if (this.#current === undefined) return;
		const { file, lines, began, limit, output } = this.#current;
		clearTimeout(limit);
		this.#current = undefined;
		this.through++;
		const isEmpty = lines.every((line) => line.kind === "note");
		const nothing: TestLine = { kind: "fail", name: "the file holds no test" };
		const seconds = (performance.now() - began) / 1000;
		this.#show({ file, lines: isEmpty ? [...lines, nothing] : lines, seconds, output });
	}
}

function start(files: readonly string[], folder: string): ChildProcess {
	const env = { ...process.env, NODE_TEST_CONTEXT: undefined, NODE_COMPILE_CACHE: COMPILE_CACHE, TMPDIR: folder };
	const child = spawn(process.execPath, ["scripts/lib/run-group.ts", ...files], {
		cwd: root,
		env,
		detached: true,
		stdio: ["ignore", "pipe", "pipe", "pipe"],
	});
	if (child.pid !== undefined) running.add(child.pid);
	return child;
}

/** The last line of a process that was killed may be cut. */
function messageOf(text: string): GroupMessage | undefined {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

function remove(folder: string) {
	try {
		rmSync(folder, { recursive: true, maxRetries: 5 });
	} catch {
		// A file that was killed may have left a file system mounted there.
	}
}
