import { existsSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";

/** SQLite's code for a lock that another connection holds. */
const SQLITE_BUSY = 5;

/** A lock that this process holds. */
export interface KernelLock extends AsyncDisposable {
	release(): void;
}

/** A lock that `release` lets go of, also at the end of `withResource`. */
export const kernelLock = (release: () => void): KernelLock => ({
	release,
	[Symbol.asyncDispose]: async () => release(),
});

/**
 * Takes a lock on a file, which is made: alone, or shared with others who share it. The lock is the kernel's, so that it ends
 * with the process however that ends. SQLite is only the way to it: Node has no call of its own that locks a file. Undefined
 * when another process has it.
 */
export function tryLock(path: string, kind: "alone" | "shared" = "alone"): KernelLock | undefined {
	const database = new DatabaseSync(path, { timeout: 0 });
	try {
		// Nothing is ever written, so no journal file comes and goes.
		if (kind === "alone") database.exec("BEGIN EXCLUSIVE");
		else {
			database.exec("BEGIN");
			// A transaction holds its shared lock from its first reading on.
			database.prepare("SELECT count(*) FROM sqlite_master").get();
		}
		return kernelLock(() => database.close());
	} catch (error) {
		database.close();
		if ((error as { errcode?: unknown }).errcode === SQLITE_BUSY) return undefined;
		throw error;
	}
}

/** True while some process holds the lock exclusively. The check blocks only an exclusive lock, for a moment. */
export function isHeldAlone(path: string): boolean {
	if (!existsSync(path)) return false;
	const lock = tryLock(path, "shared");
	lock?.release();
	return lock === undefined;
}

/** True while some process has the lock. */
export function isLocked(path: string): boolean {
	if (!existsSync(path)) return false;
	const lock = tryLock(path);
	lock?.release();
	return lock === undefined;
}
