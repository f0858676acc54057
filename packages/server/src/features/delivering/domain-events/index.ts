/** Domain events: exports and alerts publish them, webhooks subscribe. */

import type { JobContext, Jobs } from "../../../platform/jobs/jobs.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** Data of each event; times are ISO 8601 UTC with milliseconds. */
export interface EventData {
	readonly "alert.triggered": {
		readonly alert_id: number;
		readonly rule_name: string;
		readonly severity: AlertSeverity;
		readonly message: string;
		readonly metric: string;
		readonly current_value: number;
		readonly expected_value: number;
		readonly threshold_percent: number;
		readonly triggered_at: string;
	};
	readonly "alert.resolved": {
		readonly alert_id: number;
		readonly rule_name: string;
		readonly severity: AlertSeverity;
		readonly metric: string;
		readonly current_value: number;
		readonly expected_value: number;
		readonly triggered_at: string;
		readonly resolved_at: string;
	};
	readonly "export.completed": {
		/** The `job_id`. */
		readonly export_id: string;
		readonly export_type: string;
		readonly row_count: number;
		readonly file_size_bytes: number;
		readonly download_url: string;
		readonly expires_at: string;
	};
	readonly "export.failed": {
		/** The `job_id`. */
		readonly export_id: string;
		readonly export_type: string;
		readonly error_message: string;
		readonly failed_at: string;
	};
	readonly "goal.reached": {
		/** Id of the rule. */
		readonly goal_id: number;
		readonly goal_name: string;
		readonly metric: string;
		readonly conversion_type: string | null;
		readonly target_value: number;
		readonly current_value: number;
		readonly period_start: string;
		readonly reached_at: string;
	};
}

type AlertSeverity = "info" | "warning" | "critical";

/** The name of an event. */
export type EventType = keyof EventData;

/** Every event with its description, in the order of the documentation. */
const known = {
	"alert.triggered": { name: "Alert Triggered", description: "An alert rule found something out of the ordinary" },
	"alert.resolved": { name: "Alert Resolved", description: "The condition of an alert is over" },
	"export.completed": { name: "Export Completed", description: "The file of an export is ready" },
	"export.failed": { name: "Export Failed", description: "An export ended without a file" },
	"goal.reached": { name: "Goal Reached", description: "A goal was reached in its period" },
} as const satisfies Record<EventType, { name: string; description: string }>;

/** The names of all events. */
export const eventTypes = Object.keys(known) as EventType[];

/** Every event as it is shown to people. */
export const describedEvents: readonly { type: EventType; name: string; description: string }[] = eventTypes.map(
	(type) => ({ type, ...known[type] }),
);

/** Something to announce, of one type. */
type NewEvent = {
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
type EventListener = (event: DomainEvent, context: Pick<JobContext, "endWith">) => Promise<void>;

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

/** The JSON that receivers of an event get. */
export const eventBody = ({
	id,
	type,
	siteId,
	occurredAt,
	data,
}: Pick<DomainEvent, "id" | "type" | "siteId" | "occurredAt"> & { readonly data: object }): string =>
	JSON.stringify({ event: type, event_id: id, timestamp: timestamp(occurredAt), account_id: siteId, data });
