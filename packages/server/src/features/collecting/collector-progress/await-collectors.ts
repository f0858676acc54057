import type { Clock } from "../../../platform/lib/clock.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { countBehind, selectSeen } from "./store.ts";

/**
 * A collector that says nothing for so long is taken for gone, and so is one that was seen so long after now, by a clock
 * that was wrong: nobody waits for ever for a machine that is lost.
 */
const GONE_MS = 5 * MINUTE_MS;
const PAUSE_MS = 1000;

/** The collectors that nobody takes for gone. */
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
