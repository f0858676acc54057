import { dirname, join } from "node:path";
import { type KernelLock, tryLock } from "../../files/kernel-lock.ts";
import { makeDirectory } from "../../files/make-directory.ts";
import { systemClock } from "../../lib/clock.ts";
import { openStoreClient, type StoreAddress } from "../client/store-client.ts";
import { isRunning, type Published, type PublishedAddress, publishedAddress } from "./published-address.ts";
import { type Supervisor, type SupervisorOptions, superviseStoreProcess } from "./supervisor.ts";

/** How soon another process takes the store over when the one that ran it has ended. */
const LOOK_EVERY_MS = 250;
const RETRY_MAX_MS = 5000;
const PING_WITHIN_MS = 2000;
/** How long a start waits for the process that runs the store, which may have a large one to load. */
const START_WITHIN_MS = 5 * 60_000;

/**
 * Shares the store process of a directory with other processes of this machine. One of them runs it, the others find it
 * by the run directory. The running one holds the lock `lock-events` beside the store's directory; when it ends for any
 * reason, another one takes the lock and starts the store again. Throws with a plain sentence if the first start fails.
 */
export async function shareStoreProcess(options: SupervisorOptions): Promise<Supervisor> {
	makeDirectory(dirname(options.directory));
	const shared = new SharedProcess(options);
	await shared.begin();
	return shared;
}

async function answers(address: StoreAddress): Promise<boolean> {
	const client = openStoreClient(address);
	try {
		await client.ping(systemClock.deadline(PING_WITHIN_MS));
		return true;
	} catch {
		return false;
	} finally {
		await client.close();
	}
}

class SharedProcess implements Supervisor {
	readonly #options: SupervisorOptions;
	readonly #published: PublishedAddress;
	readonly #ending = new AbortController();
	#owned: { readonly supervisor: Supervisor; readonly lock: KernelLock } | undefined;
	#found: Published | undefined;
	#following: Promise<void> | undefined;

	constructor(options: SupervisorOptions) {
		this.#options = options;
		this.#published = publishedAddress(`${options.directory}-run`);
	}

	/** Resolves when the store is there, here or elsewhere. */
	async begin(): Promise<void> {
		const until = systemClock.monotonic() + START_WITHIN_MS;
		for (;;) {
			await this.#look();
			if (this.#owned !== undefined) return;
			// A published address may be of a killed process, while another one is just starting the store.
			if (this.#found !== undefined && (await answers(this.#found.address))) break;
			if (systemClock.monotonic() >= until)
				throw new Error("The process that starts the event store does not end with it");
			await systemClock.sleep(LOOK_EVERY_MS);
		}
		this.#following = this.#follow();
	}

	address() {
		return this.#owned === undefined ? this.#found?.address : this.#owned.supervisor.address();
	}

	pid() {
		return this.#owned?.supervisor.pid();
	}

	storePid() {
		if (this.#owned !== undefined) return this.#owned.supervisor.pid();
		// In containers it may have that number for the one that runs it alone.
		return this.#found !== undefined && isRunning(this.#found) ? this.#found.pid : undefined;
	}

	replace() {
		this.#owned?.supervisor.replace();
	}

	async close() {
		this.#ending.abort();
		await this.#following;
		if (this.#owned === undefined) return;
		this.#published.remove();
		await this.#owned.supervisor.close();
		this.#owned.lock.release();
	}

	/** Runs the store unless another process does, then reads its address. */
	async #look(): Promise<void> {
		const lock = tryLock(join(dirname(this.#options.directory), "lock-events"));
		if (lock === undefined) {
			this.#found = this.#published.read();
			return;
		}
		const supervisor = await superviseStoreProcess({
			...this.#options,
			signal: this.#ending.signal,
			onStarted: (pid, address) => this.#published.write(pid, address),
		}).catch((error) => {
			lock.release();
			throw error;
		});
		this.#owned = { supervisor, lock };
	}

	/** Looks again and again until this process runs the store itself. */
	async #follow(): Promise<void> {
		const { log } = this.#options;
		const { signal } = this.#ending;
		for (let wait = LOOK_EVERY_MS; ; ) {
			await systemClock.sleep(wait, signal).catch(() => undefined);
			if (signal.aborted) return;
			try {
				await this.#look();
				wait = LOOK_EVERY_MS;
			} catch (error) {
				wait = Math.min(wait * 2, RETRY_MAX_MS);
				if (!signal.aborted) log.error({ reason: (error as Error).message }, "The event store process did not start");
			}
			if (this.#owned === undefined) continue;
			log.info({ pid: this.pid() }, "The process that ran the event store has ended; this one runs it now");
			return;
		}
	}
}
