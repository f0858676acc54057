import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Recipients of mail reports, addresses that refused them, and external recipients that agreed to them. */
export const mailReports: MetadataMigration = {
	name: "0020-mail-reports",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("mail_reports")
			.addColumn("id", "integer", autoId)
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("frequency", "text", (column) => column.notNull())
			.addColumn("is_active", "integer", (column) => column.notNull())
			.addColumn("sent_period", "text", (column) => column.notNull())
			.addColumn("last_sent_at", "bigint")
			.addColumn("created_by", "integer", (column) => column.references("users.id"))
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("updated_at", "bigint", (column) => column.notNull())
			.execute();
		await db.schema.createIndex("mail_reports_by_site").on("mail_reports").columns(["site_id"]).execute();
		await db.schema
			.createTable("mail_report_recipients")
			.addColumn("report_id", "integer", (column) => column.notNull().references("mail_reports.id"))
			.addColumn("email", "text", (column) => column.notNull())
			.addColumn("bounced_at", "bigint")
			.addPrimaryKeyConstraint("mail_report_recipients_once", ["report_id", "email"])
			.execute();
		await db.schema
			.createTable("mail_report_refusals")
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("email", "text", (column) => column.notNull())
			.addColumn("refused_at", "bigint", (column) => column.notNull())
			.addPrimaryKeyConstraint("mail_report_refusals_once", ["site_id", "email"])
			.execute();
		await db.schema
			.createTable("mail_recipients")
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("email", "text", (column) => column.notNull())
			.addColumn("asked_at", "bigint", (column) => column.notNull())
			.addColumn("agreed_at", "bigint")
			.addColumn("refused_at", "bigint")
			.addPrimaryKeyConstraint("mail_recipients_once", ["site_id", "email"])
			.execute();
		await db.schema
			.createIndex("mail_recipients_by_address")
			.on("mail_recipients")
			.columns(["email", "asked_at"])
			.execute();
	},
};
