import type { EventRevisions } from "../analytics/query/engine/event-revisions.ts";
import type { DomainEvents } from "../features/delivering/domain-events/index.ts";
import type { ReadyConfig } from "../platform/config/secret-key.ts";
import type { EventStore } from "../platform/event-store/event-store.ts";
import type { FileStore } from "../platform/files/file-store.ts";
import type { App } from "../platform/http/app.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { Clock } from "../platform/lib/clock.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import type { GuardedFetch, GuardedFetchOptions } from "../platform/outbound/guarded-fetch.ts";
import type { Mailer } from "../platform/outbound/mail/mailer.ts";

/** Everything that the service is made of. */
export interface AppDeps {
	readonly config: ReadyConfig;
	readonly clock: Clock;
	readonly log: App["log"];
	readonly metadata: Metadata;
	readonly eventStore: EventStore;
	/** Those of the event store. */
	readonly revisions: EventRevisions;
	/** How servers that users name are reached, where it differs from the usual: for tests. */
	readonly outbound?: Partial<GuardedFetchOptions>;
	/** Checks each answer against its declared schema: for tests. */
	readonly checkResponses?: boolean;
}

/** What routes are made of. */
export interface RouteDeps extends AppDeps {
	readonly jobs: Jobs;
	readonly mailer: Mailer;
	/** What happens at sites, for those who tell others. */
	readonly events: DomainEvents;
	/** The files of exports. */
	readonly files: FileStore;
	/** The way to servers that users name. */
	readonly guardedFetch: GuardedFetch;
	/** The address that links in mails lead to. */
	readonly rootUrl: string;
}
