import { type Static, Type } from "typebox";
import { Nullable, OneOf, optionalBody } from "../../../../platform/http/schemas.ts";
import { uuid } from "../../../../platform/lib/ids.ts";
import type { SiteChange } from "../../../tenancy/organizations/index.ts";
import { eventBody, eventTypes, sampleOf } from "../../domain-events/index.ts";
import { webhookAttempts, webhookDeliveries } from "../deliveries/deliveries-store.ts";
import { errorTypes } from "../deliveries/delivery-routes.ts";
import { attemptOf, outcomeColumns } from "../deliveries/note-attempt.ts";
import type { EndpointRow, WebhookDeps } from "../deps.ts";
import { newDelivery } from "../sending/enqueue-attempt.ts";
import { type Outcome, sendAttempt } from "../sending/send-attempt.ts";
import { requireWebhooks } from "./change-endpoint.ts";
import { getEndpoint, webhookEndpoints } from "./endpoints-store.ts";

export const TestBody = Type.Object(
	{
		event_type: OneOf(eventTypes, { default: "alert.triggered" }),
		include_sample_context: Type.Boolean({ default: false, description: "Adds the fields of a real event" }),
	},
	optionalBody,
);

export const TestAnswer = Type.Object({
	success: Type.Boolean(),
	delivery_id: Type.String({ format: "uuid" }),
	response_status: Nullable(Type.Integer()),
	response_time_ms: Nullable(Type.Integer()),
	verified: Type.Boolean(),
	error_type: Type.Optional(OneOf([...errorTypes], { description: "Only with `success` false" })),
	error_message: Type.Optional(Type.String({ description: "Only with `success` false" })),
});

/**
 * Sends a signed event that says that it is a test, once, and waits for the answer. A good one verifies the endpoint and ends
 * its record of failures; a bad one does not count among them. Throws `not_found`, and `forbidden` when the plan has no webhooks.
 */
export async function testEndpoint(
	deps: WebhookDeps,
	{ site }: SiteChange,
	id: string,
	{ event_type: type, include_sample_context: withSample }: Static<typeof TestBody>,
): Promise<Static<typeof TestAnswer>> {
	const { metadata, clock } = deps;
	const endpoint = await getEndpoint(metadata, site.id, id);
	await requireWebhooks(metadata, site.organizationId);
	const atMs = clock.now();
	const eventId = uuid();
	const data = { test: true, ...(withSample && sampleOf(type, atMs)) };
	const payload = eventBody({ id: eventId, type, siteId: site.id, occurredAt: atMs, data });
	const told = newDelivery({ endpoint_id: id, event_id: eventId, event_type: type, payload }, atMs);
	const outcome = await sendAttempt(deps, endpoint, told);
	await logTest(deps, endpoint, told, { outcome, atMs });
	return {
		success: outcome.error === null,
		delivery_id: told.delivery_id,
		response_status: outcome.status,
		response_time_ms: outcome.status === null ? null : outcome.timeMs,
		verified: outcome.error === null || endpoint.is_verified === 1,
		...(outcome.error !== null && { error_type: outcome.error.type, error_message: outcome.error.message }),
	};
}

/** A test is stored when it is over, so that none is left waiting by a process that ends. */
async function logTest(
	{ metadata, clock }: WebhookDeps,
	endpoint: EndpointRow,
	told: ReturnType<typeof newDelivery>,
	made: { readonly outcome: Outcome; readonly atMs: number },
): Promise<void> {
	const now = clock.now();
	await metadata.transaction().execute(async (trx) => {
		const current = await webhookEndpoints.update(trx, { id: endpoint.id }, { last_delivery_at: now });
		if (current === undefined) return;
		// That one address listens says nothing of another, which it may have been given meanwhile.
		if (made.outcome.error === null && current.url === endpoint.url) {
			const verified = { is_verified: 1, last_success_at: now, failing_since: null };
			await webhookEndpoints.update(trx, { id: endpoint.id }, verified);
		}
		const ended = {
			...told,
			...outcomeColumns(made.outcome),
			status: made.outcome.error === null ? "success" : "failed",
			attempt_number: 1,
			first_attempt_at: made.atMs,
			completed_at: now,
		} as const;
		const { id } = await webhookDeliveries.insert(trx, ended);
		await webhookAttempts.insert(trx, attemptOf(id, 1, made));
	});
}
