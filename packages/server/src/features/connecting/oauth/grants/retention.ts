import type { Clock } from "../../../../platform/lib/clock.ts";
import { DAY_MS } from "../../../../platform/lib/durations.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { deleteOldGrants, deleteOldRequests, deleteUnusedClients } from "../store.ts";

/** Lifetime of a registered app without an approval. */
const UNUSED_DAYS = 7;
/** An app that was approved once, and not again in this time. */
const FORGOTTEN_DAYS = 365;

/** Deletes ended requests, tokens that ended more than a day ago, and unused apps. */
export async function dropEndedAccess({ metadata, clock }: { metadata: Metadata; clock: Clock }): Promise<void> {
	const now = clock.now();
	await deleteOldRequests(metadata, now);
	await deleteOldGrants(metadata, now - DAY_MS);
	const unusedSince = now - UNUSED_DAYS * DAY_MS;
	await deleteUnusedClients(metadata, { unusedSince, usedBefore: now - FORGOTTEN_DAYS * DAY_MS });
}
