import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { makeDirectory } from "./make-directory.ts";

/** How long a process that is just ending may hold the directory. */
const WAIT_MS = 3_000;
const PAUSE_MS = 100;
/** SQLite's code for a lock that another connection holds. */
const SQLITE_BUSY = 5;

/** A directory that belongs to this process. */
export interface DirectoryLock {
	/** Lets another process have it. */
	release(): void;
}

/**
 * Takes a directory for this process alone. The lock is the kernel's, on the file `lock` in it, so that it ends with the
 * process however that ends. SQLite is only the way to it: Node has no call of its own that locks a file. Throws an error
 * whose message is for the operator when another process holds the directory, or when it cannot be written.
 */
export async function lockDirectory(path: string, waitMs = WAIT_MS): Promise<DirectoryLock> {
	try {
		makeDirectory(path);
	} catch (error) {
		throw new Error(`DATA_DIR ${resolve(path)} cannot be made (${String((error as { code?: unknown }).code)})`);
	}
	const until = performance.now() + waitMs;
	for (;;) {
		const lock = tryLock(join(path, "lock"));
		if (lock !== undefined) return lock;
		if (performance.now() >= until)
			throw new Error(
				`DATA_DIR ${resolve(path)} is in use by another process of Footfall: give each process a DATA_DIR of its own`,
			);
		await pause(PAUSE_MS);
	}
}

/** True while some process has taken the directory. */
export function isDirectoryLocked(path: string): boolean {
	const file = join(path, "lock");
	if (!existsSync(file)) return false;
	const lock = tryLock(file);
	lock?.release();
	return lock === undefined;
}

function tryLock(path: string): DirectoryLock | undefined {
	const database = new DatabaseSync(path, { timeout: 0 });
	try {
		// Nothing is ever written, so no journal file comes and goes.
		database.exec("BEGIN EXCLUSIVE");
		return { release: () => database.close() };
	} catch (error) {
		database.close();
		if ((error as { errcode?: unknown }).errcode === SQLITE_BUSY) return undefined;
		throw error;
	}
}
