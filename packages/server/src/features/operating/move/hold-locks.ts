import { rmSync } from "node:fs";
import { join } from "node:path";
import { isHeldAlone, isLocked, type KernelLock, tryLock } from "../../../platform/files/kernel-lock.ts";
import { isDirectoryLocked, isRoleTaken } from "../../../platform/files/lock-directory.ts";
import { makeDirectory } from "../../../platform/files/make-directory.ts";
import { systemClock } from "../../../platform/lib/clock.ts";

// A wish and its answers are locks of the kernel, so that none of them outlives the process that has it.

const LOOK_MS = 100;
const ROLES = ["collect", "api", "jobs"] as const;

/** Where a move keeps what it needs between two runs. */
export const moveFolder = (dataDir: string): string => join(dataDir, "move");

const wishFile = (dataDir: string): string => join(moveFolder(dataDir), "hold");
const answerFile = (dataDir: string, role: string): string => join(moveFolder(dataDir), `still-${role}`);

/** True while a move wants the processes of a data directory to change nothing. */
export const isHoldWanted = (dataDir: string): boolean => isHeldAlone(wishFile(dataDir));

/** Lets the move know that the roles of this process are at rest, until they are released. */
export async function answerStill(dataDir: string, roles: readonly string[]): Promise<KernelLock> {
	const held: KernelLock[] = [];
	for (const role of roles) held.push(await taken(answerFile(dataDir, role)));
	return {
		release: () => {
			for (const lock of held) lock.release();
		},
	};
}

/** The wish of a move that nothing changes. */
export interface Hold extends KernelLock {
	/** Roles of the processes that work on the directory. */
	readonly roles: readonly string[];
	/** Roles among them that are not at rest. */
	missing(): readonly string[];
}

/** Tells the processes of a data directory to change nothing from now on. */
export async function wishHold(dataDir: string): Promise<Hold> {
	makeDirectory(moveFolder(dataDir));
	const wish = await taken(wishFile(dataDir));
	const roles = rolesAt(dataDir);
	return {
		roles,
		missing: () => roles.filter((role) => !isLocked(answerFile(dataDir, role))),
		release: () => {
			wish.release();
			rmSync(wishFile(dataDir), { force: true });
		},
	};
}

/** Resolves when no process of a data directory is at rest any more: each has gone on, or has ended. */
export async function untilNoneIsStill(dataDir: string, signal: AbortSignal): Promise<void> {
	while (ROLES.some((role) => isLocked(answerFile(dataDir, role)))) await systemClock.sleep(LOOK_MS, signal);
}

/** Roles of the processes that work on a data directory; none where no service runs. */
export function rolesAt(dataDir: string): readonly string[] {
	const roles = ROLES.filter((role) => isRoleTaken(dataDir, role));
	return roles.length === 0 && isDirectoryLocked(dataDir) ? ROLES : roles;
}

/** A check of a lock holds it for a moment. */
async function taken(file: string): Promise<KernelLock> {
	for (;;) {
		const lock = tryLock(file);
		if (lock !== undefined) return lock;
		await systemClock.sleep(LOOK_MS / 10);
	}
}
