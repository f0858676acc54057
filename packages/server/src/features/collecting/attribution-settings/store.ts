import type { Row } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { ChannelRule } from "../../../analytics/attribution/channel-rules.ts";
import type { SiteRules } from "../../../analytics/attribution/site-rules.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** A stored channel rule, as hits are compared with it. */
export const toChannelRule = ({
	channel_name: channel,
	priority,
	source_pattern: source,
	medium_pattern: medium,
	campaign_pattern: campaign,
}: Omit<Row<"channel_rules">, "id" | "site_id" | "is_active" | "created_at" | "updated_at">): ChannelRule => ({
	channel,
	priority,
	...(source !== null && { source }),
	...(medium !== null && { medium }),
	...(campaign !== null && { campaign }),
});

/** Without label and description, which a hit does not need: they would stay in the collector's memory. */
const toMapping = (row: Row<"referrer_mappings">): SiteRules["referrerMappings"][number] => ({
	pattern: row.referrer_pattern,
	matchType: row.match_type,
	priority: row.priority,
	utm_source: row.utm_source,
	utm_medium: row.utm_medium,
	utm_campaign: row.utm_campaign,
	utm_term: row.utm_term,
	utm_content: row.utm_content,
});

const bySite = <Stored extends { readonly site_id: string }>(rows: readonly Stored[]) =>
	Map.groupBy(rows, (row) => row.site_id);

/** Reads the active rules of the sites named, or of all, each list oldest first; sites without any are left out. */
export async function readSiteRules(
	metadata: Metadata,
	siteIds: readonly string[] | undefined,
): Promise<Map<string, SiteRules>> {
	const active = { is_active: 1 as const, ...(siteIds !== undefined && { site_id: siteIds }) };
	const channelRules = bySite(await tableOf("channel_rules").list(metadata, active, "id"));
	const passthroughRules = bySite(await tableOf("passthrough_referrers").list(metadata, active, "id"));
	const referrerMappings = bySite(await tableOf("referrer_mappings").list(metadata, active, "id"));
	const sites = [...channelRules.keys(), ...passthroughRules.keys(), ...referrerMappings.keys()];
	return new Map(
		sites.map((siteId) => [
			siteId,
			{
				channelRules: (channelRules.get(siteId) ?? []).map(toChannelRule),
				passthroughRules: passthroughRules.get(siteId) ?? [],
				referrerMappings: (referrerMappings.get(siteId) ?? []).map(toMapping),
			},
		]),
	);
}
