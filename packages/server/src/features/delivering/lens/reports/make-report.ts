import { uuid } from "../../../../platform/lib/ids.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { LensDeps } from "../deps.ts";
import { readContent } from "./read-content.ts";
import type { ReportContent } from "./report-content.ts";
import type { ReportPeriod } from "./report-period.ts";
import { type ReportRow, storeFailure, storeReport } from "./reports-store.ts";

/** Time of storing a report, and the writes of the same transaction. */
interface Making {
	/** False when another process has made it. */
	isWanted(trx: Metadata): Promise<boolean>;
	/** True when a period without any visit, as the one before, needs no report. */
	readonly skipsEmpty: boolean;
	follow(trx: Metadata, report: ReportRow): Promise<void>;
}

const hasVisits = ({ now, before }: ReportContent): boolean =>
	[now, before].some(({ entrances, page_views: views }) => entrances > 0 || views > 0);

/** Makes the report of a period; undefined when it was not stored. When it fails, that is noted, and thrown. */
export async function makeReport(
	deps: LensDeps,
	siteId: string,
	period: ReportPeriod,
	{ isWanted, skipsEmpty, follow }: Making,
): Promise<ReportRow | undefined> {
	const startedAt = deps.clock.now();
	const row = (content: ReportContent | undefined) => ({
		id: uuid(),
		site_id: siteId,
		report_type: period.type,
		period_start: period.now.start.toString(),
		period_end: period.now.end.toString(),
		compared_from: period.before.start.toString(),
		status: content === undefined ? ("failed" as const) : ("completed" as const),
		generation_started_at: startedAt,
		generation_completed_at: content === undefined ? null : deps.clock.now(),
		error_message: content === undefined ? "The report could not be made; it is tried again" : null,
		content: content === undefined ? null : JSON.stringify(content),
		view_count: 0,
		created_at: startedAt,
		updated_at: deps.clock.now(),
	});
	let content: ReportContent;
	try {
		content = await readContent(deps, siteId, period);
	} catch (error) {
		await storeFailure(deps.metadata, row(undefined));
		throw error;
	}
	return deps.metadata.transaction().execute(async (trx) => {
		if (!(await isWanted(trx)) || (skipsEmpty && !hasVisits(content))) return undefined;
		const report = await storeReport(trx, row(content));
		await follow(trx, report);
		return report;
	});
}
