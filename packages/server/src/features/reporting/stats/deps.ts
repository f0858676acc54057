import type { Condition } from "../../../analytics/catalog/filters.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";

/** What a saved segment of a site chooses, by its id or name; undefined when there is none. */
export type SegmentLookup = (siteId: string, idOrName: string) => Promise<Condition | undefined>;

/** What reports need. */
export interface StatsDeps {
	readonly eventStore: EventStore;
	readonly clock: Clock;
	readonly segments: SegmentLookup;
}
