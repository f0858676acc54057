import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import type { Fetched, FetchedByKind } from "./kinds.ts";
import type { MigrationState } from "./state.ts";
import type { MigrationRow } from "./store.ts";

/** The answer to a new job. */
export const presentStarted = ({ id, status }: MigrationRow) => ({
	job_id: id,
	status,
	message: "The migration runs in the background",
});

/** A job. */
export function presentJob({ row, percent }: MigrationState) {
	const kinds = JSON.parse(row.kinds) as string[];
	return {
		id: row.id,
		account_id: row.site_id,
		v1_account_id: row.v1_account_id,
		date_from: row.date_from,
		date_to: row.date_to,
		migrate_conversions: kinds.includes("conversions"),
		migrate_microconversions: kinds.includes("microconversions"),
		migrate_pageviews: kinds.includes("pageviews"),
		status: row.status,
		progress: percent,
		import_id: row.import_id,
		created_at: timestamp(row.created_at),
		started_at: timestampOrNull(row.started_at),
		completed_at: timestampOrNull(row.completed_at),
	};
}

/** How far a job is. */
export function presentProgress({ row, percent }: MigrationState, nowMs: number) {
	const fetched = JSON.parse(row.fetched) as FetchedByKind;
	return {
		id: row.id,
		status: row.status,
		conversions_progress: presentKind(fetched.conversions),
		microconversions_progress: presentKind(fetched.microconversions),
		pageviews_progress: presentKind(fetched.pageviews),
		overall_percent: percent,
		current_step: row.current_step,
		error_message: row.error_message,
		started_at: timestampOrNull(row.started_at),
		estimated_completion: timestampOrNull(estimated(row, percent, nowMs)),
	};
}

const presentKind = ({ total, migrated }: Fetched) => ({
	total,
	migrated,
	percent: total === 0 ? 0 : Math.floor((100 * migrated) / total),
});

function estimated({ status, started_at }: MigrationRow, percent: number, nowMs: number): number | null {
	if (status !== "running" || started_at === null || percent === 0) return null;
	return Math.round(nowMs + ((nowMs - started_at) * (100 - percent)) / percent);
}
