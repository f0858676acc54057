import type { UtmMapping } from "../../../../analytics/attribution/campaign.ts";
import { parseIpOrRange } from "../../../../platform/lib/ip-address.ts";
import { type IpRangeIndex, indexIpRanges } from "../../../../platform/lib/ip-range-index.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { planOf } from "../../organizations/index.ts";
import { type GoalMatcher, matchersOf } from "../goals.ts";
import { type SettingValues, settingsOf } from "../settings.ts";
import { activeBlocks, activeDomains, activeMappings, sitesWithPlans } from "./facts-store.ts";
import { type ForgottenDays, readForgottenDays } from "./forgotten-visits.ts";

/** Facts of a site for the rest of the service. */
export interface SiteFacts {
	/** The slug. */
	readonly id: string;
	readonly organizationId: string;
	readonly name: string;
	/** IANA zone. */
	readonly timezone: string;
	/** ISO 4217, in capitals. */
	readonly currency: string;
	readonly isActive: boolean;
	/** A hit with a higher suspicion score is left out of reports. */
	readonly botThreshold: number;
	/** Events that its script sends without a call. */
	readonly automaticEvents: SettingValues["automatic_events"];
	/** Pages and events that count as conversions without a call. */
	readonly goals: readonly GoalMatcher[];
	/** Active authorized domains: lower-case, punycode, without `www.`; empty = every host. */
	readonly domains: readonly string[];
	/** Active mappings, oldest first. */
	readonly utmMappings: readonly UtmMapping[];
	/** Addresses whose hits are not counted; undefined = none. */
	readonly blockedAddresses: IpRangeIndex<true> | undefined;
	/** Recently deleted days: visits that began on them start again. */
	readonly forgottenVisits: readonly ForgottenDays[];
	/** Events that the organization may store in all; null = no limit. */
	readonly lifetimeEventLimit: number | null;
}

/** All sites in memory, for paths that may not wait for a database. */
export interface SiteDirectory {
	/** The site, inactive ones included; undefined when unknown. Never waits. */
	get(id: string): SiteFacts | undefined;
	/** All sites of an organization, inactive ones included. Never waits. */
	ofOrganization(organizationId: string): readonly SiteFacts[];
	/** Reads again the sites that have changed since; called after a change in this process and by a timer for changes in others. */
	refresh(): Promise<void>;
}

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
