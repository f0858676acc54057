import type { Clock } from "../../../platform/lib/clock.ts";
import type { AttributionChangeDeps } from "../attribution-settings/index.ts";

/** What changing passthrough referrers needs. */
export interface PassthroughDeps extends AttributionChangeDeps {
	readonly clock: Clock;
}
