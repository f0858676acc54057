import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** An own rule as stored. */
export type RuleRow = Row<"channel_rules">;
type NewRuleRow = Omit<RuleRow, "id">;
type RuleColumns = Omit<NewRuleRow, "site_id" | "created_at">;

/** Own rules of a site in the order in which they are asked: falling priority, the older one first on a tie. */
export async function listRules(
	metadata: Metadata,
	siteId: string,
	{ includeInactive }: { readonly includeInactive: boolean },
): Promise<RuleRow[]> {
	let query = tables(metadata)
		.selectFrom("channel_rules")
		.selectAll()
		.where("site_id", "=", siteId)
		.orderBy("priority", "desc")
		.orderBy("id");
	if (!includeInactive) query = query.where("is_active", "=", 1);
	return query.execute();
}

/** Live rules of the sites, or of every site; oldest first. */
export async function liveRules(metadata: Metadata, siteIds: readonly string[] | undefined): Promise<RuleRow[]> {
	let query = tables(metadata).selectFrom("channel_rules").selectAll().where("is_active", "=", 1).orderBy("id");
	if (siteIds !== undefined) query = query.where("site_id", "in", siteIds);
	return query.execute();
}

/** An own rule of the site. */
export const findRule = (metadata: Metadata, siteId: string, id: number): Promise<RuleRow | undefined> =>
	tables(metadata)
		.selectFrom("channel_rules")
		.selectAll()
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.executeTakeFirst();

/** Number of own rules of a site, drafts included. */
export async function countRules(metadata: Metadata, siteId: string): Promise<number> {
	const { count } = await tables(metadata)
		.selectFrom("channel_rules")
		.select((query) => query.fn.countAll<number>().as("count"))
		.where("site_id", "=", siteId)
		.executeTakeFirstOrThrow();
	return Number(count);
}

/** Stores a rule. */
export const insertRule = (metadata: Metadata, row: NewRuleRow): Promise<RuleRow> =>
	tables(metadata).insertInto("channel_rules").values(row).returningAll().executeTakeFirstOrThrow();

/** Changes a rule, or with `onlyDrafts` only a draft; undefined when the site has no such rule. */
export async function updateRule(
	metadata: Metadata,
	{ siteId, id, onlyDrafts }: { readonly siteId: string; readonly id: number; readonly onlyDrafts: boolean },
	changes: Partial<RuleColumns>,
): Promise<RuleRow | undefined> {
	let query = tables(metadata)
		.updateTable("channel_rules")
		.set(changes)
		.where("site_id", "=", siteId)
		.where("id", "=", id);
	if (onlyDrafts) query = query.where("is_active", "=", 0);
	return query.returningAll().executeTakeFirst();
}

/** Removes a rule, or with `onlyDrafts` only a draft; undefined when the site has no such rule. */
export async function deleteRule(
	metadata: Metadata,
	{ siteId, id, onlyDrafts }: { readonly siteId: string; readonly id: number; readonly onlyDrafts: boolean },
): Promise<RuleRow | undefined> {
	let query = tables(metadata).deleteFrom("channel_rules").where("site_id", "=", siteId).where("id", "=", id);
	if (onlyDrafts) query = query.where("is_active", "=", 0);
	return query.returningAll().executeTakeFirst();
}

/** Removes all own rules of a site, or its drafts; answers how many. */
export async function deleteRules(metadata: Metadata, siteId: string, scope: "all" | "drafts"): Promise<number> {
	let query = tables(metadata).deleteFrom("channel_rules").where("site_id", "=", siteId);
	if (scope === "drafts") query = query.where("is_active", "=", 0);
	return (await query.returning("id").execute()).length;
}
