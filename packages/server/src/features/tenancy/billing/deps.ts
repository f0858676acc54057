import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { SiteDirectory } from "../sites/index.ts";

/** What counting events needs. */
export interface UsageDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly eventStore: Pick<EventStore, "query">;
	readonly sites: Pick<SiteDirectory, "ofOrganization" | "refresh">;
}

/** What telling of it needs. */
export interface WatchDeps extends UsageDeps {
	readonly mailer: Pick<Mailer, "queue">;
	/** The address that links in mails lead to. */
	readonly rootUrl: string;
}
