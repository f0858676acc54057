import type { Row } from "../../../../migrations/metadata/tables/index.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { GuardedFetch } from "../../../platform/outbound/guarded-fetch.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { EventType } from "../domain-events/index.ts";

export interface WebhookDeps extends ServerSecrets {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly jobs: Jobs;
	readonly mailer: Mailer;
	readonly guardedFetch: GuardedFetch;
}

export type DeliveryStatus = DeliveryRow["status"];

export type DeliveryErrorType = NonNullable<AttemptRow["error_type"]>;

export type EndpointRow = Row<"webhook_endpoints">;
export type DeliveryRow = Row<"webhook_deliveries">;
export type AttemptRow = Row<"webhook_attempts">;

export const subscribedTo = (row: Pick<EndpointRow, "event_types">): EventType[] => JSON.parse(row.event_types);
