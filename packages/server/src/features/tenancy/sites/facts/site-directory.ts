import { setImmediate as pause } from "node:timers/promises";
import type { UtmMapping } from "../../../../analytics/attribution/campaign.ts";
import type { Clock } from "../../../../platform/lib/clock.ts";
import { DAY_MS } from "../../../../platform/lib/durations.ts";
import { parseIpOrRange } from "../../../../platform/lib/ip-address.ts";
import { type IpRangeIndex, indexIpRanges } from "../../../../platform/lib/ip-range-index.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { type SettingsWatch, watchSettings } from "../../../../platform/metadata/watch-settings.ts";
import { planOf } from "../../organizations/index.ts";
import { type GoalMatcher, matchersOf } from "../goals.ts";
import { type SettingValues, settingsOf } from "../settings.ts";
import {
	blocks,
	countSiteChange,
	domains,
	findSite,
	mappings,
	nextSiteIds,
	SITES_TOPIC,
	sites,
	sitesWithPlans,
} from "../store.ts";

/** Days of a site that are deleted, and until when hits count as deleted with them. */
export interface ForgottenDays {
	/** `YYYY-MM-DD`, as `to`; null = no bound. */
	readonly from: string | null;
	readonly to: string | null;
	/** Milliseconds since the Unix epoch: hits received later are kept. */
	readonly until: number;
}

/** A visit that has run for longer has long had whatever rows it gets on the day of its entrance. */
const KEPT_MS = 2 * DAY_MS;

/** Whether something that was received at a moment, booked to a day, is deleted with these days. */
export const coversHit = ({ from, to, until }: ForgottenDays, date: string, at: number): boolean =>
	at <= until && (from === null || date >= from) && (to === null || date <= to);

/**
 * Lets every collector forget the running visits of a site that began on these days: they start again with their next hit, so that
 * nothing is added to what is deleted. Within a transaction of the caller, who refreshes the directory.
 */
export async function forgetVisits(metadata: Metadata, siteId: string, days: ForgottenDays): Promise<void> {
	const site = await findSite(metadata, siteId);
	const before = readForgottenDays(site?.forgotten_visits ?? null);
	const kept = before.filter(({ until }) => until > days.until - KEPT_MS);
	await sites.update(metadata, { id: siteId }, { forgotten_visits: JSON.stringify([...kept, days]) });
	await countSiteChange(metadata, [siteId]);
}

const readForgottenDays = (text: string | null): readonly ForgottenDays[] => (text === null ? [] : JSON.parse(text));

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
	/** True until the first site exists. Never waits. */
	isEmpty(): boolean;
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
	const active = { site_id: ids, is_active: 1 };
	const domainsOf = Map.groupBy(await domains.list(metadata, active, "id"), ({ site_id }) => site_id);
	const mappingsOf = Map.groupBy(await mappings.list(metadata, active, "id"), ({ site_id }) => site_id);
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
					utmMappings: (mappingsOf.get(row.id) ?? []).map(({ custom_param, maps_to }) => ({
						customParam: custom_param,
						mapsTo: maps_to,
					})),
					blockedAddresses: blockedOf.get(row.id),
					forgottenVisits: readForgottenDays(row.forgotten_visits),
					lifetimeEventLimit: planOf(row.plan_tier).lifetimeEvents,
				},
			];
		}),
	);
}

async function readBlockedAddresses(
	metadata: Metadata,
	siteIds: readonly string[],
): Promise<ReadonlyMap<string, IpRangeIndex<true>>> {
	const rows = await blocks.list(metadata, { site_id: siteIds, is_active: 1 }, "id");
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

/** SQLite reads on the thread that takes hits: so many sites at a time take about a millisecond. */
const PORTION = 100;

interface SiteDirectoryDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	/** Told when a check fails; the sites read before stay in use. */
	readonly onError?: (error: unknown) => void;
}

/**
 * Reads all sites and keeps them fresh: at once after `refresh`, within five seconds after a change in another process. Only
 * the sites that changed are read again, and long lists in portions.
 */
export async function createSiteDirectory({
	metadata,
	clock,
	onError,
}: SiteDirectoryDeps): Promise<SiteDirectory & SettingsWatch> {
	const sites = new Map<string, SiteFacts>();
	const byOrganization = new Map<string, Map<string, SiteFacts>>();

	function put(id: string, site: SiteFacts | undefined): void {
		const before = sites.get(id);
		if (before !== undefined && before.organizationId !== site?.organizationId) {
			byOrganization.get(before.organizationId)?.delete(id);
		}
		if (site === undefined) {
			sites.delete(id);
			return;
		}
		sites.set(id, site);
		const ofOne = byOrganization.get(site.organizationId);
		if (ofOne === undefined) byOrganization.set(site.organizationId, new Map([[id, site]]));
		else ofOne.set(id, site);
	}
	async function readSome(ids: readonly string[]): Promise<void> {
		const found = await readSiteFacts(metadata, ids);
		for (const id of ids) put(id, found.get(id));
	}
	async function readAll(): Promise<void> {
		const gone = new Set(sites.keys());
		for (let ids = await nextSiteIds(metadata, "", PORTION); ids.length > 0; ) {
			await readSome(ids);
			for (const id of ids) gone.delete(id);
			await pause();
			ids = await nextSiteIds(metadata, ids.at(-1) ?? "", PORTION);
		}
		for (const id of gone) put(id, undefined);
	}
	async function read(ids: readonly string[] | undefined): Promise<void> {
		if (ids === undefined) return readAll();
		for (let from = 0; from < ids.length; from += PORTION) {
			if (from > 0) await pause();
			await readSome(ids.slice(from, from + PORTION));
		}
	}
	const watched = { metadata, clock, topic: SITES_TOPIC, read, ...(onError !== undefined && { onError }) };
	return {
		get: (id) => sites.get(id),
		isEmpty: () => sites.size === 0,
		ofOrganization: (organizationId) => [...(byOrganization.get(organizationId)?.values() ?? [])],
		...(await watchSettings(watched)),
	};
}
