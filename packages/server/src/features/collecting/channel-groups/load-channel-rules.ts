import { type ChannelRules, compileChannelRules } from "../../../analytics/attribution/channel-rules.ts";
import type { SettingsLoader } from "../attribution-settings/index.ts";
import { ownRule, toChannelRule } from "./rule.ts";
import { liveRules } from "./store.ts";

/** The live rules of the sites, as the collector asks them. */
export const loadChannelRules: SettingsLoader<ChannelRules | undefined> = async (metadata, siteIds) => {
	const bySite = Map.groupBy(await liveRules(metadata, siteIds), (row) => row.site_id);
	return new Map(
		[...bySite].map(([siteId, rows]) => [
			siteId,
			() => compileChannelRules(rows.map((row) => toChannelRule(ownRule(row)))),
		]),
	);
};
