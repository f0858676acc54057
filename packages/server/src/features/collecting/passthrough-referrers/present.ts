import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { PassthroughRow } from "./store.ts";

/** A passthrough referrer on the wire. */
export const presentReferrer = (row: PassthroughRow) => ({
	id: row.id,
	account_id: row.site_id,
	domain: row.domain,
	utm_source: row.utm_source,
	utm_medium: row.utm_medium,
	utm_campaign: row.utm_campaign,
	utm_term: row.utm_term,
	service_name: row.service_name,
	is_active: row.is_active === 1,
	created_at: timestamp(row.created_at),
	updated_at: timestamp(row.updated_at),
});

/** The referrers of a site, the inactive ones only on request. */
export function presentReferrers(rows: readonly PassthroughRow[], includeInactive: boolean) {
	const active = rows.filter((row) => row.is_active === 1);
	const referrers = (includeInactive ? rows : active).map(presentReferrer);
	return { referrers, total: referrers.length, active_count: active.length };
}
