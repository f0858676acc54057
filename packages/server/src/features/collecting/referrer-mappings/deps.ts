import type { Clock } from "../../../platform/lib/clock.ts";
import type { AttributionChangeDeps } from "../attribution-settings/index.ts";

/** What changing referrer mappings needs. */
export interface MappingDeps extends AttributionChangeDeps {
	readonly clock: Clock;
}
