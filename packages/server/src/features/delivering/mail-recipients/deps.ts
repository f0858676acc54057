import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { SiteDirectory } from "../../tenancy/sites/index.ts";

/** Dependencies of links in mails. */
export interface LinkDeps extends ServerSecrets {
	/** The address that links in mails lead to. */
	readonly rootUrl: string;
}

/** Dependencies of asking external recipients. */
export interface AskDeps extends LinkDeps {
	readonly clock: Clock;
	readonly mailer: Mailer;
	readonly sites: Pick<SiteDirectory, "get">;
}

/** Dependencies of a link's page and of maintenance. */
export interface RecipientPageDeps extends LinkDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly sites: Pick<SiteDirectory, "get">;
	readonly jobs: Jobs;
}
