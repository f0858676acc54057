import { sql } from "kysely";
import { type NewRow, type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { numberedPage, pageOf } from "../../../platform/metadata/page-of.ts";
import { type Finding, type RuleName, type Severity, severities } from "./rules/finding.ts";
import type { Compared, Sums } from "./rules/week-figures.ts";

export const lensInsights = tableOf("lens_insights");
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

/** Insights about the whole site come before those about its parts. */
const isPart = sql<number>`case when entity is null then 0 else 1 end`;

const rank = sql<number>`case severity when 'red' then 0 when 'yellow' then 1 else 2 end`;

export async function pageOfInsights(
	metadata: Metadata,
	choice: Choice,
	{ page, pageSize }: { readonly page: number; readonly pageSize: number },
): Promise<{ readonly rows: readonly InsightRow[]; readonly total: number }> {
	return pageOf(
		chosen(metadata, choice),
		(query) =>
			query.selectAll().orderBy(rank).orderBy("created_at", "desc").orderBy(isPart).orderBy("rule").orderBy("id"),
		numberedPage(page, pageSize),
	);
}

export const listInsights = (metadata: Metadata, choice: Choice): Promise<InsightRow[]> =>
	chosen(metadata, choice).selectAll().orderBy("created_at", "desc").orderBy("id").execute();

export const findInsight = (metadata: Metadata, { siteId, nowMs }: Pick<Choice, "siteId" | "nowMs">, id: string) =>
	chosen(metadata, { siteId, nowMs, withDismissed: true }).selectAll().where("id", "=", id).executeTakeFirst();

/** The insights of a site that last. */
export const listOpen = (metadata: Metadata, siteId: string): Promise<InsightRow[]> =>
	tables(metadata)
		.selectFrom("lens_insights")
		.selectAll()
		.where("site_id", "=", siteId)
		.where("open_key", "is not", null)
		.orderBy("id")
		.execute();

/** Stores an insight; false when one of its rule and entity is open. */
export async function insertInsight(metadata: Metadata, row: NewRow<"lens_insights">): Promise<boolean> {
	const rows = await tables(metadata)
		.insertInto("lens_insights")
		.values(row)
		.onConflict((conflict) => conflict.columns(["site_id", "open_key"]).doNothing())
		.returning("id")
		.execute();
	return rows.length === 1;
}

/** Stores what somebody thinks of an insight, in place of what they thought before. */
export async function storeFeedback(metadata: Metadata, row: NewRow<"lens_feedback">): Promise<void> {
	const { feedback_type, comment, created_at } = row;
	await tables(metadata)
		.insertInto("lens_feedback")
		.values(row)
		.onConflict((conflict) =>
			conflict.columns(["insight_id", "user_id"]).doUpdateSet({ feedback_type, comment, created_at }),
		)
		.execute();
}

/** Deletes expired insights, and verdicts on them from before a time. */
export async function dropOld(metadata: Metadata, nowMs: number, feedbackBefore: number): Promise<void> {
	await tables(metadata).deleteFrom("lens_insights").where("expires_at", "<=", nowMs).execute();
	await tables(metadata).deleteFrom("lens_feedback").where("created_at", "<", feedbackBefore).execute();
}

/** Drops the insights that rest on some days, `null` having no bound. */
export async function dropInsightsOf(
	metadata: Metadata,
	siteId: string,
	{ from, to }: { readonly from: string | null; readonly to: string | null },
): Promise<void> {
	let query = tables(metadata).deleteFrom("lens_insights").where("site_id", "=", siteId);
	if (from !== null) query = query.where("last_day", ">=", from);
	if (to !== null) query = query.where("first_day", "<=", to);
	await query.execute();
}

interface DatedFinding extends Finding {
	readonly days: Compared<{ readonly start: string; readonly end: string }>;
}

export interface Insight {
	readonly row: InsightRow;
	readonly finding: DatedFinding;
}

export const insightOf = (row: InsightRow): Insight => ({
	row,
	finding: { ...(JSON.parse(row.finding) as DatedFinding), rule: row.rule as RuleName, severity: row.severity },
});

/** Orders insights: the worst first, of equals the newest, those about the whole site, and by their rules. */
export const byWeight = ({ row: one }: Insight, { row: other }: Insight): number =>
	severities.indexOf(one.severity) - severities.indexOf(other.severity) ||
	other.created_at - one.created_at ||
	Number(one.entity !== null) - Number(other.entity !== null) ||
	compareTexts(one.rule, other.rule) ||
	compareTexts(one.id, other.id);

const compareTexts = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

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

const ofSite = (metadata: Metadata, siteId: string, type: ReportType | undefined) => {
	const query = tables(metadata).selectFrom("lens_reports").where("site_id", "=", siteId);
	return type === undefined ? query : query.where("report_type", "=", type);
};

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

export const latestReport = (metadata: Metadata, siteId: string, type: ReportType): Promise<ReportRow | undefined> =>
	ofSite(metadata, siteId, type).selectAll().orderBy("period_end", "desc").limit(1).executeTakeFirst();

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
	await tables(metadata)
		.insertInto("lens_runs")
		.values({ site_id: siteId, ...never })
		.onConflict((conflict) => conflict.column("site_id").doNothing())
		.execute();
	const rows = await tables(metadata)
		.updateTable("lens_runs")
		.set({ [what]: day })
		.where("site_id", "=", siteId)
		.where(what, "<", day)
		.returning("site_id")
		.execute();
	return rows.length === 1;
}

export const analysisFrequencies = ["daily", "weekly", "manual"] as const;

type SettingsRow = Row<"lens_settings">;
type Flag = "is_enabled" | "notify_email" | "notify_on_red" | "notify_on_yellow" | "notify_on_green";

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

const settingsOf = ({ site_id: _, ...row }: SettingsRow): StoredSettings => ({
	...row,
	is_enabled: row.is_enabled === 1,
	notify_email: row.notify_email === 1,
	notify_on_red: row.notify_on_red === 1,
	notify_on_yellow: row.notify_on_yellow === 1,
	notify_on_green: row.notify_on_green === 1,
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
		is_enabled: settings.is_enabled ? 1 : 0,
		notify_email: settings.notify_email ? 1 : 0,
		notify_on_red: settings.notify_on_red ? 1 : 0,
		notify_on_yellow: settings.notify_on_yellow ? 1 : 0,
		notify_on_green: settings.notify_on_green ? 1 : 0,
		email_recipients: JSON.stringify(settings.email_recipients),
		analysis_frequency: settings.analysis_frequency,
		updated_at: nowMs,
	};
	await tables(metadata)
		.insertInto("lens_settings")
		.values({ site_id: siteId, created_at: nowMs, ...row })
		.onConflict((conflict) => conflict.column("site_id").doUpdateSet(row))
		.execute();
}
