import { rates } from "../../../analytics/catalog/rates.ts";
import type { ReportPage } from "../../../analytics/query/engine/run.ts";
import type { ReportRow } from "../../../analytics/query/question/report-query.ts";
import type { FieldError } from "../../../platform/errors/service-error.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { Rule } from "./rule.ts";

/** A rule on the wire. */
export const presentRule = (rule: Rule) => ({
	id: rule.id,
	account_id: rule.siteId,
	channel_name: rule.channel_name,
	source_pattern: rule.source_pattern,
	medium_pattern: rule.medium_pattern,
	campaign_pattern: rule.campaign_pattern,
	priority: rule.priority,
	is_active: rule.is_active,
	is_default: rule.siteId === null,
	created_at: timestamp(rule.createdAt),
	updated_at: timestamp(rule.updatedAt),
});

/** The rules of a site in the order in which they are asked. */
export const presentRules = (own: readonly Rule[], defaults: readonly Rule[]) => ({
	rules: [...own, ...defaults].map(presentRule),
	total: own.length + defaults.length,
	default_count: defaults.length,
	custom_count: own.length,
});

/** The rules of a site as a document. */
export const presentExport = (own: readonly Rule[], defaults: readonly Rule[]) => ({
	version: 1 as const,
	rules: own.map(presentRule),
	default_rules: defaults.map(presentRule),
});

/** Effect of an import. */
export const presentTrial = (trial: {
	readonly wouldInsert: number;
	readonly wouldDelete: number;
	readonly errors: readonly FieldError[];
}) => ({ would_insert: trial.wouldInsert, would_delete: trial.wouldDelete, errors: [...trial.errors] });

/** Result of an import. */
export const presentImport = (done: {
	readonly inserted: number;
	readonly deleted: number;
	readonly totalAfter: number;
}) => ({ inserted: done.inserted, deleted: done.deleted, total_after: done.totalAfter });

/** The channel of a visit, and why. */
export const presentTest = (answer: {
	readonly channel: string;
	readonly rule: Rule | null;
	readonly channels: readonly string[] | undefined;
}) => ({
	channel: answer.channel,
	matched_rule: answer.rule && presentRule(answer.rule),
	...(answer.channels !== undefined && { channels: [...answer.channels] }),
});

/** One page of channels. */
export const presentChannels = ({ rows, totalRows }: ReportPage) => ({
	channels: rows.map(presentChannel),
	total: totalRows,
});

const presentChannel = (row: ReportRow) => ({
	channel: String(row.channel_group ?? ""),
	entrances: row.entrances,
	engaged_entrances: row.engaged_entrances,
	bounces: row.entrances - row.engaged_entrances,
	bounce_rate: rates.bounce_rate.of(row),
	page_views: row.page_views,
	microconversions: row.microconversions,
	conversions: row.conversions,
	conversion_rate: rates.conversion_rate.of(row),
	revenue: row.revenue,
});
