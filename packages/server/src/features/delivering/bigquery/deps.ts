import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";

export interface BigQueryDeps extends ChangeDeps, ServerSecrets {
	/** The stored events: figures that leave the house are not taken from kept answers. */
	readonly eventStore: EventStore;
	readonly log: Log;
	readonly jobs: Jobs;
	/** The operator's replacement for Google's hosts. */
	readonly bigqueryUrl: string | undefined;
}
