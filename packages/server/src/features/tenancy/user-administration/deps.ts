import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import type { GrantEnding } from "../../people/auth/index.ts";
import type { OrganizationEnding } from "../organizations/index.ts";
import type { SiteDirectory } from "../sites/index.ts";

export interface ErasingDeps extends ChangeDeps {
	/** Refreshed after a deletion, as sites may have ended. */
	readonly sites: Pick<SiteDirectory, "refresh">;
	/** Data that is deleted with an organization. */
	readonly endings: readonly OrganizationEnding[];
	readonly endGrantsOf: GrantEnding;
}
