import type { UtmMapping } from "../../../analytics/attribution/campaign.ts";
import type { IpRangeIndex } from "../../../platform/lib/ip-range-index.ts";
import type { ForgottenDays } from "./forgotten-visits.ts";
import type { GoalMatcher } from "./goals.ts";
import type { SettingValues } from "./settings.ts";

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
