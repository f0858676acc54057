import { timestamp } from "../../../../platform/lib/timestamp.ts";
import type { EventType } from "../../domain-events/index.ts";

interface Told {
	readonly id: string;
	readonly type: EventType;
	readonly siteId: string;
	readonly occurredAt: number;
	readonly data: object;
}

/** The body that a receiver gets for an event. */
export const eventPayload = ({ id, type, siteId, occurredAt, data }: Told): string =>
	JSON.stringify({
		event: type,
		event_id: id,
		timestamp: timestamp(occurredAt),
		account_id: siteId,
		data,
	});
