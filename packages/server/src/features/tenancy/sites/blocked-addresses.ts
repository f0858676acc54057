import { parseIpOrRange } from "../../../platform/lib/ip-address.ts";
import { type IpRangeIndex, indexIpRanges } from "../../../platform/lib/ip-range-index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { activeBlocks } from "./facts-store.ts";

/** The addresses that each of the sites has blocked; sites without any are left out. */
export async function readBlockedAddresses(
	metadata: Metadata,
	siteIds: readonly string[],
): Promise<ReadonlyMap<string, IpRangeIndex<true>>> {
	const rows = await activeBlocks(metadata, siteIds);
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
