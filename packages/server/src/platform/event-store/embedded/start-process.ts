import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { extname, join } from "node:path";
import { childEnvironment } from "../../lib/child-environment.ts";
import { systemClock } from "../../lib/clock.ts";
import type { StoreAddress } from "../client/store-client.ts";
import type { RunDirectory } from "./run-directory.ts";

/** Messages of the store process to its parent. */
export type ChildMessage = { readonly kind: "ready" };

/** Messages of the parent to the store process. The secret is one, because arguments and environment are readable by others. */
export type ParentMessage =
	| {
			readonly kind: "open";
			readonly directory: string;
			readonly secret: string;
			readonly memoryBytes: number;
			/** Where to listen; a file in a directory of the user alone. */
			readonly socketPath: string;
	  }
	| { readonly kind: "close" };

const children = new Set<ChildProcess>();

const endAll = () => {
	for (const child of children) child.kill("SIGKILL");
};

/** Kills the child when this process ends, however it ends by itself: a stopped child would not see its parent go. */
function endWithThisProcess(child: ChildProcess): void {
	if (children.size === 0) process.on("exit", endAll);
	children.add(child);
	child.once("exit", () => {
		children.delete(child);
		if (children.size === 0) process.off("exit", endAll);
	});
}

/** In a package the sources are JavaScript. */
const ENTRY = join(import.meta.dirname, `store-process${extname(import.meta.filename)}`);
/** Large tables on slow disks take their time to load. */
const START_WITHIN_MS = 5 * 60_000;
const STDERR_KEPT = 4000;

/** A running store process. */
export interface StoreProcess {
	readonly child: ChildProcess;
	readonly address: StoreAddress;
}

/** Input of starting a store process. */
export interface StartOptions {
	readonly directory: string;
	readonly memoryBytes: number;
}

/** Another process holds the directory. */
export class DirectoryInUse extends Error {
	constructor(directory: string) {
		super(`The event store in ${directory} is in use by another process`);
		this.name = "DirectoryInUse";
	}
}

/** Starts a store process and waits until it answers; aborting ends it. Throws with a plain sentence when it does not start. */
export async function startProcess(
	{ directory, memoryBytes }: StartOptions,
	run: RunDirectory,
	signal: AbortSignal,
): Promise<StoreProcess> {
	const password = randomBytes(24).toString("base64url");
	const socketPath = run.newSocket();
	const child = fork(ENTRY, [], {
		// It holds little in JavaScript; the engine's memory is separate.
		execArgv: ["--max-semi-space-size=1", "--v8-pool-size=1"],
		stdio: ["ignore", "ignore", "pipe", "ipc"],
		// The engine runs each query on a thread of libuv's pool.
		env: { ...childEnvironment(), UV_THREADPOOL_SIZE: "16" },
	});
	endWithThisProcess(child);
	child.once("close", () => run.forget(socketPath));
	if (child.pid !== undefined) run.note(socketPath, child.pid);
	send(child, { kind: "open", directory, secret: password, memoryBytes, socketPath });
	await ready(child, directory, systemClock.deadline(START_WITHIN_MS, signal));
	return { child, address: { url: `http://footfall:${password}@localhost`, socketPath, takesCancels: true } };
}

/** Sends a message; a process that is gone takes none. */
export function send(child: ChildProcess, message: ParentMessage): void {
	child.send(message, () => undefined);
}

function ready(child: ChildProcess, directory: string, signal: AbortSignal): Promise<void> {
	let stderr = "";
	child.stderr?.on("data", (text: Buffer) => {
		stderr = (stderr + text.toString("utf8")).slice(-STDERR_KEPT);
	});
	const end = () => child.kill("SIGKILL");
	return new Promise<void>((resolve, reject) => {
		signal.addEventListener("abort", end, { once: true });
		child.on("message", (message: ChildMessage) => {
			if (message.kind === "ready") resolve();
		});
		child.once("error", reject);
		child.once("close", () => {
			if (stderr.includes("Cannot lock file")) reject(new DirectoryInUse(directory));
			else reject(new Error(`The event store did not start: ${startFailure(stderr)}`));
		});
	}).finally(() => signal.removeEventListener("abort", end));
}

/** The line of a start's output that says what went wrong; no query has run yet, so it holds no visitor's data. */
function startFailure(stderr: string): string {
	const lines = stderr.split("\n").filter((line) => line.trim() !== "");
	return lines.find((line) => /Exception:|Error:/.test(line)) ?? lines.at(-1) ?? "no reason given";
}
