import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { EntryRow } from "./store.ts";

/** An entry as the API shows it. */
function presentEntry(row: EntryRow) {
	const details = JSON.parse(row.details) as Record<string, unknown>;
	return {
		id: row.id,
		user_id: row.user_id,
		user_email: row.email ?? "system",
		user_name: row.name,
		action: row.action,
		resource_type: row.resource_type,
		resource_id: row.resource_id,
		account_id: row.site_id,
		details: { ...details, ...(row.impersonator_id !== null && { impersonated_by: row.impersonator_id }) },
		ip_address: row.ip_address,
		created_at: timestamp(row.created_at),
	};
}

/** One page of the log. */
export const presentEntries = (
	{ rows, total }: { readonly rows: readonly EntryRow[]; readonly total: number },
	{ page, pageSize }: { readonly page: number; readonly pageSize: number },
) => ({
	logs: rows.map(presentEntry),
	total,
	page,
	page_size: pageSize,
	total_pages: Math.ceil(total / pageSize),
});
