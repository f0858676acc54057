import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Forgetting } from "../../tenancy/data-keeping/index.ts";
import { KEPT_DAYS } from "./bounds.ts";
import { dropOfSite, dropUnused } from "./store.ts";

const PORTION = 200;

/** Removes conversations that have not been used for 90 days; how many. */
export async function forgetOldConversations(deps: {
	readonly metadata: Metadata;
	readonly clock: Clock;
}): Promise<number> {
	const before = deps.clock.now() - KEPT_DAYS * 86_400_000;
	let gone = 0;
	for (;;) {
		const some = await dropUnused(deps.metadata, before, PORTION);
		gone += some;
		if (some < PORTION) return gone;
	}
}

/**
 * Removes conversations about a site whose days were deleted: their answers tell of any days. Where days end because the site
 * keeps them no longer, those go that were last used on such a day.
 */
export async function forgetConversationsOf(
	{ metadata }: { readonly metadata: Metadata },
	{ deletionId, site, period, rowsDeletedAt }: Omit<Forgetting, "days">,
): Promise<true> {
	const isRetention = deletionId === 0;
	await dropOfSite(metadata, site.id, isRetention ? { usedBefore: period.until } : { begunBy: rowsDeletedAt });
	return true;
}
