import type { Row } from "../../../../migrations/metadata/tables/index.ts";
import type { EventType } from "../domain-events/index.ts";

/** How far a delivery has come. */
export type DeliveryStatus = DeliveryRow["status"];

/** Why an attempt failed. */
export type DeliveryErrorType = NonNullable<AttemptRow["error_type"]>;

/** An endpoint as stored. */
export type EndpointRow = Row<"webhook_endpoints">;
/** A delivery as stored. */
export type DeliveryRow = Row<"webhook_deliveries">;
/** An attempt as stored. */
export type AttemptRow = Row<"webhook_attempts">;

/** The events that an endpoint wants. */
export const subscribedTo = (row: Pick<EndpointRow, "event_types">): EventType[] => JSON.parse(row.event_types);
