/** Domain events: exports and alerts publish them, webhooks subscribe. */

import type { JobContext, Jobs } from "../../../platform/jobs/jobs.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

type AlertSeverity = "info" | "warning" | "critical";

/** Moments of an example. */
function momentsAt(nowMs: number) {
	const at = (hours: number) => timestamp(nowMs + hours * HOUR_MS);
	return { now: at(0), hourAgo: at(-1), dayAgo: at(-24), tomorrow: at(24) };
}
type Moments = ReturnType<typeof momentsAt>;

/** The id of an export in events is its `job_id`. */
const exportOfSample = { export_id: "00000000-0000-4000-8000-000000000000", export_type: "pages" as string };

/** Every event with its description, in the order of the documentation, and an example of its data, which has the form of all. */
const known = {
	"alert.triggered": {
		name: "Alert Triggered",
		description: "An alert rule found something out of the ordinary",
		sample: (at: Moments) => ({
			alert_id: 1,
			rule_name: "Sample: traffic drop",
			severity: "warning" as AlertSeverity,
			message: "Page views: 380 in the last hour, 1000 expected (-62 %)",
			metric: "pageviews",
			current_value: 380,
			expected_value: 1000,
			threshold_percent: 50,
			triggered_at: at.now,
		}),
	},
	"alert.resolved": {
		name: "Alert Resolved",
		description: "The condition of an alert is over",
		sample: (at: Moments) => ({
			alert_id: 1,
			rule_name: "Sample: traffic drop",
			severity: "warning" as AlertSeverity,
			metric: "pageviews",
			current_value: 980,
			expected_value: 1000,
			triggered_at: at.hourAgo,
			resolved_at: at.now,
		}),
	},
	"export.completed": {
		name: "Export Completed",
		description: "The file of an export is ready",
		sample: (at: Moments) => ({
			...exportOfSample,
			row_count: 1234,
			file_size_bytes: 56_789,
			download_url: "https://stats.example/api/v1/exports/download/sample",
			expires_at: at.tomorrow,
		}),
	},
	"export.failed": {
		name: "Export Failed",
		description: "An export ended without a file",
		sample: (at: Moments) => ({
			...exportOfSample,
			error_message: "Sample: the export took too long",
			failed_at: at.now,
		}),
	},
	"goal.reached": {
		name: "Goal Reached",
		description: "A goal was reached in its period",
		sample: (at: Moments) => ({
			/** Id of the rule. */
			goal_id: 1,
			goal_name: "Sample: 100 sign-ups a week",
			metric: "conversions",
			conversion_type: "signup" as string | null,
			target_value: 100,
			current_value: 100,
			period_start: at.dayAgo,
			reached_at: at.now,
		}),
	},
};

/** The name of an event. */
export type EventType = keyof typeof known;

/** An example of an event's data; times are ISO 8601 UTC with milliseconds. */
export const sampleOf = (type: EventType, nowMs: number): object => known[type].sample(momentsAt(nowMs));

/** The names of all events. */
export const eventTypes = Object.keys(known) as EventType[];

/** Every event as it is shown to people. */
export const describedEvents = eventTypes.map((type) => {
	const { name, description } = known[type];
	return { type, name, description };
});

/** Something to announce, of one type. */
type NewEvent = {
	readonly [Type in EventType]: {
		readonly type: Type;
		readonly siteId: string;
		readonly data: Readonly<ReturnType<(typeof known)[Type]["sample"]>>;
	};
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
