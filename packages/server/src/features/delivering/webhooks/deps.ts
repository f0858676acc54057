import type { Row } from "../../../../migrations/metadata/tables/index.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import type { ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { GuardedFetch } from "../../../platform/outbound/guarded-fetch.ts";
import type { Mailer } from "../../../platform/outbound/mail/mailer.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import type { EventType } from "../domain-events/index.ts";

export interface WebhookDeps extends ChangeDeps, ServerSecrets {
	readonly jobs: Jobs;
	readonly mailer: Mailer;
	readonly guardedFetch: GuardedFetch;
}

export type EndpointRow = Row<"webhook_endpoints">;
export type DeliveryRow = Row<"webhook_deliveries">;

export const subscribedTo = (row: Pick<EndpointRow, "event_types">): EventType[] => JSON.parse(row.event_types);
