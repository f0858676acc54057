import type { Condition } from "../../../analytics/catalog/filters.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";

/** Finds the conditions of a site's saved segment by its id or name; undefined if there is none. */
export type SegmentLookup = (siteId: string, idOrName: string) => Promise<Condition | undefined>;

/** Dependencies of reports. */
export interface StatsDeps {
	readonly eventStore: EventStore;
	readonly clock: Clock;
	readonly segments: SegmentLookup;
}
