import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { ShareList } from "../../../access/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export type LinkRow = Row<"share_links">;

export const links = tableOf("share_links");

/** Lists that a link shows beside the overview. */
export const listsOf = ({ lists }: Pick<LinkRow, "lists">): ShareList[] => JSON.parse(lists) as ShareList[];

/** The origins whose pages may frame what it shows. */
export const originsOf = ({ embed_origins }: Pick<LinkRow, "embed_origins">): string[] =>
	JSON.parse(embed_origins) as string[];

/** A link by the hash of its token, with the public facts of its site; undefined when it or its site is inactive or deleted. */
export const findLinkByToken = (metadata: Metadata, tokenHash: string) =>
	tables(metadata)
		.selectFrom("share_links")
		.innerJoin("sites", "sites.id", "share_links.site_id")
		.innerJoin("organizations", "organizations.id", "sites.organization_id")
		.selectAll("share_links")
		.select(["sites.name as siteName", "sites.timezone", "sites.currency"])
		.where("share_links.token_hash", "=", tokenHash)
		.where("share_links.is_active", "=", 1)
		.where("sites.is_active", "=", 1)
		.where("organizations.is_active", "=", 1)
		.executeTakeFirst();

export async function countView(metadata: Metadata, id: string, nowMs: number): Promise<void> {
	await tables(metadata)
		.updateTable("share_links")
		.set((query) => ({ views: query("views", "+", 1), last_seen_at: nowMs }))
		.where("id", "=", id)
		.execute();
}
