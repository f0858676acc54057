import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { inChunks } from "../../../platform/metadata/in-chunks.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** A domain as stored. */
export type DomainRow = Row<"site_domains">;

/** Domains of the sites, oldest first. */
export async function listDomains(metadata: Metadata, siteIds: readonly string[]): Promise<DomainRow[]> {
	const rows = await inChunks(siteIds, (some) =>
		tables(metadata).selectFrom("site_domains").selectAll().where("site_id", "in", some).execute(),
	);
	return rows.sort((a, b) => a.id - b.id);
}

/** Adds a domain; undefined when the site has it already. */
export const insertDomain = (
	metadata: Metadata,
	siteId: string,
	domain: string,
	nowMs: number,
): Promise<DomainRow | undefined> =>
	tables(metadata)
		.insertInto("site_domains")
		.values({ site_id: siteId, domain, is_active: 1, created_at: nowMs })
		.onConflict((conflict) => conflict.columns(["site_id", "domain"]).doNothing())
		.returningAll()
		.executeTakeFirst();

/** Removes a domain; undefined when the site does not have it. */
export const deleteDomain = (metadata: Metadata, siteId: string, domain: string): Promise<DomainRow | undefined> =>
	tables(metadata)
		.deleteFrom("site_domains")
		.where("site_id", "=", siteId)
		.where("domain", "=", domain)
		.returningAll()
		.executeTakeFirst();
