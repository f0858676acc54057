import { presentRow } from "../../../platform/http/present-row.ts";
import type { ImportReport } from "./report.ts";
import { Import } from "./schemas.ts";
import type { ImportRow } from "./store.ts";

/** The report of an import as it is stored; undefined as long as there is none. */
export const reportOf = ({ report }: Pick<ImportRow, "report">): ImportReport | undefined =>
	report === null ? undefined : (JSON.parse(report) as ImportReport);

const presentReport = (report: ImportReport) => ({
	...report,
	skip_reasons: report.skip_reasons.map(({ samples = [], ...reason }) => ({ ...reason, samples })),
	by_day: report.by_day.map(({ date, entrances, page_views }) => ({ date, entrances, page_views })),
});

export function presentImport(row: ImportRow) {
	const report = reportOf(row);
	const shown = { account_id: row.site_id, report: report === undefined ? null : presentReport(report) };
	return presentRow(Import, { ...row, ...shown });
}
