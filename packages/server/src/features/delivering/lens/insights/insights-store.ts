import { sql } from "kysely";
import { type NewRow, type Row, tables } from "../../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { numberedPage, pageOf } from "../../../../platform/metadata/page-of.ts";
import { type Finding, type Severity, severities } from "../rules/finding.ts";
import type { RuleName } from "../rules/rule-names.ts";
import type { Compared } from "../rules/week-figures.ts";

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

/** A page of insights, the worst first and of equals the newest, and how many there are. */
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

export const findInsight = (
	metadata: Metadata,
	{ siteId, nowMs }: Pick<Choice, "siteId" | "nowMs">,
	id: string,
): Promise<InsightRow | undefined> =>
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

export async function updateInsight(
	metadata: Metadata,
	id: string,
	changes: Partial<Omit<InsightRow, "id" | "site_id">>,
): Promise<void> {
	await tables(metadata).updateTable("lens_insights").set(changes).where("id", "=", id).execute();
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

export interface DatedFinding extends Finding {
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
