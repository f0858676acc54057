import type { Clock } from "../../../platform/lib/clock.ts";
import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export interface ShareLinkDeps extends ServerSecrets {
	readonly metadata: Metadata;
	readonly clock: Clock;
	/** The address that shared links lead to. */
	readonly rootUrl: string;
	/** The id of a site's segment, by its id or name; undefined when there is none. */
	readonly segmentIdOf: (siteId: string, idOrName: string) => Promise<string | undefined>;
}
