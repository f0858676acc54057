import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { deleteEntriesBefore } from "./store.ts";

/** Drops the entries that are older than two years; answers how many. */
export function dropOldEntries(deps: { readonly metadata: Metadata; readonly clock: Clock }): Promise<number> {
	const before = new Date(deps.clock.now());
	before.setUTCFullYear(before.getUTCFullYear() - 2);
	return deleteEntriesBefore(deps.metadata, before.getTime());
}
