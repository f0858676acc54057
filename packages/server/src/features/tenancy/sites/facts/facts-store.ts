import { tables } from "../../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";

/** The first sites behind one, by slug. */
export async function nextSiteIds(metadata: Metadata, after: string, limit: number): Promise<string[]> {
	const rows = await tables(metadata)
		.selectFrom("sites")
		.select("id")
		.where("id", ">", after)
		.orderBy("id")
		.limit(limit)
		.execute();
	return rows.map(({ id }) => id);
}

/** Sites by slug, each with what its organization decides. */
export const sitesWithPlans = (metadata: Metadata, ids: readonly string[]) =>
	tables(metadata)
		.selectFrom("sites")
		.innerJoin("organizations", "organizations.id", "sites.organization_id")
		.selectAll("sites")
		.select(["organizations.plan_tier", "organizations.is_active as organization_is_active"])
		.where("sites.id", "in", ids)
		.execute();

/** The active domains of some sites, oldest first. */
export const activeDomains = (metadata: Metadata, ids: readonly string[]) =>
	tables(metadata)
		.selectFrom("site_domains")
		.select(["site_id", "domain"])
		.where("site_id", "in", ids)
		.where("is_active", "=", 1)
		.orderBy("id")
		.execute();

/** The active UTM mappings of some sites, oldest first. */
export const activeMappings = (metadata: Metadata, ids: readonly string[]) =>
	tables(metadata)
		.selectFrom("utm_mappings")
		.select(["site_id", "custom_param as customParam", "maps_to as mapsTo"])
		.where("site_id", "in", ids)
		.where("is_active", "=", 1)
		.orderBy("id")
		.execute();

/** The addresses and ranges that some sites have blocked, oldest first. */
export const activeBlocks = (metadata: Metadata, ids: readonly string[]) =>
	tables(metadata)
		.selectFrom("blocklist_entries")
		.select(["site_id", "ip_or_cidr"])
		.where("site_id", "in", ids)
		.where("is_active", "=", 1)
		.orderBy("id")
		.execute();
