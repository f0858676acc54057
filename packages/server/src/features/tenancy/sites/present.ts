import type { SiteActivity } from "../../../analytics/query/reports/site-activity.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import type { RejectionWindow } from "./deps.ts";
import { scriptTag } from "./script-tag.ts";
import { settingsOf } from "./settings.ts";
import type { SiteUser } from "./site-users.ts";
import type { DomainRow, MappingRow, SiteRow } from "./store.ts";

/** A deleted site is purged so long after. */
export const PURGED_AFTER_MS = 30 * DAY_MS;

export const presentSite = (site: SiteRow, around: { domains: readonly string[]; userCount: number }) => ({
	id: site.id,
	domains: [...around.domains],
	...settingsOf(site),
	data_retention_pending: presentPending(site),
	purge_at: timestampOrNull(site.deleted_at === null ? null : site.deleted_at + PURGED_AFTER_MS),
	lens_tier: "guard" as const,
	created_at: timestamp(site.created_at),
	updated_at: timestampOrNull(site.updated_at),
	created_by: site.created_by,
	user_count: around.userCount,
});

const presentPending = ({ retention_pending_months: months, retention_pending_at: at }: SiteRow) =>
	months === null || at === null ? null : { months, applies_at: timestamp(at) };

export const presentDomain = (row: DomainRow) => ({
	id: row.id,
	domain: row.domain,
	is_active: row.is_active === 1,
	created_at: timestamp(row.created_at),
});

export const presentMapping = (row: MappingRow) => ({
	id: row.id,
	custom_param: row.custom_param,
	maps_to: row.maps_to,
	is_active: row.is_active === 1,
	created_at: timestamp(row.created_at),
});

export const presentSiteUser = ({ userId, email, name, role, leadsOrganization, createdAt }: SiteUser) => ({
	user_id: userId,
	email,
	name,
	role,
	via: leadsOrganization ? ("organization" as const) : ("site" as const),
	created_at: timestamp(createdAt),
});

/** Where pages load the tracker of a site from. */
export const trackerUrlOf = (siteId: string, rootUrl: string): string => `${rootUrl}/t.js?id=${siteId}`;

/** The tracking snippet of a site. */
export function presentPixel(siteId: string, rootUrl: string) {
	const trackerUrl = trackerUrlOf(siteId, rootUrl);
	return {
		account_id: siteId,
		site_id: siteId,
		script_tag: scriptTag(trackerUrl),
		tracker_url: trackerUrl,
		instructions: "Put the script tag into the <head> of every page. The first visit shows up within seconds.",
	};
}

/** Whether the tracker is at work. */
export const presentPixelStatus = (
	siteId: string,
	activity: SiteActivity,
	script: { readonly count: number; readonly lastAt: number } | undefined,
) => ({
	account_id: siteId,
	site_id: siteId,
	installed: activity.recentHits > 0,
	first_hit_at: timestampOrNull(activity.firstHitAt),
	last_hit_at: timestampOrNull(activity.lastHitAt),
	total_hits: activity.recentHits,
	script_requests: script?.count ?? 0,
	last_script_request_at: timestampOrNull(script?.lastAt ?? null),
});

/** Rejected hits of the collector; `window` undefined = there is no collector. */
export const presentRejections = (siteId: string, minutes: number, window: RejectionWindow | undefined) => ({
	account_id: siteId,
	window_minutes: minutes,
	available: window !== undefined,
	accepted: window?.accepted ?? 0,
	rejected: window?.rejected ?? 0,
	reasons: (window?.reasons ?? []).map(({ reason, count, counted, origins }) => ({
		reason,
		count,
		...(counted && { counted }),
		origins: origins.map(({ origin, count: hits }) => ({ origin, count: hits })),
	})),
});
