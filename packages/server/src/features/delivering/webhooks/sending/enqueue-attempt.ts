import type { NewJob } from "../../../../platform/jobs/jobs.ts";
import { HOUR_MS, MINUTE_MS } from "../../../../platform/lib/durations.ts";
import { uuid } from "../../../../platform/lib/ids.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { DeliveryRow, WebhookDeps } from "../deps.ts";
import { findOrganizationId } from "../endpoints/endpoints-store.ts";

export const newDelivery = (
	told: Pick<DeliveryRow, "endpoint_id" | "event_id" | "event_type" | "payload">,
	nowMs: number,
) => ({
	endpoint_id: told.endpoint_id,
	event_id: told.event_id,
	event_type: told.event_type,
	payload: told.payload,
	delivery_id: uuid(),
	payload_size_bytes: Buffer.byteLength(told.payload),
	max_attempts: MAX_ATTEMPTS,
	status: "pending" as const,
	attempt_number: 0,
	response_headers: "{}",
	created_at: nowMs,
});

/** When attempts are made, counted from the first. */
const offsets = [0, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS] as const;
/** Each comes later by a random part of up to this much, so that a receiver that comes back is not run over. */
const SPREAD = 0.2;
/** An attempt that came late, or was put off by the receiver, does not bring the next ones on its heels. */
const LEAST_GAP_MS = MINUTE_MS;
const MOST_PUT_OFF_MS = 2 * HOUR_MS;

const MAX_ATTEMPTS = offsets.length;

/** When to try again after the n-th attempt; undefined when that was the last. */
export function nextAttemptAt(
	attempt: number,
	times: { readonly firstAt: number; readonly lastAt: number; readonly putOffMs: number },
): number | undefined {
	const offset = offsets[attempt];
	if (offset === undefined) return undefined;
	const planned = times.firstAt + Math.round(offset * (1 + SPREAD * Math.random()));
	return Math.max(planned, times.lastAt + LEAST_GAP_MS, times.lastAt + times.putOffMs);
}

/** Milliseconds that a receiver asks to wait (`Retry-After`, RFC 9110, 10.2.3), 2 hours at most; 0 for what is none. */
export function putOffMs(retryAfter: string | undefined, nowMs: number): number {
	if (retryAfter === undefined) return 0;
	const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - nowMs;
	return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), MOST_PUT_OFF_MS);
}

/**
 * Two queues: first attempts, and retries or deliveries to an endpoint that currently fails. Hanging endpoints only
 * fill the second.
 */
export const queues = { fresh: "webhook-delivery", troubled: "webhook-retry" } as const;

export type Queue = keyof typeof queues;

export interface AttemptJob {
	readonly delivery: number;
	readonly attempt: number;
}

type Awaiting = Pick<DeliveryRow, "id" | "endpoint_id">;

interface Wish {
	readonly attempt: number;
	readonly runAt?: number;
	readonly queue?: Queue;
}

/** The job that makes an attempt; each attempt is made once, whichever process enqueues it. Lanes of an organization are a group. */
export function attemptJob(
	organizationId: string,
	{ id, endpoint_id: endpointId }: Awaiting,
	{ attempt, runAt, queue }: Wish,
): NewJob {
	const payload: AttemptJob = { delivery: id, attempt };
	const lane = `${organizationId}/${endpointId}`;
	const kind = queues[queue ?? (attempt === 1 ? "fresh" : "troubled")];
	return { kind, payload, lane, uniqueKey: `${id}:${attempt}`, ...(runAt !== undefined && { runAt }) };
}

export async function enqueueAttempt(
	{ jobs }: Pick<WebhookDeps, "jobs">,
	trx: Metadata,
	delivery: Awaiting,
	wish: Wish,
): Promise<void> {
	const organizationId = await findOrganizationId(trx, delivery.endpoint_id);
	if (organizationId !== undefined) await jobs.enqueue(trx, attemptJob(organizationId, delivery, wish));
}
