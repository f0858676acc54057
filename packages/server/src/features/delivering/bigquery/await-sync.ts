import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { findSync, type SyncRow } from "./sync-store.ts";

/** A request for a sync waits for its end if that is soon; proxies time out later than this. */
const LOOKS = 80;
const BETWEEN_MS = 250;

/** A sync as it ended, or as it is when that takes longer than twenty seconds or another attempt; undefined when it is gone. */
export async function awaitSync(
	{ metadata, clock }: { readonly metadata: Metadata; readonly clock: Clock },
	syncId: string,
): Promise<SyncRow | undefined> {
	for (let look = 1; ; look++) {
		const row = await findSync(metadata, syncId);
		if (row?.status !== "running" || row.error_message !== null || look === LOOKS) return row;
		await clock.sleep(BETWEEN_MS);
	}
}
