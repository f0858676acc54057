import { findSegment } from "../../features/reporting/segments/index.ts";
import type { Metadata } from "../../platform/metadata/metadata.ts";

/** The ids of sites' segments by id or name, for those who keep one. */
export const segmentIdsOf =
	(metadata: Metadata) =>
	async (siteId: string, idOrName: string): Promise<string | undefined> =>
		(await findSegment({ metadata }, siteId, idOrName))?.id;
