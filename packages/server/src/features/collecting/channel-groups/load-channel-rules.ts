import type { SettingsLoader } from "../attribution-settings/index.ts";
import { ownRule, toChannelRule } from "./rule.ts";
import { liveRules } from "./store.ts";

/** Reads the live rules of the sites for the collector. */
export const loadChannelRules: SettingsLoader<"channelRules"> = async (metadata, siteIds) => {
	const bySite = Map.groupBy(await liveRules(metadata, siteIds), (row) => row.site_id);
	return new Map([...bySite].map(([siteId, rows]) => [siteId, rows.map((row) => toChannelRule(ownRule(row)))]));
};
