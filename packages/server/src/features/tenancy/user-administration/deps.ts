import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** What this slice needs. */
export interface UserAdministrationDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
}
