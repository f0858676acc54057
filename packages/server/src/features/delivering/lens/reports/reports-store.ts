import { type NewRow, type Row, tables } from "../../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { numberedPage, pageOf } from "../../../../platform/metadata/page-of.ts";
import type { DatedFinding } from "../insights/insights-store.ts";
import type { Compared, Sums } from "../rules/week-figures.ts";
import type { ReportType } from "./report-period.ts";

/** A value of a dimension in both periods, with what lists show of it. */
export interface ReportPart extends Compared<Pick<Sums, "entrances" | "conversions" | "revenue">> {
	readonly value: string;
}

/** An insight of the period as it stood when the report was made. */
export interface ReportInsight {
	readonly id: string;
	readonly finding: DatedFinding;
}

export const audienceNames = ["device_type", "country", "browser"] as const;

/** Sums of a period. Reports of earlier releases divided by all conversions, and do not tell those with an amount. */
export type ReportSums = Sums & { readonly paid_conversions?: number };

/** The figures of a report, as they are stored; words are added when it is shown. */
export interface ReportContent extends Compared<ReportSums> {
	readonly channels: readonly ReportPart[];
	readonly audience: Readonly<Record<(typeof audienceNames)[number], readonly ReportPart[]>>;
	readonly insights: readonly ReportInsight[];
}

export type ReportRow = Row<"lens_reports">;

const ofSite = (metadata: Metadata, siteId: string, type: ReportType | undefined) => {
	const query = tables(metadata).selectFrom("lens_reports").where("site_id", "=", siteId);
	return type === undefined ? query : query.where("report_type", "=", type);
};

/** A page of the reports of a site, the latest period first, and how many there are. */
export async function pageOfReports(
	metadata: Metadata,
	siteId: string,
	{ type, page, pageSize }: { readonly type: ReportType | undefined; readonly page: number; readonly pageSize: number },
): Promise<{ readonly rows: readonly ReportRow[]; readonly total: number }> {
	return pageOf(
		ofSite(metadata, siteId, type),
		(query) => query.selectAll().orderBy("period_end", "desc").orderBy("report_type"),
		numberedPage(page, pageSize),
	);
}

export const findReport = (metadata: Metadata, siteId: string, id: string): Promise<ReportRow | undefined> =>
	ofSite(metadata, siteId, undefined).selectAll().where("id", "=", id).executeTakeFirst();

export const latestReport = (metadata: Metadata, siteId: string, type: ReportType): Promise<ReportRow | undefined> =>
	ofSite(metadata, siteId, type).selectAll().orderBy("period_end", "desc").limit(1).executeTakeFirst();

/** Notes that somebody looks at a report. */
export async function countView(metadata: Metadata, id: string): Promise<void> {
	await tables(metadata)
		.updateTable("lens_reports")
		.set((report) => ({ view_count: report("view_count", "+", 1) }))
		.where("id", "=", id)
		.execute();
}

/** Stores a report; one of the same period gets its figures and keeps its id. */
export function storeReport(metadata: Metadata, row: NewRow<"lens_reports">): Promise<ReportRow> {
	const { status, content, error_message, generation_started_at, generation_completed_at, updated_at } = row;
	const changes = { status, content, error_message, generation_started_at, generation_completed_at, updated_at };
	return tables(metadata)
		.insertInto("lens_reports")
		.values(row)
		.onConflict((conflict) =>
			conflict.columns(["site_id", "report_type", "period_start", "period_end"]).doUpdateSet(changes),
		)
		.returningAll()
		.executeTakeFirstOrThrow();
}

/** Stores a report that could not be made, unless there is one of the period. */
export async function storeFailure(metadata: Metadata, row: NewRow<"lens_reports">): Promise<void> {
	await tables(metadata)
		.insertInto("lens_reports")
		.values(row)
		.onConflict((conflict) => conflict.columns(["site_id", "report_type", "period_start", "period_end"]).doNothing())
		.execute();
}

/** Drops the reports on some days, the compared ones included; `null` has no bound. */
export async function dropReportsOf(
	metadata: Metadata,
	siteId: string,
	{ from, to }: { readonly from: string | null; readonly to: string | null },
): Promise<void> {
	let query = tables(metadata).deleteFrom("lens_reports").where("site_id", "=", siteId);
	if (from !== null) query = query.where("period_end", ">=", from);
	if (to !== null) query = query.where("compared_from", "<=", to);
	await query.execute();
}

export async function dropOldReports(metadata: Metadata, before: number): Promise<void> {
	await tables(metadata).deleteFrom("lens_reports").where("created_at", "<", before).execute();
}
