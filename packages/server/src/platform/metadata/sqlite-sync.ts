import { close, fdatasync, open } from "node:fs";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { systemClock } from "../lib/clock.ts";

const openFile = promisify(open);
const closeFile = promisify(close);
const syncFile = promisify(fdatasync);

const CHECKPOINT_MS = 60_000;
/** As many writes as would make a log of some megabytes. */
const CHECKPOINT_WRITES = 1000;

/** Runs in a thread of its own. */
const CHECKPOINT = `
const { workerData } = require("node:worker_threads");
const { DatabaseSync } = require("node:sqlite");
const database = new DatabaseSync(workerData);
try { database.exec("pragma wal_checkpoint(passive)"); } finally { database.close(); }`;

/**
 * Keeps what SQLite wrote, without the thread that answers hits waiting for the disk: SQLite itself syncs nothing when it
 * commits, and the caller is answered when the log has been synced on another thread.
 */
export class SqliteSync {
	readonly #file: string;
	#log: number | undefined;
	#unchecked = 0;
	#checkpoint: Worker | undefined;
	readonly #stopTimer: () => void;

	/** `file` is that of the database. */
	constructor(file: string) {
		this.#file = file;
		this.#stopTimer = systemClock.every(CHECKPOINT_MS, () => this.#check());
	}

	/** Resolves when every commit so far is on the disk. */
	async sync(): Promise<void> {
		this.#log ??= await openFile(`${this.#file}-wal`, "r+");
		await syncFile(this.#log);
		this.#unchecked++;
		if (this.#unchecked >= CHECKPOINT_WRITES) this.#check();
	}

	/** Ends; the database is closed afterwards, which empties the log. */
	async close(): Promise<void> {
		this.#stopTimer();
		await this.#checkpoint?.terminate();
		if (this.#log !== undefined) await closeFile(this.#log);
		this.#log = undefined;
	}

	/** Moves what is in the log into the database file, so that neither grows apart from the other for long. */
	#check(): void {
		if (this.#unchecked === 0 || this.#checkpoint !== undefined) return;
		this.#unchecked = 0;
		const worker = new Worker(CHECKPOINT, { eval: true, workerData: this.#file, execArgv: [] });
		this.#checkpoint = worker;
		worker.unref();
		// One that fails is repeated; the log keeps everything meanwhile.
		worker.on("error", () => {
			this.#unchecked++;
		});
		worker.on("exit", () => {
			this.#checkpoint = undefined;
		});
	}
}
