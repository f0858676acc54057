import { uuid } from "../../../../platform/lib/ids.ts";
import type { EventType } from "../../domain-events/index.ts";
import { insertAttempt, insertDeliveries } from "../deliveries/deliveries-store.ts";
import { newDelivery } from "../deliveries/new-delivery.ts";
import { attemptOf, outcomeColumns } from "../deliveries/note-attempt.ts";
import type { WebhookDeps } from "../deps.ts";
import { eventPayload } from "../sending/event-payload.ts";
import { type Outcome, sendAttempt } from "../sending/send-attempt.ts";
import type { DeliveryRow, EndpointRow } from "../webhook-tables.ts";
import { type EndpointChange, requireWebhooks } from "./endpoint-change.ts";
import { updateEndpoint } from "./endpoints-store.ts";
import { getEndpoint } from "./find-endpoint.ts";
import { testData } from "./sample-data.ts";

/** Result of a test. */
interface TestResult {
	readonly deliveryId: string;
	readonly outcome: Outcome;
	readonly isVerified: boolean;
}

/**
 * Sends a signed event that says that it is a test, once, and waits for the answer. A good one verifies the endpoint and ends
 * its record of failures; a bad one does not count among them. Throws `not_found`, and `forbidden` when the plan has no webhooks.
 */
export async function testEndpoint(
	deps: WebhookDeps,
	{ siteId, organizationId }: EndpointChange,
	id: string,
	{ type, withSample }: { readonly type: EventType; readonly withSample: boolean },
): Promise<TestResult> {
	const { metadata, clock } = deps;
	const endpoint = await getEndpoint(metadata, siteId, id);
	await requireWebhooks(metadata, organizationId);
	const atMs = clock.now();
	const eventId = uuid();
	const data = testData(type, { withSample, nowMs: atMs });
	const payload = eventPayload({ id: eventId, type, siteId, occurredAt: atMs, data });
	const told = newDelivery({ endpoint_id: id, event_id: eventId, event_type: type, payload }, atMs);
	const outcome = await sendAttempt(deps, endpoint, told);
	await logTest(deps, endpoint, told, { outcome, atMs });
	const isVerified = outcome.error === null || endpoint.is_verified === 1;
	return { deliveryId: told.delivery_id, outcome, isVerified };
}

/** A test is stored when it is over, so that none is left waiting by a process that ends. */
async function logTest(
	{ metadata, clock }: WebhookDeps,
	endpoint: EndpointRow,
	told: Omit<DeliveryRow, "id">,
	made: { readonly outcome: Outcome; readonly atMs: number },
): Promise<void> {
	const now = clock.now();
	await metadata.transaction().execute(async (trx) => {
		const current = await updateEndpoint(trx, endpoint.id, { last_delivery_at: now });
		if (current === undefined) return;
		// That one address listens says nothing of another, which it may have been given meanwhile.
		if (made.outcome.error === null && current.url === endpoint.url) {
			await updateEndpoint(trx, endpoint.id, { is_verified: 1, last_success_at: now, failing_since: null });
		}
		const ended = {
			...told,
			...outcomeColumns(made.outcome),
			status: made.outcome.error === null ? "success" : "failed",
			attempt_number: 1,
			first_attempt_at: made.atMs,
			completed_at: now,
		} as const;
		const [delivery] = await insertDeliveries(trx, [ended]);
		if (delivery !== undefined) await insertAttempt(trx, attemptOf(delivery.id, 1, made));
	});
}
