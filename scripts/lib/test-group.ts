import { type ChildProcess, spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { PrintedOutput } from "./printed-output.ts";
import { root } from "./root.ts";
import { newScratchFolder } from "./scratch-folder.ts";
import { ANSWERED_ON, ASKS_ON, type GroupMessage, type TestLine } from "./test-line.ts";
import type { TestGroup } from "./test-queues.ts";

/** How the service of a test is made: as one, or as a collector, an API and a worker. */
export type TestForm = "whole" | "split";

interface RunOptions {
	readonly form: TestForm;
	/** The group whose tests run; undefined for all tests of a file. */
	readonly group: TestGroup | undefined;
	/** A file that takes longer is killed. */
	readonly limitMs: number;
	readonly show: (result: FileResult) => void;
}

/** Result of one test file. */
export interface FileResult {
	readonly file: string;
	readonly lines: readonly TestLine[];
	readonly seconds: number;
	/** Processor time of the file's process and of the processes that it started and that ended; 0 for a file that crashed. */
	readonly cpuSeconds: number;
	/** Output of the file and its children. */
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

/** Each service that a test makes is garbage soon after: a nursery that holds a few of them saved a group of files a sixth of its processor time. */
const NURSERY = ["--min-semi-space-size=32", "--max-semi-space-size=64"];
/** Test files read the same few hundred modules: compiled once, they save a fifth of all the work. */
const COMPILE_CACHE = `${root}node_modules/.cache/compiled-modules`;

/** In each process before its files. */
const PRELOADED = "--import=./scripts/lib/untracked-promises.ts";

/** Memory left behind by files adds up, so a process is replaced after so many. */
const FILES_A_PROCESS = 80;

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

/** The next file to run; undefined when there is none. Several groups may ask the same queue. */
export type NextFile = () => string | undefined;

/**
 * Runs test files one after the other in a process, and reports each when it has ended. A file that crashes, hangs or
 * changes what the others rely on is a failed test of that file; the files after it run in a new process.
 */
export async function runTestGroup(next: NextFile, options: RunOptions): Promise<void> {
	while (await runProcess(next, options));
}

/** Resolves with whether there may be files left. */
async function runProcess(next: NextFile, { form, group, limitMs, show }: RunOptions): Promise<boolean> {
	const folder = newScratchFolder();
	const child = start({ form, group, folder });
	const progress = new Progress(next, { limitMs, show, kill: () => killGroup(child.pid) });
	const printed = new PrintedOutput();
	child.stdout?.setEncoding("utf8").on("data", (text: string) => printed.add(text));
	child.stderr?.setEncoding("utf8").on("data", (text: string) => progress.print(text));
	const asks = child.stdio[ASKS_ON] as Readable;
	const answers = child.stdio[ANSWERED_ON] as Writable;
	// The asking process may end before it is answered.
	answers.on("error", () => undefined);
	const ended = new Promise<string>((resolve) => {
		child.once("error", (error) => resolve(`did not start: ${error.message}`));
		child.once("exit", (code, signal) => {
			// Processes that the files left behind end with the group.
			killGroup(child.pid);
			if (child.pid !== undefined) running.delete(child.pid);
			resolve(signal === null ? `ended with code ${code}` : `was killed by ${signal}`);
		});
	});
	for await (const text of createInterface({ input: asks })) {
		const message = messageOf(text);
		if (message?.kind === "end") progress.print(await printed.next(ended));
		if (message?.kind === "next") answers.write(`${progress.hand() ?? ""}\n`);
		else if (message !== undefined) progress.take(message);
	}
	const ending = await ended;
	await new Promise(setImmediate);
	progress.print(printed.rest());
	progress.end(ending);
	remove(folder);
	return !progress.isEmpty;
}

interface ProgressOptions {
	readonly limitMs: number;
	readonly show: (result: FileResult) => void;
	readonly kill: () => void;
}

/** How far a process is with its files. */
class Progress {
	/** There was no file left when the process asked for one. */
	isEmpty = false;
	readonly #next: NextFile;
	readonly #options: ProgressOptions;
	#handed: string | undefined;
	#current: Current | undefined;
	#hasAsked = false;
	#isLate = false;
	#handedCount = 0;

	constructor(next: NextFile, options: ProgressOptions) {
		this.#next = next;
		this.#options = options;
	}

	/** The file that the process shall run now; undefined when it shall end. */
	hand(): string | undefined {
		this.#hasAsked = true;
		if (this.#handedCount++ === FILES_A_PROCESS) return undefined;
		this.#handed = this.#next();
		this.isEmpty = this.#handed === undefined;
		return this.#handed;
	}

	take(message: Exclude<GroupMessage, { kind: "next" }>): void {
		if (message.kind === "begin") this.#begin(message.file);
		if (message.kind === "line") this.#current?.lines.push(message.line);
		if (message.kind === "end") this.#finish(message.cpuSeconds);
	}

	print(text: string): void {
		if (this.#current !== undefined) this.#current.output += text;
	}

	/** The process has ended: the file that it was at is broken, or the one that it was to begin with. */
	end(ending: string): void {
		if (!this.#hasAsked) this.hand();
		if (this.#current === undefined && this.#handed !== undefined) this.#begin(this.#handed);
		const name = `the file ${this.#isLate ? `did not end within ${this.#options.limitMs / 1000} s` : ending}`;
		this.#current?.lines.push({ kind: "fail", name, error: name });
		this.#finish(0);
	}

	#begin(file: string): void {
		this.#handed = undefined;
		const limit = setTimeout(() => {
			this.#isLate = true;
			this.#options.kill();
		}, this.#options.limitMs);
		this.#current = { file, lines: [], began: performance.now(), limit, output: "" };
	}

	#finish(cpuSeconds: number): void {
		if (this.#current === undefined) return;
		const { file, lines, began, limit, output } = this.#current;
		clearTimeout(limit);
		this.#current = undefined;
		const isEmpty = lines.every((line) => line.kind === "note");
		const nothing: TestLine = { kind: "fail", name: "the file holds no test" };
		const seconds = (performance.now() - began) / 1000;
		this.#options.show({ file, lines: isEmpty ? [...lines, nothing] : lines, seconds, cpuSeconds, output });
	}
}

interface Start extends Pick<RunOptions, "form" | "group"> {
	/** For temporary files. */
	readonly folder: string;
}

function start({ form, group, folder }: Start): ChildProcess {
	const usual = { NODE_TEST_CONTEXT: undefined, NODE_COMPILE_CACHE: COMPILE_CACHE };
	const servers = group === "core" ? { TEST_DATABASE_URL: undefined, TEST_REDIS_URL: undefined } : {};
	const env = { ...process.env, ...usual, ...servers, TMPDIR: folder, TEST_FORM: form, TEST_GROUP: group };
	const child = spawn(process.execPath, [...NURSERY, PRELOADED, "scripts/lib/run-group.ts"], {
		cwd: root,
		env,
		detached: true,
		stdio: ["ignore", "pipe", "pipe", "pipe", "pipe"],
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
