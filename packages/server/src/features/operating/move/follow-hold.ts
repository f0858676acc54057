import type { KernelLock } from "../../../platform/files/kernel-lock.ts";
import { systemClock } from "../../../platform/lib/clock.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Log } from "../../../platform/log/log.ts";
import { answerStill, isHoldWanted } from "./hold-locks.ts";

const LOOK_MS = 250;

/** Dependencies of following moves of the data directory. */
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
	while (isHoldWanted(dataDir)) await systemClock.sleep(LOOK_MS);
}

async function follow(deps: FollowDeps, signal: AbortSignal): Promise<void> {
	const { dataDir, log } = deps;
	for (;;) {
		await systemClock.sleep(LOOK_MS, signal);
		if (!isHoldWanted(dataDir)) continue;
		log.info({}, "The stores are being moved: hits are kept in the spool, everything else waits");
		const held = deps.hold();
		const answer = await answerWhenStill(deps, held.isStill, signal);
		while (isHoldWanted(dataDir)) await systemClock.sleep(LOOK_MS, signal);
		// The answer stays until this process has ended: so the move sees the next one begin.
		if (deps.hasMoved()) return deps.startAgain();
		answer?.release();
		held.resume();
		log.info({}, "The stores were not moved; normal operation continues");
	}
}

/** Undefined when the move has given up before. */
async function answerWhenStill(
	{ dataDir, roles, log }: FollowDeps,
	isStill: Promise<void>,
	signal: AbortSignal,
): Promise<KernelLock | undefined> {
	let isAtRest = false;
	isStill.then(
		() => {
			isAtRest = true;
		},
		(error: unknown) => log.error({ cause: describeCause(error) }, "This process does not become idle"),
	);
	while (!isAtRest && isHoldWanted(dataDir)) await systemClock.sleep(LOOK_MS / 5, signal);
	return isAtRest ? answerStill(dataDir, roles) : undefined;
}
