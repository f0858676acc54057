import { parseIpOrRange } from "../../../platform/lib/ip-address.ts";
import { type IpRangeIndex, indexIpRanges } from "../../../platform/lib/ip-range-index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { planOf } from "../organizations/index.ts";
import { activeBlocks, activeDomains, activeMappings, sitesWithPlans } from "./facts-store.ts";
import { readForgottenDays } from "./forgotten-visits.ts";
import { matchersOf } from "./goals.ts";
import { settingsOf } from "./settings.ts";
import type { SiteFacts } from "./site-facts.ts";

/** Facts of some sites, by slug; missing sites are omitted. */
export async function readSiteFacts(
	metadata: Metadata,
	ids: readonly string[],
): Promise<ReadonlyMap<string, SiteFacts>> {
	const rows = await sitesWithPlans(metadata, ids);
	const domainsOf = Map.groupBy(await activeDomains(metadata, ids), ({ site_id }) => site_id);
	const mappingsOf = Map.groupBy(await activeMappings(metadata, ids), ({ site_id }) => site_id);
	const blockedOf = await readBlockedAddresses(metadata, ids);
	return new Map(
		rows.map((row): [string, SiteFacts] => {
			const { name, timezone, currency, is_active, bot_threshold, automatic_events, goals } = settingsOf(row);
			return [
				row.id,
				{
					id: row.id,
					organizationId: row.organization_id,
					name,
					timezone,
					currency,
					isActive: is_active && row.organization_is_active === 1,
					botThreshold: bot_threshold,
					automaticEvents: automatic_events,
					goals: matchersOf(goals),
					domains: (domainsOf.get(row.id) ?? []).map(({ domain }) => domain),
					utmMappings: (mappingsOf.get(row.id) ?? []).map(({ customParam, mapsTo }) => ({ customParam, mapsTo })),
					blockedAddresses: blockedOf.get(row.id),
					forgottenVisits: readForgottenDays(row.forgotten_visits),
					lifetimeEventLimit: planOf(row.plan_tier).lifetimeEvents,
				},
			];
		}),
	);
}

/** The addresses that each of the sites has blocked; sites without any are left out. */
async function readBlockedAddresses(
	metadata: Metadata,
	siteIds: readonly string[],
): Promise<ReadonlyMap<string, IpRangeIndex<true>>> {
	const rows = await activeBlocks(metadata, siteIds);
	return new Map(
		[...Map.groupBy(rows, (row) => row.site_id)].map(([siteId, entries]) => [
			siteId,
			indexIpRanges(
				entries.flatMap(({ ip_or_cidr: text }) => {
					const range = parseIpOrRange(text);
					return range === undefined ? [] : [[range, true] as const];
				}),
			),
		]),
	);
}
