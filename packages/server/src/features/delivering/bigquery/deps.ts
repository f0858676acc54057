import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export interface BigQueryDeps extends ServerSecrets {
	readonly metadata: Metadata;
	/** The stored events: figures that leave the house are not taken from kept answers. */
	readonly eventStore: EventStore;
	readonly clock: Clock;
	readonly log: Log;
	readonly jobs: Jobs;
	/** The operator's replacement for Google's hosts. */
	readonly bigqueryUrl: string | undefined;
}
