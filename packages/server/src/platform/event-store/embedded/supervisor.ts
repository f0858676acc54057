import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Log } from "../../log/log.ts";
import type { ChildMessage, ParentMessage } from "./messages.ts";

const ENTRY = fileURLToPath(new URL("./store-process.ts", import.meta.url));
/** How long a start waits for the process that a dead parent left behind to let go of the directory. */
const LOCK_WAIT_MS = 3000;
const RETRY_MS = 150;
const RESTART_MAX_MS = 5000;
const CLOSE_WITHIN_MS = 8000;
const STDERR_KEPT = 4000;

/** How to reach the running store process. */
export interface StoreAddress {
	readonly url: string;
	readonly password: string;
}

/** Keeps one store process running. */
export interface Supervisor {
	/** Undefined while the process is down. */
	address(): StoreAddress | undefined;
	pid(): number | undefined;
	close(): Promise<void>;
}

export interface SupervisorOptions {
	/** The engine's own directory; made when absent. */
	readonly directory: string;
	readonly memoryBytes: number;
	readonly log: Log;
}

type Running = { child: ChildProcess; address: StoreAddress };

/** Starts the store process and restarts it whenever it ends; throws with a plain sentence when the first start fails. */
export async function superviseStoreProcess(options: SupervisorOptions): Promise<Supervisor> {
	mkdirSync(options.directory, { recursive: true });
	let current: Running | undefined = await startPatiently(options);
	let closing = false;
	let restarting: Promise<void> | undefined;

	const watch = (running: Running) => {
		running.child.once("exit", (code, signal) => {
			current = undefined;
			if (closing) return;
			options.log.warn({ code, signal }, "The event store process ended; starting it again");
			restarting = restart();
		});
	};
	const restart = async () => {
		for (let wait = RETRY_MS; !closing; wait = Math.min(wait * 2, RESTART_MAX_MS)) {
			try {
				const running = await start(options);
				current = running;
				watch(running);
				options.log.info({ pid: running.child.pid }, "The event store process is back");
				return;
			} catch (error) {
				options.log.error({ reason: (error as Error).message }, "The event store process did not start");
				await delay(wait);
			}
		}
	};
	watch(current);

	return {
		address: () => current?.address,
		pid: () => current?.child.pid,
		async close() {
			closing = true;
			await restarting;
			const child = current?.child;
			if (!child || child.exitCode !== null || child.signalCode !== null) return;
			const ended = once(child, "exit");
			child.send({ kind: "close" } satisfies ParentMessage, () => undefined);
			const timer = setTimeout(() => child.kill("SIGKILL"), CLOSE_WITHIN_MS);
			await ended;
			clearTimeout(timer);
		},
	};
}

/** A store process whose parent was killed needs a moment to end. */
async function startPatiently(options: SupervisorOptions): Promise<Running> {
	const deadline = performance.now() + LOCK_WAIT_MS;
	for (;;) {
		try {
			return await start(options);
		} catch (error) {
			if (!(error instanceof DirectoryInUse) || performance.now() > deadline) throw error;
			await delay(RETRY_MS);
		}
	}
}

/** Another process holds the directory. */
class DirectoryInUse extends Error {
	constructor(directory: string) {
		super(`The event store in ${directory} is in use by another process`);
		this.name = "DirectoryInUse";
	}
}

async function start({ directory, memoryBytes }: SupervisorOptions): Promise<Running> {
	const password = randomBytes(24).toString("base64url");
	const child = fork(ENTRY, [], {
		// What it holds in JavaScript is little; the engine's memory is its own.
		execArgv: ["--max-semi-space-size=1", "--v8-pool-size=1"],
		stdio: ["ignore", "ignore", "pipe", "ipc"],
		// Nothing of the service's environment; the engine runs each query on a thread of libuv's pool.
		env: { UV_THREADPOOL_SIZE: "16", TZ: "UTC" },
	});
	child.send({ kind: "open", directory, secret: password, memoryBytes } satisfies ParentMessage, () => undefined);
	let stderr = "";
	child.stderr?.on("data", (text: Buffer) => {
		stderr = (stderr + text.toString("utf8")).slice(-STDERR_KEPT);
	});
	const port = await new Promise<number>((resolve, reject) => {
		child.on("message", (message: ChildMessage) => {
			if (message.kind === "ready") resolve(message.port);
		});
		child.once("error", reject);
		child.once("close", () => {
			const inUse = stderr.includes("Cannot lock file");
			reject(
				inUse ? new DirectoryInUse(directory) : new Error(`The event store did not start: ${startFailure(stderr)}`),
			);
		});
	});
	return { child, address: { url: `http://127.0.0.1:${port}`, password } };
}

/** The line of a start's output that says what went wrong; no query has run yet, so it holds no visitor's data. */
function startFailure(stderr: string): string {
	const lines = stderr.split("\n").filter((line) => line.trim() !== "");
	return lines.find((line) => /Exception:|Error:/.test(line)) ?? lines.at(-1) ?? "no reason given";
}

const delay = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));
