import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import type { DeletionRow } from "./store.ts";

/** A deletion on the wire. */
export const presentDeletion = (row: DeletionRow) => ({
	id: row.id,
	account_id: row.site_id,
	reason: row.reason,
	from: row.date_from,
	to: row.date_to,
	status: row.status,
	step: row.step,
	progress_percent: row.progress_percent,
	deleted_rows: row.deleted_rows,
	error_message: row.error_message,
	created_by: row.created_by,
	created_at: timestamp(row.created_at),
	completed_at: timestampOrNull(row.completed_at),
});
