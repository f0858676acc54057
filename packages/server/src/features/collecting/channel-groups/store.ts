import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { SettingsLoader } from "../attribution-settings/index.ts";
import { toChannelRule } from "./rule.ts";

export type RuleRow = Row<"channel_rules">;
type NewRuleRow = Omit<RuleRow, "id">;

/** The rule that a change is for; with `onlyDrafts` a live rule is left alone. */
export interface Target {
	readonly siteId: string;
	readonly id: number;
	readonly onlyDrafts: boolean;
}

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

/** Reads the live rules of the sites named, or of all, for the collector; oldest first. */
export const loadChannelRules: SettingsLoader<"channelRules"> = async (metadata, siteIds) => {
	let query = tables(metadata).selectFrom("channel_rules").selectAll().where("is_active", "=", 1).orderBy("id");
	if (siteIds !== undefined) query = query.where("site_id", "in", siteIds);
	const bySite = Map.groupBy(await query.execute(), (row) => row.site_id);
	return new Map([...bySite].map(([siteId, rows]) => [siteId, rows.map(toChannelRule)]));
};

export const findRule = (metadata: Metadata, siteId: string, id: number): Promise<RuleRow | undefined> =>
	tables(metadata)
		.selectFrom("channel_rules")
		.selectAll()
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.executeTakeFirst();

export async function countRules(metadata: Metadata, siteId: string): Promise<number> {
	const { count } = await tables(metadata)
		.selectFrom("channel_rules")
		.select((query) => query.fn.countAll<number>().as("count"))
		.where("site_id", "=", siteId)
		.executeTakeFirstOrThrow();
	return Number(count);
}

export const insertRule = (metadata: Metadata, row: NewRuleRow): Promise<RuleRow> =>
	tables(metadata).insertInto("channel_rules").values(row).returningAll().executeTakeFirstOrThrow();

export async function updateRule(
	metadata: Metadata,
	{ siteId, id, onlyDrafts }: Target,
	changes: Partial<Omit<NewRuleRow, "site_id" | "created_at">>,
): Promise<RuleRow | undefined> {
	let query = tables(metadata)
		.updateTable("channel_rules")
		.set(changes)
		.where("site_id", "=", siteId)
		.where("id", "=", id);
	if (onlyDrafts) query = query.where("is_active", "=", 0);
	return query.returningAll().executeTakeFirst();
}

export async function deleteRule(metadata: Metadata, { siteId, id, onlyDrafts }: Target): Promise<RuleRow | undefined> {
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
