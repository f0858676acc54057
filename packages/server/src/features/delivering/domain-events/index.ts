/** Domain events: what happens at a site and is told to others. Exports and alerts announce, webhooks listen. */

export { createDomainEvents, type DomainEvent, type DomainEvents } from "./domain-events.ts";
export { describedEvents, type EventData, type EventType, eventTypes } from "./event-types.ts";
