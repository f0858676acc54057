import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { CountedHits, SiteRow } from "../../tenancy/sites/index.ts";
import type { SiteMailDeps } from "../mail-recipients/index.ts";

export interface LensDeps extends SiteMailDeps {
	readonly eventStore: EventStore;
	readonly log: Log;
	/** Hits of a site that were counted and refused in the last minutes. */
	readonly refused: CountedHits;
	/** True once every hit that was accepted before a moment, here or elsewhere, is in the event store; false when that takes too long. */
	readonly isCaughtUp: (until: number) => Promise<boolean>;
}

export type LensSite = Pick<SiteRow, "id" | "timezone">;
