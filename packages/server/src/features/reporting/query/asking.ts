import type { Guard } from "../../../access/index.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { SegmentLookup } from "../stats/index.ts";

/** What the routes that take a question in their body need. */
export interface QueryDeps {
	readonly eventStore: EventStore;
	readonly clock: Clock;
	readonly segments: SegmentLookup;
}

/** Questions about one site: any role, or a key with `stats:read`, which is told why it is refused. */
export const asking: Extract<Guard, { kind: "site" }> = {
	kind: "site",
	siteFrom: "query",
	keyScope: "stats:read",
	role: "viewer",
	write: false,
	namesRefusals: true,
};
