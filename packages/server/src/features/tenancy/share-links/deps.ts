import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";

export interface ShareLinkDeps extends ChangeDeps, ServerSecrets {
	/** The address that shared links lead to. */
	readonly rootUrl: string;
	/** The id of a site's segment, by its id or name; undefined when there is none. */
	readonly segmentIdOf: (siteId: string, idOrName: string) => Promise<string | undefined>;
}
