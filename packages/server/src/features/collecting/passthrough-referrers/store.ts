import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** The active referrers of the sites named, or of all. */
export async function listActiveReferrers(
	metadata: Metadata,
	siteIds: readonly string[] | undefined,
): Promise<Row<"passthrough_referrers">[]> {
	if (siteIds?.length === 0) return [];
	const query = tables(metadata).selectFrom("passthrough_referrers").selectAll().where("is_active", "=", 1);
	return (siteIds === undefined ? query : query.where("site_id", "in", siteIds)).execute();
}
