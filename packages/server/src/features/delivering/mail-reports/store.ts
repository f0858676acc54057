import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export const mailReports = tableOf("mail_reports");
export const reportRecipients = tableOf("mail_report_recipients");
export const reportRefusals = tableOf("mail_report_refusals");

export const frequencies = ["weekly", "monthly"] as const;
export type Frequency = (typeof frequencies)[number];

export type ReportRow = Row<"mail_reports">;

export type RecipientRow = Awaited<ReturnType<typeof listRecipients>>[number];

export async function listRecipients(metadata: Metadata, siteId: string, reportIds: readonly number[]) {
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

export async function replaceRecipients(metadata: Metadata, reportId: number, emails: readonly string[]) {
	await reportRecipients.delete(metadata, { report_id: reportId });
	const rows = emails.map((email) => ({ report_id: reportId, email, bounced_at: null }));
	if (rows.length > 0) await tables(metadata).insertInto("mail_report_recipients").values(rows).execute();
}

/** Those of some addresses that want no summaries of a site. */
export async function refusalsOf(metadata: Metadata, siteId: string, emails: readonly string[]): Promise<Set<string>> {
	if (emails.length === 0) return new Set();
	const rows = await reportRefusals.list(metadata, { site_id: siteId, email: emails }, "email");
	return new Set(rows.map(({ email }) => email));
}
