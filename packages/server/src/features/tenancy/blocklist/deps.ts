import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { SiteDirectory } from "../sites/index.ts";

/** Dependencies of this slice. */
export interface BlocklistDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	/** Refreshed after each change, so that the collector knows it. */
	readonly sites: Pick<SiteDirectory, "refresh">;
}
