import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";
import { accounts } from "./0001-accounts.ts";
import { visitorSalts } from "./0002-visitor-salts.ts";
import { segments } from "./0003-segments.ts";
import { channelRules } from "./0004-channel-rules.ts";
import { passthroughReferrers } from "./0005-passthrough-referrers.ts";
import { referrerMappings } from "./0006-referrer-mappings.ts";
import { auditLog } from "./0007-audit-log.ts";
import { oneTimeTokens } from "./0008-one-time-tokens.ts";
import { jobs } from "./0009-jobs.ts";
import { twoFactor } from "./0010-two-factor.ts";
import { invitations } from "./0011-invitations.ts";
import { rateLimits } from "./0012-rate-limits.ts";
import { ipAllowlist } from "./0013-ip-allowlist.ts";
import { blocklist } from "./0014-blocklist.ts";
import { provisioning } from "./0015-provisioning.ts";
import { oauth } from "./0016-oauth.ts";
import { webhooks } from "./0017-webhooks.ts";
import { exports } from "./0018-exports.ts";
import { alerts } from "./0019-alerts.ts";
import { mailReports } from "./0020-mail-reports.ts";
import { userPreferences } from "./0021-user-preferences.ts";
import { shareLinks } from "./0022-share-links.ts";
import { dataDeletions } from "./0023-data-deletions.ts";
import { notesAndViews } from "./0024-notes-and-views.ts";
import { addressChanges } from "./0025-address-changes.ts";
import { imports } from "./0026-imports.ts";
import { billing } from "./0027-billing.ts";
import { bigquery } from "./0028-bigquery.ts";
import { lens } from "./0029-lens.ts";
import { assistant } from "./0030-assistant.ts";
import { migrationJobs } from "./0031-migration-jobs.ts";
import { shareLinkAddresses } from "./0032-share-link-addresses.ts";
import { collectorCounts } from "./0033-collector-counts.ts";
import { backups } from "./0034-backups.ts";
import { serverSecrets } from "./0035-server-secrets.ts";
import { retentionChanges } from "./0036-retention-changes.ts";
import { planHistory } from "./0037-plan-history.ts";
import { importPartitions } from "./0038-import-partitions.ts";
import { invitedSiteRoles } from "./0039-invited-site-roles.ts";
import { automaticEvents } from "./0040-automatic-events.ts";
import { siteGoals } from "./0041-site-goals.ts";
import { processes } from "./0042-processes.ts";
import { earlierEvents } from "./0043-earlier-events.ts";

/** Every migration of the metadata store, oldest first; entries are only ever added at the end. */
export const metadataMigrations: readonly MetadataMigration[] = [
	accounts,
	visitorSalts,
	segments,
	channelRules,
	passthroughReferrers,
	referrerMappings,
	auditLog,
	oneTimeTokens,
	jobs,
	twoFactor,
	invitations,
	rateLimits,
	ipAllowlist,
	blocklist,
	provisioning,
	oauth,
	webhooks,
	exports,
	alerts,
	mailReports,
	userPreferences,
	shareLinks,
	dataDeletions,
	notesAndViews,
	addressChanges,
	imports,
	billing,
	bigquery,
	lens,
	assistant,
	migrationJobs,
	shareLinkAddresses,
	collectorCounts,
	backups,
	serverSecrets,
	retentionChanges,
	planHistory,
	importPartitions,
	invitedSiteRoles,
	automaticEvents,
	siteGoals,
	processes,
	earlierEvents,
];
