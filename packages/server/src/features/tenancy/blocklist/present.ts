import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { EntryRow } from "./store.ts";

/** A blocklist entry on the wire. */
export const presentEntry = (row: EntryRow) => ({
	id: row.id,
	account_id: row.site_id,
	ip_or_cidr: row.ip_or_cidr,
	reason: row.reason,
	is_active: row.is_active === 1,
	created_at: timestamp(row.created_at),
});

/** The entries of a site, the inactive ones only on request. */
export function presentEntries(rows: readonly EntryRow[], includeInactive: boolean) {
	const active = rows.filter((row) => row.is_active === 1);
	const entries = (includeInactive ? rows : active).map(presentEntry);
	return { entries, total: entries.length, active_count: active.length };
}
