import type { SettingsLoader } from "../attribution-settings/index.ts";
import { listActiveReferrers } from "./store.ts";

/** Reads the active rules for the collector. */
export const loadPassthroughRules: SettingsLoader<"passthroughRules"> = async (metadata, siteIds) =>
	Map.groupBy(await listActiveReferrers(metadata, siteIds), (row) => row.site_id);
