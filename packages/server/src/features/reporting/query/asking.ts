import type { Guard } from "../../../access/index.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { SegmentLookup } from "../stats/index.ts";

/** Dependencies of the routes with a query in their body. */
export interface QueryDeps {
	readonly eventStore: EventStore;
	readonly clock: Clock;
	readonly segments: SegmentLookup;
}

/** Questions about one site: any role, or a key with `stats:read`, which gets the reason of a refusal. */
export const asking: Extract<Guard, { kind: "site" }> = {
	kind: "site",
	siteFrom: "query",
	keyScope: "stats:read",
	role: "viewer",
	write: false,
	namesRefusals: true,
};
