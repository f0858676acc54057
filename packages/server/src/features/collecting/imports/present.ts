import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import type { ImportReport } from "./report.ts";
import type { ImportRow } from "./store.ts";

/** The report of an import as it is stored; undefined as long as there is none. */
export const reportOf = ({ report }: Pick<ImportRow, "report">): ImportReport | undefined =>
	report === null ? undefined : (JSON.parse(report) as ImportReport);

const presentReport = ({ skip_reasons, by_day, dimensions_filled, warnings, ...report }: ImportReport) => ({
	...report,
	skip_reasons: skip_reasons.map(({ samples = [], ...reason }) => ({ ...reason, samples })),
	by_day: by_day.map(({ date, entrances, page_views }) => ({ date, entrances, page_views })),
	dimensions_filled: [...dimensions_filled],
	warnings: [...warnings],
});

export function presentImport(row: ImportRow) {
	const report = reportOf(row);
	return {
		import_id: row.import_id,
		account_id: row.site_id,
		source: row.source,
		file_name: row.file_name,
		file_size_bytes: row.file_size_bytes,
		file_sha256: row.file_sha256,
		dry_run: row.dry_run === 1,
		status: row.status,
		progress_percent: row.progress_percent,
		report: report === undefined ? null : presentReport(report),
		error_message: row.error_message,
		created_by: row.created_by,
		created_at: timestamp(row.created_at),
		started_at: timestampOrNull(row.started_at),
		completed_at: timestampOrNull(row.completed_at),
		undone_at: timestampOrNull(row.undone_at),
	};
}
