/** Domain events: exports and alerts publish them, webhooks subscribe. */

export { createDomainEvents, type DomainEvent, type DomainEvents } from "./domain-events.ts";
export { describedEvents, type EventData, type EventType, eventTypes } from "./event-types.ts";
