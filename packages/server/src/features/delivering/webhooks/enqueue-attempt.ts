import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { WebhookDeps } from "./deps.ts";
import type { DeliveryRow } from "./webhook-tables.ts";

/**
 * Two queues: what is sent for the first time, and what was sent in vain or goes to a receiver that fails at present.
 * Receivers that hang fill only the second.
 */
export const queues = { fresh: "webhook-delivery", troubled: "webhook-retry" } as const;

/** The name of a queue. */
export type Queue = keyof typeof queues;

/** The n-th attempt at a delivery, named by its row id. */
export interface AttemptJob {
	readonly delivery: number;
	readonly attempt: number;
}

/** Stores the wish for an attempt; each is made once, whoever asks for it. */
export async function enqueueAttempt(
	{ jobs }: Pick<WebhookDeps, "jobs">,
	trx: Metadata,
	{ id, endpoint_id: lane }: Pick<DeliveryRow, "id" | "endpoint_id">,
	{ attempt, runAt, queue = attempt === 1 ? "fresh" : "troubled" }: { attempt: number; runAt?: number; queue?: Queue },
): Promise<void> {
	const payload: AttemptJob = { delivery: id, attempt };
	await jobs.enqueue(trx, {
		kind: queues[queue],
		payload,
		lane,
		uniqueKey: `${id}:${attempt}`,
		...(runAt !== undefined && { runAt }),
	});
}
