import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { GuardedFetch } from "../../../platform/outbound/guarded-fetch.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";

/** Dependencies of webhooks. */
export interface WebhookDeps extends ServerSecrets {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly jobs: Jobs;
	readonly mailer: Mailer;
	readonly guardedFetch: GuardedFetch;
}
