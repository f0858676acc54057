import type { Clock } from "../../../platform/lib/clock.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { isBehind, selectSeen } from "./store.ts";

/**
 * A collector that has not reported for so long counts as gone, and so does one with a report so far in the future, by
 * a wrong clock: a lost machine must not block for ever.
 */
const GONE_MS = 5 * MINUTE_MS;
const PAUSE_MS = 1000;

interface AwaitingDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
}

const lately = (clock: Clock) => ({ since: clock.now() - GONE_MS, until: clock.now() + GONE_MS });

/** Collectors that have reported recently. */
export const collectorsAtWork = ({ metadata, clock }: AwaitingDeps): Promise<string[]> =>
	selectSeen(metadata, lately(clock));

/** True as soon as every other collector has stored what it accepted before a moment; false when one takes longer than `waitMs`. */
export async function awaitCollectors(
	{ metadata, clock }: AwaitingDeps,
	{ ownId = "", until, waitMs }: { readonly ownId?: string; readonly until: number; readonly waitMs: number },
): Promise<boolean> {
	const wanted = { ownId, storedUntil: until };
	for (let waited = 0; await isBehind(metadata, lately(clock), wanted); waited += PAUSE_MS) {
		if (waited >= waitMs) return false;
		await clock.sleep(Math.min(PAUSE_MS, waitMs));
	}
	return true;
}
