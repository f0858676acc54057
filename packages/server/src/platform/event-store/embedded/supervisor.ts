import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { systemClock } from "../../lib/clock.ts";
import type { Log } from "../../log/log.ts";
import type { StoreAddress } from "../client/store-client.ts";
import { openRunDirectory, type RunDirectory } from "./run-directory.ts";
import { DirectoryInUse, type StartOptions, type StoreProcess, send, startProcess } from "./start-process.ts";

/** How long a start waits for the process that a dead parent left behind to let go of the directory. */
const LOCK_WAIT_MS = 3000;
const RETRY_MS = 150;
const RESTART_MAX_MS = 5000;
const CLOSE_WITHIN_MS = 3000;

/** Keeps one store process running. */
export interface Supervisor {
	/** Undefined while the process is down. */
	address(): StoreAddress | undefined;
	/** Undefined while the process is down, and when it is another one's. */
	pid(): number | undefined;
	/** The same, also when it is another one's. */
	storePid(): number | undefined;
	/** Kills a process that no longer answers, so that another one is started. */
	replace(): void;
	/** Ends the process in order, or in three seconds. */
	close(): Promise<void>;
}

export interface SupervisorOptions extends StartOptions {
	readonly log: Log;
	/** Aborts the first start. */
	readonly signal?: AbortSignal;
	/** Told of each process that answers. */
	readonly onStarted?: (pid: number, address: StoreAddress) => void;
}

/** Starts the store process and restarts it whenever it ends; throws with a plain sentence when the first start fails. */
export async function superviseStoreProcess(options: SupervisorOptions): Promise<Supervisor> {
	mkdirSync(options.directory, { recursive: true });
	const run = await openRunDirectory(options.directory);
	const closing = new AbortController();
	let restarting: Promise<void> | undefined;
	const ending = AbortSignal.any([closing.signal, ...(options.signal === undefined ? [] : [options.signal])]);
	const start = async () => {
		const started = await startPatiently(options, run, ending);
		if (started.child.pid !== undefined) options.onStarted?.(started.child.pid, started.address);
		return started;
	};
	const closeRun = (error: unknown) => {
		run.close();
		throw error;
	};
	let current: StoreProcess | undefined = await start().catch(closeRun);

	const watch = (running: StoreProcess) => {
		running.child.once("exit", (code, signal) => {
			current = undefined;
			if (closing.signal.aborted) return;
			options.log.warn({ code, signal }, "The event store process ended; starting it again");
			restarting = restart();
		});
	};
	const restart = async () => {
		for (let wait = RETRY_MS; !closing.signal.aborted; wait = Math.min(wait * 2, RESTART_MAX_MS)) {
			try {
				const running = await start();
				current = running;
				watch(running);
				options.log.info({ pid: running.child.pid }, "The event store process is back");
				return;
			} catch (error) {
				if (closing.signal.aborted) return;
				options.log.error({ reason: (error as Error).message }, "The event store process did not start");
				await systemClock.sleep(wait);
			}
		}
	};
	watch(current);

	return {
		address: () => current?.address,
		pid: () => current?.child.pid,
		storePid: () => current?.child.pid,
		replace: () => current?.child.kill("SIGKILL"),
		async close() {
			closing.abort();
			await restarting;
			if (current !== undefined) await endProcess(current);
			run.close();
		},
	};
}

async function endProcess({ child }: StoreProcess): Promise<void> {
	if (child.exitCode !== null || child.signalCode !== null) return;
	const ended = once(child, "close");
	send(child, { kind: "close" });
	const cancel = systemClock.after(CLOSE_WITHIN_MS, () => child.kill("SIGKILL"));
	await ended;
	cancel();
}

/** A store process whose parent was killed needs a moment to end; one that is stopped needs help. */
async function startPatiently(options: SupervisorOptions, run: RunDirectory, signal: AbortSignal) {
	const deadline = systemClock.monotonic() + LOCK_WAIT_MS;
	for (;;) {
		try {
			const started = await startProcess(options, run, signal);
			run.sweep();
			return started;
		} catch (error) {
			if (!(error instanceof DirectoryInUse) || signal.aborted) throw error;
			if (!run.endOrphans() && systemClock.monotonic() > deadline) throw error;
			await systemClock.sleep(RETRY_MS);
		}
	}
}
