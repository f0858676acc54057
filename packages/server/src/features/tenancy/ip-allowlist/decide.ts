import type { SiteVisit } from "../../../access/index.ts";
import type { AddressList } from "./address-list.ts";
import type { PatternRow } from "./store.ts";

/** The list of a site that has switched it on. */
export interface SiteAllowlist {
	readonly enforcedFor: Readonly<Record<SiteVisit["credential"], boolean>>;
	readonly patterns: AddressList<PatternRow>;
}

/** Decision of a list on a visit. */
export interface Decision {
	readonly isGranted: boolean;
	/** The pattern that covers the address, if any does. */
	readonly pattern: PatternRow | undefined;
}

/** The one rule on who comes in: a superadmin's session, a credential that the list does not care for, a covered address. */
export function decide({ enforcedFor, patterns }: SiteAllowlist, visit: SiteVisit): Decision {
	const pattern = patterns.find(visit.ip);
	return { isGranted: visit.isSuperadmin || !enforcedFor[visit.credential] || pattern !== undefined, pattern };
}
