import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { timestampOrNull } from "../../../platform/lib/timestamp.ts";
import { inChunks } from "../../../platform/metadata/in-chunks.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Forgetting } from "../../tenancy/data-keeping/index.ts";
import type { Channel } from "./vocabulary.ts";

export type RuleRow = Row<"alert_rules">;

export const alertRules = tableOf("alert_rules");
export const alertHistory = tableOf("alert_history");

/**
 * Notes that rules were looked at, but for those that another process has looked at since they were read: their look was the one
 * that counts. Answers which were noted.
 */
export async function noteLook(trx: Metadata, rules: readonly RuleRow[], until: number): Promise<Set<number>> {
	const noted = new Set<number>();
	for (const [seen, alike] of Map.groupBy(rules, ({ last_evaluated_at: lookedAt }) => lookedAt)) {
		const ids = alike.map(({ id }) => id);
		const rows = await inChunks(ids, (some) =>
			alertRules.updateAll(trx, { id: some, last_evaluated_at: seen }, { last_evaluated_at: until }),
		);
		for (const { id } of rows) noted.add(id);
	}
	return noted;
}

/**
 * Counts that a rule fires, and holds it until the transaction ends. Undefined when it is switched off or gone, when its
 * cooldown lasts, or when it has an incident already.
 */
export const countTrigger = (metadata: Metadata, id: number, nowMs: number): Promise<RuleRow | undefined> =>
	tables(metadata)
		.updateTable("alert_rules")
		.set((query) => ({ trigger_count: query("trigger_count", "+", 1), last_triggered_at: nowMs }))
		.where("id", "=", id)
		.where("is_active", "=", 1)
		.where((query) => query.or([query("quiet_until", "is", null), query("quiet_until", "<=", nowMs)]))
		.where(({ not, exists, selectFrom }) =>
			not(
				exists(
					selectFrom("alert_history")
						.select("alert_history.id")
						.whereRef("alert_history.open_rule_id", "=", "alert_rules.id"),
				),
			),
		)
		.returningAll()
		.executeTakeFirst();

export const listRulesWithAddresses = (metadata: Metadata): Promise<RuleRow[]> =>
	tables(metadata)
		.selectFrom("alert_rules")
		.selectAll()
		.where((query) =>
			query.or([query("sealed_slack_url", "is not", null), query("sealed_webhook_url", "is not", null)]),
		)
		.orderBy("id")
		.execute();

export type SealedColumns = Pick<RuleRow, "sealed_slack_url" | "sealed_webhook_url">;

const SEPARATOR = "; ";

/** The errors of all channels in one text, with that of one channel replaced by another or by none; null when none is left. */
function withChannelError(errors: string | null, channel: Channel, error: string | null): string | null {
	const known = errors === null ? [] : errors.split(SEPARATOR);
	const others = known.filter((one) => !one.startsWith(`${channel}: `));
	const all = error === null ? others : [...others, `${channel}: ${error}`];
	return all.length === 0 ? null : all.join(SEPARATOR);
}

export type AlertRow = Row<"alert_history">;

/** Deletes alerts of periods that begin within deleted days of a site; its rules are evaluated again. */
export async function forgetAlerts(
	{ metadata }: { readonly metadata: Metadata },
	{ site, period }: Pick<Forgetting, "site" | "period">,
): Promise<true> {
	await metadata.transaction().execute(async (trx) => {
		await alertHistory.drop(trx, { site_id: site.id, period_start: { ">=": period.from, "<=": period.until } });
		await tables(trx)
			.updateTable("alert_rules")
			.set({ state: "ok" })
			.where("site_id", "=", site.id)
			.where("state", "=", "firing")
			.where(({ not, exists, selectFrom }) =>
				not(exists(selectFrom("alert_history").select("id").whereRef("open_rule_id", "=", "alert_rules.id"))),
			)
			.execute();
	});
	return true;
}

interface NotificationOutcome {
	readonly channel: Channel;
	/** True once something was sent; false leaves what was noted before. */
	readonly isSent: boolean;
	readonly error: string | null;
}

/** Notes how a notification went, and leaves what is noted of the other channels. */
export async function noteNotification(trx: Metadata, id: number, { channel, isSent, error }: NotificationOutcome) {
	// Takes the row first: two channels may end at the same moment.
	const row = await tables(trx)
		.updateTable("alert_history")
		.set((query) => (isSent ? { [`${channel}_sent`]: 1 } : { notes: query.ref("notes") }))
		.where("id", "=", id)
		.returning("notification_error")
		.executeTakeFirst();
	if (row === undefined) return;
	const notification_error = withChannelError(row.notification_error, channel, error);
	await alertHistory.update(trx, { id }, { notification_error });
}

/** Numbers of a site's alerts, as its statistics show them; the rule is the first by name of those that fired most in 30 days. */
export async function alertStats(metadata: Metadata, siteId: string, nowMs: number) {
	const daysAgo = (days: number) => nowMs - days * DAY_MS;
	const ofSite = tables(metadata).selectFrom("alert_history").where("site_id", "=", siteId);
	const counts = await ofSite
		.select(({ fn }) => [
			fn.countAll<number>().filterWhere("triggered_at", ">", daysAgo(1)).as("total_triggers_24h"),
			fn.countAll<number>().filterWhere("triggered_at", ">", daysAgo(7)).as("total_triggers_7d"),
			fn.countAll<number>().filterWhere("triggered_at", ">", daysAgo(30)).as("total_triggers_30d"),
			fn.countAll<number>().filterWhere("status", "=", "active").as("unacknowledged_alerts"),
			fn.max("triggered_at").as("last_trigger"),
		])
		.executeTakeFirstOrThrow();
	const rule = await ofSite
		.select("rule_name")
		.where("triggered_at", ">", daysAgo(30))
		.groupBy(["rule_id", "rule_name"])
		.orderBy((query) => query.fn.countAll(), "desc")
		.orderBy("rule_name")
		.limit(1)
		.executeTakeFirst();
	return {
		total_triggers_24h: Number(counts.total_triggers_24h),
		total_triggers_7d: Number(counts.total_triggers_7d),
		total_triggers_30d: Number(counts.total_triggers_30d),
		unacknowledged_alerts: Number(counts.unacknowledged_alerts),
		most_triggered_rule: rule?.rule_name ?? null,
		last_trigger: timestampOrNull(counts.last_trigger),
	};
}

/** The goals that were reached in periods, as `rule:period`. */
export async function reachedGoals(metadata: Metadata, ruleIds: readonly number[], periods: readonly string[]) {
	const rows = await inChunks(ruleIds, (some) => alertHistory.list(metadata, { goal_period: periods, rule_id: some }));
	return new Set(rows.map(({ rule_id, goal_period }) => `${rule_id}:${goal_period}`));
}
