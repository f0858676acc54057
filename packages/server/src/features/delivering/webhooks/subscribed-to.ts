import type { EventType } from "../domain-events/index.ts";
import type { EndpointRow } from "./webhook-tables.ts";

/** The events that an endpoint wants. */
export const subscribedTo = (row: Pick<EndpointRow, "event_types">): EventType[] => JSON.parse(row.event_types);
