import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { SiteDirectory } from "../../tenancy/sites/index.ts";

/** What links in mails are made and read with. */
export interface LinkDeps extends ServerSecrets {
	/** The address that links in mails lead to. */
	readonly rootUrl: string;
}

/** What asking people needs. */
export interface AskDeps extends LinkDeps {
	readonly clock: Clock;
	readonly mailer: Mailer;
	readonly sites: Pick<SiteDirectory, "get">;
}

/** What the page of a link, and the upkeep, stand on. */
export interface RecipientPageDeps extends LinkDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly sites: Pick<SiteDirectory, "get">;
	readonly jobs: Jobs;
}
