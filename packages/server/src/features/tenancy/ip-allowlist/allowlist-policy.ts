import type { SiteAddressPolicy } from "../../../access/index.ts";
import { decide } from "./decide.ts";
import type { AllowlistDeps } from "./deps.ts";

/** The allowlist check for the access layer. */
export const allowlistPolicy = (deps: Pick<AllowlistDeps, "allowlists" | "attempts">): SiteAddressPolicy => ({
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
