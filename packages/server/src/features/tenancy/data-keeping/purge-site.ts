import { sql } from "kysely";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { recordAudit, systemActor } from "../../auditing/audit-log/index.ts";
import type { SiteRow } from "../sites/index.ts";

/** Rows that name rows of a site: table and column, and the table, its key and how it names the site. */
const children = [
	[
		"webhook_attempts",
		"delivery",
		"select d.id from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id where e.site_id",
	],
	["webhook_deliveries", "endpoint_id", "select id from webhook_endpoints where site_id"],
	["mail_report_recipients", "report_id", "select id from mail_reports where site_id"],
	["oauth_codes", "grant_id", "select id from oauth_grants where site_id"],
	["oauth_tokens", "grant_id", "select id from oauth_grants where site_id"],
	["assistant_messages", "conversation_id", "select id from assistant_conversations where site_id"],
	["data_deletion_collectors", "deletion_id", "select id from data_deletions where site_id"],
] as const satisfies readonly (readonly [table: keyof Tables, column: string, of: string])[];

/** Tables with rows of a site. The audit log is none of them: it keeps what it says for two years. */
export const tablesOfSites = [
	"site_members",
	"site_domains",
	"utm_mappings",
	"segments",
	"channel_rules",
	"passthrough_referrers",
	"referrer_mappings",
	"blocklist_entries",
	"ip_allowlist_settings",
	"ip_allowlist_patterns",
	"ip_allowlist_attempts",
	"provisioned_sites",
	"oauth_grants",
	"webhook_endpoints",
	"imports",
	"migration_jobs",
	"exports",
	"bigquery_syncs",
	"bigquery_integrations",
	"alert_history",
	"alert_rules",
	"mail_reports",
	"mail_report_refusals",
	"mail_recipients",
	"data_deletions",
	"share_links",
	"annotations",
	"saved_views",
	"lens_settings",
	"lens_runs",
	"lens_insights",
	"lens_feedback",
	"lens_reports",
	"assistant_conversations",
	"assistant_usage",
	"hit_counts",
	"script_requests",
] as const satisfies readonly (keyof Tables)[];

/** JSON lists of sites: a name that is free again must open nothing. */
const lists = ["api_tokens", "invitations"] as const satisfies readonly (keyof Tables)[];

/** Removes a site with all its settings, within a transaction of the caller, who counts the change. Its name is free again. */
export async function purgeSite(trx: Metadata, { id, organization_id }: SiteRow, nowMs: number): Promise<void> {
	for (const [table, column, of] of children) {
		await sql`delete from ${sql.table(table)} where ${sql.ref(column)} in (${sql.raw(of)} = ${id})`.execute(trx);
	}
	for (const table of tablesOfSites) {
		await sql`delete from ${sql.table(table)} where site_id = ${id}`.execute(trx);
	}
	for (const table of lists) await takeFromLists(trx, table, id);
	await sql`delete from sites where id = ${id}`.execute(trx);
	const entry = { resourceId: id, siteId: id, organizationId: organization_id };
	await recordAudit(trx, systemActor, { action: "site.purged", ...entry }, nowMs);
}

async function takeFromLists(trx: Metadata, table: (typeof lists)[number], siteId: string): Promise<void> {
	const { rows } = await sql<{ id: number; site_ids: string }>`
		select id, site_ids from ${sql.table(table)} where site_ids like ${`%"${siteId}"%`}`.execute(trx);
	for (const row of rows) {
		const rest = (JSON.parse(row.site_ids) as string[]).filter((one) => one !== siteId);
		await sql`update ${sql.table(table)} set site_ids = ${JSON.stringify(rest)} where id = ${row.id}`.execute(trx);
	}
}
