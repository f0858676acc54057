import { join, resolve } from "node:path";
import { systemClock } from "../lib/clock.ts";
import { orUndo } from "../lib/with-resource.ts";
import { isLocked, type KernelLock, kernelLock, tryLock } from "./kernel-lock.ts";
import { makeDirectory } from "./make-directory.ts";

/** How long a process that is just ending may hold the directory. */
const WAIT_MS = 3_000;
const PAUSE_MS = 100;

/** Takes a directory for this process alone, by the file `lock` in it. Throws a message for the operator when it is in use or cannot be written. */
export async function lockDirectory(path: string, waitMs = WAIT_MS): Promise<KernelLock> {
	make(path);
	const lock = await patiently(waitMs, () => tryLock(lockFile(path)));
	if (lock !== undefined) return lock;
	throw inUse(path, "by another process of Footfall: give each process a DATA_DIR of its own");
}

/** Takes some roles in a directory, which processes with other roles may share. Throws like `lockDirectory`. */
export async function lockRoles(path: string, roles: readonly string[], waitMs = WAIT_MS): Promise<KernelLock> {
	make(path);
	const held: KernelLock[] = [];
	const release = () => {
		for (const lock of held.splice(0)) lock.release();
	};
	return orUndo(release, async () => {
		const shared = await patiently(waitMs, () => tryLock(lockFile(path), "shared"));
		if (shared === undefined) {
			const way = "give each process a DATA_DIR of its own, or divide the ROLES between them";
			throw inUse(path, `by a process of Footfall that has all roles: ${way}`);
		}
		held.push(shared);
		for (const role of roles) {
			const own = await patiently(waitMs, () => tryLock(roleFile(path, role)));
			if (own === undefined) {
				const way = "give each process a DATA_DIR of its own, or other ROLES";
				throw inUse(path, `by another process of Footfall with the role ${role}: ${way}`);
			}
			held.push(own);
		}
		return kernelLock(release);
	});
}

/** Takes a folder within it, without waiting; undefined while another process has it. */
export function tryLockFolder(path: string): KernelLock | undefined {
	makeDirectory(path);
	return tryLock(lockFile(path));
}

/** True while some process has the directory or a role in it. */
export const isDirectoryLocked = (path: string): boolean => isLocked(lockFile(path));

/** True while some process that shares the directory has a role in it. */
export const isRoleTaken = (path: string, role: string): boolean => isLocked(roleFile(path, role));

const lockFile = (path: string) => join(path, "lock");
const roleFile = (path: string, role: string) => join(path, `lock-${role}`);

function make(path: string): void {
	try {
		makeDirectory(path);
	} catch (error) {
		throw new Error(`DATA_DIR ${resolve(path)} cannot be made (${String((error as { code?: unknown }).code)})`);
	}
}

const inUse = (path: string, how: string) => new Error(`DATA_DIR ${resolve(path)} is in use ${how}`);

/** Tries until it succeeds or the time is over; at least once. */
async function patiently(waitMs: number, attempt: () => KernelLock | undefined): Promise<KernelLock | undefined> {
	const until = systemClock.monotonic() + waitMs;
	for (;;) {
		const lock = attempt();
		if (lock !== undefined || systemClock.monotonic() >= until) return lock;
		await systemClock.sleep(PAUSE_MS);
	}
}
