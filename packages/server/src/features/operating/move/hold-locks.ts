import { rmSync } from "node:fs";
import { join } from "node:path";
import { isHeldAlone, isLocked, type KernelLock, kernelLock, tryLock } from "../../../platform/files/kernel-lock.ts";
import { isDirectoryLocked, isRoleTaken } from "../../../platform/files/lock-directory.ts";
import { makeDirectory } from "../../../platform/files/make-directory.ts";
import { systemClock } from "../../../platform/lib/clock.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Log } from "../../../platform/log/log.ts";

// A wish and its answers are locks of the kernel, so that none of them outlives the process that has it.

const LOOK_MS = 100;
/** How often a service looks for a wish. */
const FOLLOW_MS = 250;
const ROLES = ["collect", "api", "jobs"] as const;

/** Where a move keeps what it needs between two runs. */
export const moveFolder = (dataDir: string): string => join(dataDir, "move");

const wishFile = (dataDir: string): string => join(moveFolder(dataDir), "hold");
const answerFile = (dataDir: string, role: string): string => join(moveFolder(dataDir), `still-${role}`);

/** True while a move wants the processes of a data directory to change nothing. */
const isHoldWanted = (dataDir: string): boolean => isHeldAlone(wishFile(dataDir));

/** Lets the move know that the roles of this process are at rest, until they are released. */
async function answerStill(dataDir: string, roles: readonly string[]): Promise<KernelLock> {
	const held: KernelLock[] = [];
	for (const role of roles) held.push(await taken(answerFile(dataDir, role)));
	return kernelLock(() => {
		for (const lock of held) lock.release();
	});
}

/** The wish of a move that nothing changes. */
export interface Hold extends Omit<KernelLock, keyof AsyncDisposable> {
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

export interface FollowDeps {
	readonly dataDir: string;
	/** Those of this process. */
	readonly roles: readonly string[];
	readonly log: Log;
	/** Has this process change nothing in its stores until it may go on. */
	readonly hold: () => { readonly isStill: Promise<void>; readonly resume: () => void };
	/** True when the stores are elsewhere now. */
	readonly hasMoved: () => boolean;
	/** Starts this process again, on the other stores. */
	readonly startAgain: () => Promise<void>;
}

/** Follows moves of a data directory: rests while one says so, and starts again when the stores have moved. Answers what ends it. */
export function followMoves(deps: FollowDeps): () => void {
	const ending = new AbortController();
	void follow(deps, ending.signal).catch((error: unknown) => {
		if (!ending.signal.aborted) deps.log.error({ cause: describeCause(error) }, "A move can no longer be followed");
	});
	return () => ending.abort();
}

/** Resolves when no move holds the directory: a process that starts meanwhile would write to the copied data. */
export async function untilNoHold(dataDir: string, log: Log): Promise<void> {
	if (!isHoldWanted(dataDir)) return;
	log.warn({}, "A move of the stores is about to end; this process starts afterwards");
	while (isHoldWanted(dataDir)) await systemClock.sleep(FOLLOW_MS);
}

async function follow(deps: FollowDeps, signal: AbortSignal): Promise<void> {
	const { dataDir, log } = deps;
	for (;;) {
		await systemClock.sleep(FOLLOW_MS, signal);
		if (!isHoldWanted(dataDir)) continue;
		log.info({}, "The stores are being moved: hits are kept in the spool, everything else waits");
		const held = deps.hold();
		const answer = await answerWhenStill(deps, held.isStill, signal);
		while (isHoldWanted(dataDir)) await systemClock.sleep(FOLLOW_MS, signal);
		// The answer stays until this process has ended: so the move sees the next one begin.
		if (deps.hasMoved()) return deps.startAgain();
		answer?.release();
		held.resume();
		log.info({}, "The stores were not moved; normal operation continues");
	}
}

/** Undefined when the move has given up before. */
async function answerWhenStill({ dataDir, roles, log }: FollowDeps, isStill: Promise<void>, signal: AbortSignal) {
	let isAtRest = false;
	isStill.then(
		() => {
			isAtRest = true;
		},
		(error: unknown) => log.error({ cause: describeCause(error) }, "This process does not become idle"),
	);
	while (!isAtRest && isHoldWanted(dataDir)) await systemClock.sleep(FOLLOW_MS / 5, signal);
	return isAtRest ? answerStill(dataDir, roles) : undefined;
}
