import type { GuardedFetch } from "../../../platform/outbound/guarded-fetch.ts";
import type { DomainEvents } from "../domain-events/index.ts";
import type { WatchDeps } from "../mail-recipients/index.ts";

export interface AlertDeps extends WatchDeps {
	readonly events: DomainEvents;
	/** The way to addresses that users name. */
	readonly outbound: Pick<GuardedFetch, "urlFault" | "send">;
}
