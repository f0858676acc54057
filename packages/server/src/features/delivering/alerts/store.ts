import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { inChunks } from "../../../platform/metadata/in-chunks.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { RuleState } from "./vocabulary.ts";

export type RuleRow = Row<"alert_rules">;

const selectRules = (metadata: Metadata) => tables(metadata).selectFrom("alert_rules").selectAll();

export async function listRules(metadata: Metadata, siteId: string, includeInactive: boolean): Promise<RuleRow[]> {
	const query = selectRules(metadata).where("site_id", "=", siteId).orderBy("id");
	return (includeInactive ? query : query.where("is_active", "=", 1)).execute();
}

export const listActiveRules = (metadata: Metadata): Promise<RuleRow[]> =>
	selectRules(metadata).where("is_active", "=", 1).orderBy("id").execute();

export const findRule = (metadata: Metadata, siteId: string, id: number): Promise<RuleRow | undefined> =>
	selectRules(metadata).where("site_id", "=", siteId).where("id", "=", id).executeTakeFirst();

export async function findRules(metadata: Metadata, ids: readonly number[]): Promise<RuleRow[]> {
	return inChunks(ids, (some) => selectRules(metadata).where("id", "in", some).execute());
}

/** Number of rules of a site, inactive ones included. */
export async function countRules(metadata: Metadata, siteId: string): Promise<number> {
	const { count } = await tables(metadata)
		.selectFrom("alert_rules")
		.select((query) => query.fn.countAll<number>().as("count"))
		.where("site_id", "=", siteId)
		.executeTakeFirstOrThrow();
	return Number(count);
}

export const insertRule = (metadata: Metadata, row: Omit<RuleRow, "id">): Promise<RuleRow> =>
	tables(metadata).insertInto("alert_rules").values(row).returningAll().executeTakeFirstOrThrow();

export const updateRule = (
	metadata: Metadata,
	id: number,
	changes: Partial<Omit<RuleRow, "id" | "site_id">>,
): Promise<RuleRow | undefined> =>
	tables(metadata).updateTable("alert_rules").set(changes).where("id", "=", id).returningAll().executeTakeFirst();

/** Removes a rule of the site; undefined when it has none of this id. */
export const deleteRule = (metadata: Metadata, siteId: string, id: number): Promise<RuleRow | undefined> =>
	tables(metadata)
		.deleteFrom("alert_rules")
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.returningAll()
		.executeTakeFirst();

/**
 * Notes that rules were looked at, but for those that another process has looked at since they were read: their look was the one
 * that counts. Answers which were noted.
 */
export async function noteLook(trx: Metadata, rules: readonly RuleRow[], until: number): Promise<Set<number>> {
	const noted = new Set<number>();
	for (const [seen, alike] of Map.groupBy(rules, ({ last_evaluated_at: lookedAt }) => lookedAt)) {
		const ids = alike.map(({ id }) => id);
		const rows = await inChunks(ids, (some) =>
			tables(trx)
				.updateTable("alert_rules")
				.set({ last_evaluated_at: until })
				.where("id", "in", some)
				.where("last_evaluated_at", seen === null ? "is" : "=", seen)
				.returning("id")
				.execute(),
		);
		for (const { id } of rows) noted.add(id);
	}
	return noted;
}

export async function noteStates(trx: Metadata, ids: readonly number[], state: RuleState): Promise<void> {
	await inChunks(ids, (some) =>
		tables(trx).updateTable("alert_rules").set({ state }).where("id", "in", some).returning("id").execute(),
	);
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
	selectRules(metadata)
		.where((query) =>
			query.or([query("sealed_slack_url", "is not", null), query("sealed_webhook_url", "is not", null)]),
		)
		.orderBy("id")
		.execute();

/** Replaces what a rule holds sealed, unless it was changed since. */
export async function replaceSealed(
	metadata: Metadata,
	row: Pick<RuleRow, "id" | "sealed_slack_url" | "sealed_webhook_url">,
	columns: Partial<Pick<RuleRow, "sealed_slack_url" | "sealed_webhook_url">>,
): Promise<void> {
	await tables(metadata)
		.updateTable("alert_rules")
		.set(columns)
		.where("id", "=", row.id)
		.where("sealed_slack_url", row.sealed_slack_url === null ? "is" : "=", row.sealed_slack_url)
		.where("sealed_webhook_url", row.sealed_webhook_url === null ? "is" : "=", row.sealed_webhook_url)
		.execute();
}
