import type { SiteAddressPolicy } from "../../../access/index.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { FileStore } from "../../../platform/files/file-store.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import type { DomainEvents } from "../domain-events/index.ts";

export interface ExportDeps extends ChangeDeps, ServerSecrets {
	readonly eventStore: EventStore;
	readonly log: Log;
	readonly jobs: Jobs;
	readonly files: FileStore;
	/** Most bytes that files may take, those of all sites together. */
	readonly maxBytes: number;
	readonly events: DomainEvents;
	readonly rootUrl: string;
	readonly siteAddresses: SiteAddressPolicy;
}
