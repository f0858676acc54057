import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { SiteDirectory } from "../sites/index.ts";

/** What this slice needs. */
export interface BlocklistDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	/** Refreshed after each change, so that the collector knows it. */
	readonly sites: Pick<SiteDirectory, "refresh">;
}
