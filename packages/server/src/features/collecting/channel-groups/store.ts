import type { Row } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export type RuleRow = Row<"channel_rules">;

export const channelRules = tableOf("channel_rules");

/** The rule that a change is for; with `onlyDrafts` a live rule is left alone. */
export interface Target {
	readonly site: { readonly id: string };
	readonly id: number;
	readonly onlyDrafts: boolean;
}

/** Own rules of a site in the order in which they are asked: falling priority, the older one first on a tie. */
export const listRules = (
	metadata: Metadata,
	siteId: string,
	{ includeInactive }: { readonly includeInactive: boolean },
): Promise<RuleRow[]> =>
	channelRules.list(metadata, { site_id: siteId, ...(!includeInactive && { is_active: 1 }) }, "priority desc", "id");

/** The condition of a change. */
export const whereOf = ({ site, id, onlyDrafts }: Target) => ({
	site_id: site.id,
	id,
	...(onlyDrafts && { is_active: 0 as const }),
});

/** Removes all own rules of a site, or its drafts; answers how many. */
export async function deleteRules(metadata: Metadata, siteId: string, scope: "all" | "drafts"): Promise<number> {
	const where = { site_id: siteId, ...(scope === "drafts" && { is_active: 0 }) };
	return (await channelRules.deleteAll(metadata, where)).length;
}
