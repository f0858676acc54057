import type { Clock } from "../../../platform/lib/clock.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { countBehind, selectSeen } from "./store.ts";

/**
 * A collector that has not reported for so long counts as gone, and so does one with a report so far in the future, by
 * a wrong clock: a lost machine must not block for ever.
 */
const GONE_MS = 5 * MINUTE_MS;
const PAUSE_MS = 1000;

/** Collectors that have reported recently. */
export function collectorsAtWork({
	metadata,
	clock,
}: {
	readonly metadata: Metadata;
	readonly clock: Clock;
}): Promise<string[]> {
	const now = clock.now();
	return selectSeen(metadata, { seenSince: now - GONE_MS, seenUntil: now + GONE_MS });
}

/** True as soon as every other collector has stored what it accepted before a moment; false when one takes longer than `waitMs`. */
export async function awaitCollectors(
	{ metadata, clock }: { readonly metadata: Metadata; readonly clock: Clock },
	{ ownId = "", until, waitMs }: { readonly ownId?: string; readonly until: number; readonly waitMs: number },
): Promise<boolean> {
	const isBehind = async () => {
		const now = clock.now();
		return (await countBehind(metadata, { ownId, seenSince: now - GONE_MS, seenUntil: now + GONE_MS, until })) > 0;
	};
	for (let waited = 0; await isBehind(); waited += PAUSE_MS) {
		if (waited >= waitMs) return false;
		await clock.sleep(Math.min(PAUSE_MS, waitMs));
	}
	return true;
}
