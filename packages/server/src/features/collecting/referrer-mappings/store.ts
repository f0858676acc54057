import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** The active mappings of the sites named, or of all, oldest first. */
export async function listActiveMappings(
	metadata: Metadata,
	siteIds: readonly string[] | undefined,
): Promise<Row<"referrer_mappings">[]> {
	if (siteIds?.length === 0) return [];
	const query = tables(metadata).selectFrom("referrer_mappings").selectAll().where("is_active", "=", 1).orderBy("id");
	return (siteIds === undefined ? query : query.where("site_id", "in", siteIds)).execute();
}
