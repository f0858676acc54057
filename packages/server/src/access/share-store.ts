import { tables } from "../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";

/** A shared link that is switched on, with its site, in one query; undefined when either is gone or off. Whether it has expired is left to the caller. */
export function findOpenLink(metadata: Metadata, linkId: string) {
	return tables(metadata)
		.selectFrom("share_links")
		.innerJoin("sites", "sites.id", "share_links.site_id")
		.innerJoin("organizations", "organizations.id", "sites.organization_id")
		.where("share_links.id", "=", linkId)
		.where("share_links.is_active", "=", 1)
		.where("sites.is_active", "=", 1)
		.where("organizations.is_active", "=", 1)
		.select([
			"share_links.generation",
			"share_links.segment_id as segmentId",
			"share_links.lists",
			"share_links.may_filter as mayFilter",
			"share_links.expires_at as expiresAt",
			"sites.id as siteId",
			"sites.organization_id as organizationId",
			"organizations.plan_tier as planTier",
			"sites.name",
			"sites.timezone",
			"sites.currency",
			"sites.bot_threshold as botThreshold",
		])
		.executeTakeFirst();
}
