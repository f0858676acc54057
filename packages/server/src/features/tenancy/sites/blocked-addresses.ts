import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { parseIpOrRange } from "../../../platform/lib/ip-address.ts";
import { type IpRangeIndex, indexIpRanges } from "../../../platform/lib/ip-range-index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** The addresses that each of the sites has blocked; sites without any are left out. */
export async function readBlockedAddresses(
	metadata: Metadata,
	siteIds: readonly string[],
): Promise<ReadonlyMap<string, IpRangeIndex<true>>> {
	const rows = await tables(metadata)
		.selectFrom("blocklist_entries")
		.select(["site_id", "ip_or_cidr"])
		.where("site_id", "in", siteIds)
		.where("is_active", "=", 1)
		.orderBy("id")
		.execute();
	return new Map(
		[...Map.groupBy(rows, (row) => row.site_id)].map(([siteId, entries]) => [
			siteId,
			indexIpRanges(
				entries.flatMap(({ ip_or_cidr: text }) => {
					const range = parseIpOrRange(text);
					return range === undefined ? [] : [[range, true] as const];
				}),
			),
		]),
	);
}
