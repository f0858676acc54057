import { sql } from "kysely";
import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type PageRequest, pageOf } from "../../../platform/metadata/page-of.ts";
import type { Finding, RuleName, Severity } from "./rules/finding.ts";
import type { Compared, Sums } from "./rules/week-figures.ts";

export const lensInsights = tableOf("lens_insights");
export const lensFeedback = tableOf("lens_feedback");
export const lensReports = tableOf("lens_reports");
const lensRuns = tableOf("lens_runs");
const lensSettings = tableOf("lens_settings");

export type InsightRow = Row<"lens_insights">;

interface Choice {
	readonly siteId: string;
	readonly nowMs: number;
	readonly rules?: readonly RuleName[] | undefined;
	readonly severities?: readonly Severity[] | undefined;
	readonly isUnread?: boolean;
	readonly withDismissed?: boolean;
}

const chosen = (metadata: Metadata, { siteId, nowMs, rules, severities, isUnread, withDismissed }: Choice) => {
	let query = tables(metadata)
		.selectFrom("lens_insights")
		.where("site_id", "=", siteId)
		.where("expires_at", ">", nowMs);
	if (rules !== undefined) query = query.where("rule", "in", rules);
	if (severities !== undefined) query = query.where("severity", "in", severities);
	if (isUnread === true) query = query.where("read_at", "is", null);
	return withDismissed === true ? query : query.where("dismissed_at", "is", null);
};

const isPart = sql<number>`case when entity is null then 0 else 1 end`;

const rank = sql<number>`case severity when 'red' then 0 when 'yellow' then 1 else 2 end`;

/** The worst first, of equals the newest, those about the whole site, and by their rules. */
const worstFirst = (insights: ReturnType<typeof chosen>) =>
	insights.selectAll().orderBy(rank).orderBy("created_at", "desc").orderBy(isPart).orderBy("rule").orderBy("id");

export const pageOfInsights = (metadata: Metadata, choice: Choice, page: PageRequest) =>
	pageOf(chosen(metadata, choice), worstFirst, page);

export const listInsights = (metadata: Metadata, choice: Choice): Promise<InsightRow[]> =>
	worstFirst(chosen(metadata, choice)).execute();

interface DatedFinding extends Finding {
	readonly days: Compared<{ readonly start: string; readonly end: string }>;
}

export interface StoredInsight {
	readonly row: InsightRow;
	readonly finding: DatedFinding;
}

export const insightOf = (row: InsightRow): StoredInsight => ({
	row,
	finding: { ...(JSON.parse(row.finding) as DatedFinding), rule: row.rule as RuleName, severity: row.severity },
});

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
export type ReportType = ReportRow["report_type"];

export async function countView(metadata: Metadata, id: string): Promise<void> {
	await tables(metadata)
		.updateTable("lens_reports")
		.set((report) => ({ view_count: report("view_count", "+", 1) }))
		.where("id", "=", id)
		.execute();
}

/** Tasks of a site's morning with the day of their last run; empty = never. */
export interface Done {
	readonly analysed_day: string;
	readonly week: string;
	readonly month: string;
}

const never: Done = { analysed_day: "", week: "", month: "" };

export async function findDone(metadata: Metadata, siteId: string): Promise<Done> {
	return (await lensRuns.find(metadata, { site_id: siteId })) ?? never;
}

/** Every active site with its clock and what was done for it last. */
export async function listSites(
	metadata: Metadata,
): Promise<readonly { readonly id: string; readonly timezone: string; readonly done: Done }[]> {
	const rows = await tables(metadata)
		.selectFrom("sites")
		.leftJoin("lens_runs", "lens_runs.site_id", "sites.id")
		.select(["sites.id", "sites.timezone", "lens_runs.analysed_day", "lens_runs.week", "lens_runs.month"])
		.where("sites.is_active", "=", 1)
		.orderBy("sites.id")
		.execute();
	return rows.map(({ id, timezone, ...done }) => ({
		id,
		timezone,
		done: { analysed_day: done.analysed_day ?? "", week: done.week ?? "", month: done.month ?? "" },
	}));
}

/** Notes that something is done for a site as of a day; false when another process has done it. */
export async function claim(metadata: Metadata, siteId: string, what: keyof Done, day: string): Promise<boolean> {
	await lensRuns.insertUnlessTaken(metadata, { site_id: siteId, ...never }, "site_id");
	return (await lensRuns.update(metadata, { site_id: siteId, [what]: { "<": day } }, { [what]: day })) !== undefined;
}

export const analysisFrequencies = ["daily", "weekly", "manual"] as const;

type SettingsRow = Row<"lens_settings">;
const flags = ["is_enabled", "notify_email", "notify_on_red", "notify_on_yellow", "notify_on_green"] as const;
type Flag = (typeof flags)[number];

export interface Settings extends Readonly<Record<Flag, boolean>>, Pick<SettingsRow, "analysis_frequency"> {
	readonly email_recipients: readonly string[];
}

/** Settings with their last change; null where they were never changed. */
export interface StoredSettings extends Settings {
	readonly created_at: number | null;
	readonly updated_at: number | null;
}

export const usualSettings: StoredSettings = {
	is_enabled: true,
	notify_email: true,
	notify_on_red: true,
	notify_on_yellow: false,
	notify_on_green: false,
	email_recipients: [],
	analysis_frequency: "daily",
	created_at: null,
	updated_at: null,
};

const eachFlag = <In, Out>(values: Readonly<Record<Flag, In>>, of: (value: In) => Out) =>
	Object.fromEntries(flags.map((name) => [name, of(values[name])])) as Record<Flag, Out>;

const settingsOf = ({ site_id: _, ...row }: SettingsRow): StoredSettings => ({
	...row,
	...eachFlag(row, (value) => value === 1),
	email_recipients: JSON.parse(row.email_recipients),
});

export async function findSettings(metadata: Metadata, siteId: string): Promise<StoredSettings> {
	const row = await lensSettings.find(metadata, { site_id: siteId });
	return row === undefined ? usualSettings : settingsOf(row);
}

export async function listSettings(metadata: Metadata): Promise<ReadonlyMap<string, StoredSettings>> {
	const rows = await lensSettings.list(metadata, {}, "site_id");
	return new Map(rows.map((row) => [row.site_id, settingsOf(row)]));
}

export async function storeSettings(metadata: Metadata, siteId: string, settings: Settings, nowMs: number) {
	const row = {
		...eachFlag(settings, Number),
		email_recipients: JSON.stringify(settings.email_recipients),
		analysis_frequency: settings.analysis_frequency,
		updated_at: nowMs,
	};
	await lensSettings.upsert(metadata, { site_id: siteId, created_at: nowMs, ...row }, ["site_id"], row);
}
