import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export const frequencies = ["weekly", "monthly"] as const;
export type Frequency = (typeof frequencies)[number];

export type ReportRow = Row<"mail_reports">;

const selectReports = (metadata: Metadata) => tables(metadata).selectFrom("mail_reports").selectAll();

export const listReports = (metadata: Metadata, siteId: string): Promise<ReportRow[]> =>
	selectReports(metadata).where("site_id", "=", siteId).orderBy("id").execute();

export const listActiveReports = (metadata: Metadata): Promise<ReportRow[]> =>
	selectReports(metadata).where("is_active", "=", 1).orderBy("id").execute();

export const findReport = (metadata: Metadata, siteId: string, id: number): Promise<ReportRow | undefined> =>
	selectReports(metadata).where("site_id", "=", siteId).where("id", "=", id).executeTakeFirst();

export const insertReport = (metadata: Metadata, row: Omit<ReportRow, "id">): Promise<ReportRow> =>
	tables(metadata).insertInto("mail_reports").values(row).returningAll().executeTakeFirstOrThrow();

export const updateReport = (
	metadata: Metadata,
	id: number,
	changes: Partial<Omit<ReportRow, "id" | "site_id">>,
): Promise<ReportRow | undefined> =>
	tables(metadata).updateTable("mail_reports").set(changes).where("id", "=", id).returningAll().executeTakeFirst();

export async function deleteReport(metadata: Metadata, id: number): Promise<void> {
	await tables(metadata).deleteFrom("mail_report_recipients").where("report_id", "=", id).execute();
	await tables(metadata).deleteFrom("mail_reports").where("id", "=", id).execute();
}

/** Notes that a period's report goes out; false when another process has done so, or the report is off by now. */
export async function claimPeriod(
	metadata: Metadata,
	{ id, period, nowMs }: { id: number; period: string; nowMs: number },
): Promise<boolean> {
	const rows = await tables(metadata)
		.updateTable("mail_reports")
		.set({ sent_period: period, last_sent_at: nowMs })
		.where("id", "=", id)
		.where("is_active", "=", 1)
		.where("sent_period", "<", period)
		.returning("id")
		.execute();
	return rows.length === 1;
}

export interface RecipientRow {
	readonly reportId: number;
	readonly email: string;
	readonly bouncedAt: number | null;
	readonly refusedAt: number | null;
}

export async function listRecipients(
	metadata: Metadata,
	siteId: string,
	reportIds: readonly number[],
): Promise<RecipientRow[]> {
	if (reportIds.length === 0) return [];
	return tables(metadata)
		.selectFrom("mail_report_recipients as recipient")
		.leftJoin("mail_report_refusals as refusal", (join) =>
			join.onRef("refusal.email", "=", "recipient.email").on("refusal.site_id", "=", siteId),
		)
		.select([
			"recipient.report_id as reportId",
			"recipient.email",
			"recipient.bounced_at as bouncedAt",
			"refusal.refused_at as refusedAt",
		])
		.where("recipient.report_id", "in", reportIds)
		.orderBy("recipient.email")
		.execute();
}

export async function replaceRecipients(
	metadata: Metadata,
	reportId: number,
	emails: readonly string[],
): Promise<void> {
	await tables(metadata).deleteFrom("mail_report_recipients").where("report_id", "=", reportId).execute();
	const rows = emails.map((email) => ({ report_id: reportId, email, bounced_at: null }));
	if (rows.length > 0) await tables(metadata).insertInto("mail_report_recipients").values(rows).execute();
}

/** Notes that an address does not exist. */
export async function noteBounce(metadata: Metadata, reportId: number, email: string, nowMs: number): Promise<void> {
	await tables(metadata)
		.updateTable("mail_report_recipients")
		.set({ bounced_at: nowMs })
		.where("report_id", "=", reportId)
		.where("email", "=", email)
		.execute();
}

/** Those of some addresses that want no summaries of a site. */
export async function refusalsOf(metadata: Metadata, siteId: string, emails: readonly string[]): Promise<Set<string>> {
	if (emails.length === 0) return new Set();
	const rows = await tables(metadata)
		.selectFrom("mail_report_refusals")
		.select("email")
		.where("site_id", "=", siteId)
		.where("email", "in", emails)
		.execute();
	return new Set(rows.map(({ email }) => email));
}

export async function insertRefusal(metadata: Metadata, siteId: string, email: string, nowMs: number): Promise<void> {
	await tables(metadata)
		.insertInto("mail_report_refusals")
		.values({ site_id: siteId, email, refused_at: nowMs })
		.onConflict((conflict) => conflict.columns(["site_id", "email"]).doNothing())
		.execute();
}

export async function deleteRefusal(metadata: Metadata, siteId: string, email: string): Promise<void> {
	await tables(metadata)
		.deleteFrom("mail_report_refusals")
		.where("site_id", "=", siteId)
		.where("email", "=", email)
		.execute();
}
