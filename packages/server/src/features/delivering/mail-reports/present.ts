import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import type { Report } from "./change-reports.ts";

/** A mail report on the wire. */
export const presentReport = ({ row, recipients }: Report) => ({
	id: row.id,
	account_id: row.site_id,
	frequency: row.frequency,
	recipients: recipients.map(({ email, status }) => ({ email, status })),
	is_active: row.is_active === 1,
	last_sent_at: timestampOrNull(row.last_sent_at),
	created_by: row.created_by,
	created_at: timestamp(row.created_at),
	updated_at: timestamp(row.updated_at),
});
