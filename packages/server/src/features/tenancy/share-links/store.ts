import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { ShareList } from "../../../access/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { siteRecords } from "../site-collections/index.ts";

export type LinkRow = Row<"share_links">;

export const links = siteRecords("share_links");

/** Lists that a link shows beside the overview. */
export const listsOf = ({ lists }: Pick<LinkRow, "lists">): ShareList[] => JSON.parse(lists) as ShareList[];

/** The origins whose pages may frame what it shows. */
export const originsOf = ({ embed_origins }: Pick<LinkRow, "embed_origins">): string[] =>
	JSON.parse(embed_origins) as string[];

export type LinkFields = Pick<
	LinkRow,
	"name" | "password_hash" | "segment_id" | "lists" | "may_filter" | "embed_origins" | "expires_at" | "is_active"
>;

export type LinkToken = Pick<LinkRow, "token_hash" | "token_prefix" | "sealed_token">;

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

/** Changes a link of a site, which ends the bearers that were given by it; undefined when the site has none of this id. */
export const updateLink = (
	metadata: Metadata,
	{ siteId, id, nowMs }: { readonly siteId: string; readonly id: string; readonly nowMs: number },
	fields: Partial<LinkFields & LinkToken>,
): Promise<LinkRow | undefined> =>
	tables(metadata)
		.updateTable("share_links")
		.set((query) => ({ ...fields, generation: query("generation", "+", 1), updated_at: nowMs }))
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.returningAll()
		.executeTakeFirst();

export async function countView(metadata: Metadata, id: string, nowMs: number): Promise<void> {
	await tables(metadata)
		.updateTable("share_links")
		.set((query) => ({ views: query("views", "+", 1), last_seen_at: nowMs }))
		.where("id", "=", id)
		.execute();
}
