import type { ShownJob } from "../../../platform/jobs/job-overview.ts";
import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";

/** A job on the wire. */
export const presentJob = (row: ShownJob) => ({
	id: row.id,
	kind: row.kind,
	status: row.state,
	attempts: row.attempts,
	// Of a running job this column is the end of its lease.
	next_run_at: row.state === "pending" ? timestampOrNull(row.due_at) : null,
	last_error: row.last_error,
	created_at: timestamp(row.created_at),
	finished_at: timestampOrNull(row.finished_at),
});
