import type { SiteAddressPolicy } from "../../../access/index.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { decide } from "./address-list.ts";
import { createAllowlistDirectory } from "./allowlist-directory.ts";
import { createAttemptLog } from "./attempt-log.ts";
import type { AllowlistDeps } from "./deps.ts";
import { deleteAttempts } from "./store.ts";

/** The allowlist check for the access layer. */
const allowlistPolicy = (deps: Pick<AllowlistDeps, "allowlists" | "attempts">): SiteAddressPolicy => ({
	hasRules: (siteId) => deps.allowlists.get(siteId) !== undefined,
	admit: async (siteId, visit) => {
		const list = deps.allowlists.get(siteId);
		if (list === undefined) return true;
		const decision = decide(list, visit);
		await deps.attempts.note(siteId, visit, decision);
		return decision.isGranted;
	},
	opens: (siteId, visit) => {
		const list = deps.allowlists.get(siteId);
		return list === undefined || decide(list, visit).isGranted;
	},
});

const DAYS_KEPT = 90;

/** The IP allowlists of all sites, in use. */
export interface IpAllowlists extends AllowlistDeps {
	/** The rule on addresses for the access layer. */
	readonly policy: SiteAddressPolicy;
	/** Forgets visits that are older than 90 days. */
	dropOldAttempts(): Promise<void>;
	/** Ends the look for changes that other processes make. */
	stop(): void;
}

/** Reads the lists. `onError` is called when a later read fails, or when a visit cannot be recorded. */
export async function openIpAllowlists(deps: {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly onError?: (error: unknown) => void;
}): Promise<IpAllowlists> {
	const { metadata, clock } = deps;
	const allowlists = await createAllowlistDirectory(deps);
	const attempts = createAttemptLog(deps);
	return {
		metadata,
		clock,
		allowlists,
		attempts,
		policy: allowlistPolicy({ allowlists, attempts }),
		dropOldAttempts: () => deleteAttempts(metadata, clock.now() - DAYS_KEPT * DAY_MS),
		stop: () => allowlists.stop(),
	};
}
