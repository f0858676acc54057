import type { NewJob } from "../../../../platform/jobs/jobs.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { DeliveryRow, WebhookDeps } from "../deps.ts";
import { findOrganizationId } from "../endpoints/endpoints-store.ts";

/**
 * Two queues: first attempts, and retries or deliveries to an endpoint that currently fails. Hanging endpoints only
 * fill the second.
 */
export const queues = { fresh: "webhook-delivery", troubled: "webhook-retry" } as const;

export type Queue = keyof typeof queues;

/** The n-th attempt at a delivery, named by its row id. */
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
