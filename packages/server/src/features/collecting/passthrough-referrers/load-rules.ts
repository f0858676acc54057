import { compilePassthroughRules, type PassthroughRules } from "../../../analytics/attribution/passthrough-rules.ts";
import type { SettingsLoader } from "../attribution-settings/index.ts";
import { listActiveReferrers } from "./store.ts";

/** Reads the active rules for the collector. */
export const loadPassthroughRules: SettingsLoader<PassthroughRules> = async (metadata, siteIds) => {
	const bySite = Map.groupBy(await listActiveReferrers(metadata, siteIds), (row) => row.site_id);
	return new Map([...bySite].map(([siteId, rows]) => [siteId, () => compilePassthroughRules(rows)]));
};
