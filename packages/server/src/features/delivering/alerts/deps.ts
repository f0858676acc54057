import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { GuardedFetch } from "../../../platform/outbound/guarded-fetch.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { CountedHits, SiteDirectory } from "../../tenancy/sites/index.ts";
import type { DomainEvents } from "../domain-events/index.ts";
import type { LinkDeps } from "../mail-recipients/index.ts";
import type { FirstHitCache } from "./first-hit-cache.ts";

/** Dependencies of alerts. */
export interface AlertDeps extends LinkDeps {
	readonly metadata: Metadata;
	readonly eventStore: EventStore;
	readonly clock: Clock;
	readonly log: Log;
	readonly jobs: Jobs;
	readonly mailer: Mailer;
	readonly events: DomainEvents;
	/** The way to addresses that users name. */
	readonly outbound: Pick<GuardedFetch, "urlFault" | "send">;
	readonly sites: Pick<SiteDirectory, "get">;
	/** Hits of a site that were counted and refused in the last minutes. */
	readonly refused: CountedHits;
	/** True once every hit that was accepted before a moment, here or elsewhere, is in the event store; false when that takes too long. */
	readonly isCaughtUp: (until: number) => Promise<boolean>;
}

/** Additional dependencies of reading values. */
export interface EvaluationDeps extends AlertDeps {
	readonly firstHits: FirstHitCache;
}
