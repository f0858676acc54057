import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { GuardedFetch } from "../../../platform/outbound/guarded-fetch.ts";
import type { CountedHits } from "../../tenancy/sites/index.ts";
import type { DomainEvents } from "../domain-events/index.ts";
import type { SiteMailDeps } from "../mail-recipients/index.ts";

export interface AlertDeps extends SiteMailDeps {
	readonly eventStore: EventStore;
	readonly log: Log;
	readonly events: DomainEvents;
	/** The way to addresses that users name. */
	readonly outbound: Pick<GuardedFetch, "urlFault" | "send">;
	/** Hits of a site that were counted and refused in the last minutes. */
	readonly refused: CountedHits;
	/** True once every hit that was accepted before a moment, here or elsewhere, is in the event store; false when that takes too long. */
	readonly isCaughtUp: (until: number) => Promise<boolean>;
}
