import { tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { planOf } from "../organizations/index.ts";
import { readBlockedAddresses } from "./blocked-addresses.ts";
import type { SiteFacts } from "./site-facts.ts";

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

/** What the service needs to know of some sites, by slug; those that do not exist are left out. */
export async function readSiteFacts(
	metadata: Metadata,
	ids: readonly string[],
): Promise<ReadonlyMap<string, SiteFacts>> {
	const rows = await tables(metadata)
		.selectFrom("sites")
		.innerJoin("organizations", "organizations.id", "sites.organization_id")
		.selectAll("sites")
		.select(["organizations.plan_tier", "organizations.is_active as organization_is_active"])
		.where("sites.id", "in", ids)
		.execute();
	const domainsOf = Map.groupBy(await activeDomains(metadata, ids), ({ site_id }) => site_id);
	const mappingsOf = Map.groupBy(await activeMappings(metadata, ids), ({ site_id }) => site_id);
	const blockedOf = await readBlockedAddresses(metadata, ids);
	return new Map(
		rows.map((row): [string, SiteFacts] => [
			row.id,
			{
				id: row.id,
				organizationId: row.organization_id,
				name: row.name,
				timezone: row.timezone,
				currency: row.currency,
				isActive: row.is_active === 1 && row.organization_is_active === 1,
				botThreshold: row.bot_threshold,
				domains: (domainsOf.get(row.id) ?? []).map(({ domain }) => domain),
				utmMappings: (mappingsOf.get(row.id) ?? []).map(({ customParam, mapsTo }) => ({ customParam, mapsTo })),
				blockedAddresses: blockedOf.get(row.id),
				lifetimeEventLimit: planOf(row.plan_tier).lifetimeEvents,
			},
		]),
	);
}

const activeDomains = (metadata: Metadata, ids: readonly string[]) =>
	tables(metadata)
		.selectFrom("site_domains")
		.select(["site_id", "domain"])
		.where("site_id", "in", ids)
		.where("is_active", "=", 1)
		.orderBy("id")
		.execute();

const activeMappings = (metadata: Metadata, ids: readonly string[]) =>
	tables(metadata)
		.selectFrom("utm_mappings")
		.select(["site_id", "custom_param as customParam", "maps_to as mapsTo"])
		.where("site_id", "in", ids)
		.where("is_active", "=", 1)
		.orderBy("id")
		.execute();
