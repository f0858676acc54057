import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { GrantEnding } from "../../people/auth/index.ts";
import type { OrganizationEnding } from "../organizations/index.ts";
import type { SiteDirectory } from "../sites/index.ts";

export interface UserAdministrationDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
}

export interface ErasingDeps extends UserAdministrationDeps {
	/** Refreshed after a deletion, as sites may have ended. */
	readonly sites: Pick<SiteDirectory, "refresh">;
	/** Data that is deleted with an organization. */
	readonly endings: readonly OrganizationEnding[];
	readonly endGrantsOf: GrantEnding;
}
