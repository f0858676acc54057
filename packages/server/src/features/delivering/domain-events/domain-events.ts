import type { JobContext, Jobs } from "../../../platform/jobs/jobs.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { EventData, EventType } from "./event-types.ts";

/** Something to announce, of one type. */
export type NewEvent = {
	readonly [Type in EventType]: { readonly type: Type; readonly siteId: string; readonly data: EventData[Type] };
}[EventType];

/** Something that happened at a site. */
export type DomainEvent = NewEvent & {
	/** Unique; the same in every delivery. */
	readonly id: string;
	/** Milliseconds since the epoch. */
	readonly occurredAt: number;
};

/**
 * Called for each event at least once, after its transaction has committed, so it must be idempotent. Writes without
 * other effects are best made at the end (`endWith`), once.
 */
export type EventListener = (event: DomainEvent, context: Pick<JobContext, "endWith">) => Promise<void>;

/** Most events a process publishes at a time. */
const CONCURRENCY = 16;

/** The way from slices where something happens to those that tell others of it. */
export interface DomainEvents {
	/** Stores an event with its change: listeners get it if the transaction commits, else never. */
	announce(trx: Metadata, event: NewEvent): Promise<void>;
	/** Adds a listener; each is told of every event. */
	listen(listener: EventListener): void;
}

/** The events of this service; they travel as jobs. */
export function createDomainEvents({ jobs, clock }: { readonly jobs: Jobs; readonly clock: Clock }): DomainEvents {
	const listeners: EventListener[] = [];
	const tell = async (event: DomainEvent, context: JobContext) => {
		for (const listener of listeners) await listener(event, context);
	};
	jobs.register("domain-event", tell, { concurrency: CONCURRENCY });
	return {
		announce: async (trx, event) => {
			const payload: DomainEvent = { ...event, id: uuid(), occurredAt: clock.now() };
			await jobs.enqueue(trx, { kind: "domain-event", payload });
		},
		listen: (listener) => void listeners.push(listener),
	};
}
