import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Log } from "../../../platform/log/log.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { SiteDirectory } from "../../tenancy/sites/index.ts";

/** Dependencies of mail reports. */
export interface MailReportDeps extends ServerSecrets {
	readonly metadata: Metadata;
	readonly eventStore: EventStore;
	readonly clock: Clock;
	readonly log: Log;
	readonly jobs: Jobs;
	readonly mailer: Mailer;
	readonly sites: Pick<SiteDirectory, "get">;
	/** The address that links in mails lead to. */
	readonly rootUrl: string;
}
