import type { Static } from "typebox";
import { HOUR_MS } from "../../../../platform/lib/durations.ts";
import { uuid } from "../../../../platform/lib/ids.ts";
import { timestamp } from "../../../../platform/lib/timestamp.ts";
import type { SiteChange } from "../../../tenancy/organizations/index.ts";
import { type EventData, type EventType, eventBody } from "../../domain-events/index.ts";
import { webhookAttempts, webhookDeliveries } from "../deliveries/deliveries-store.ts";
import { attemptOf, outcomeColumns } from "../deliveries/note-attempt.ts";
import type { EndpointRow, WebhookDeps } from "../deps.ts";
import { newDelivery } from "../sending/enqueue-attempt.ts";
import { type Outcome, sendAttempt } from "../sending/send-attempt.ts";
import { requireWebhooks } from "./change-endpoint.ts";
import { getEndpoint, webhookEndpoints } from "./endpoints-store.ts";
import type { TestAnswer, TestBody } from "./schemas.ts";

const samples: { readonly [Type in EventType]: (at: ReturnType<typeof momentsAt>) => EventData[Type] } = {
	"alert.triggered": (at) => ({
		alert_id: 1,
		rule_name: "Sample: traffic drop",
		severity: "warning",
		message: "Page views: 380 in the last hour, 1000 expected (-62 %)",
		metric: "pageviews",
		current_value: 380,
		expected_value: 1000,
		threshold_percent: 50,
		triggered_at: at.now,
	}),
	"alert.resolved": (at) => ({
		alert_id: 1,
		rule_name: "Sample: traffic drop",
		severity: "warning",
		metric: "pageviews",
		current_value: 980,
		expected_value: 1000,
		triggered_at: at.hourAgo,
		resolved_at: at.now,
	}),
	"export.completed": (at) => ({
		export_id: "00000000-0000-4000-8000-000000000000",
		export_type: "pages",
		row_count: 1234,
		file_size_bytes: 56_789,
		download_url: "https://stats.example/api/v1/exports/download/sample",
		expires_at: at.tomorrow,
	}),
	"export.failed": (at) => ({
		export_id: "00000000-0000-4000-8000-000000000000",
		export_type: "pages",
		error_message: "Sample: the export took too long",
		failed_at: at.now,
	}),
	"goal.reached": (at) => ({
		goal_id: 1,
		goal_name: "Sample: 100 sign-ups a week",
		metric: "conversions",
		conversion_type: "signup",
		target_value: 100,
		current_value: 100,
		period_start: at.dayAgo,
		reached_at: at.now,
	}),
};

function momentsAt(nowMs: number) {
	const at = (hours: number) => timestamp(nowMs + hours * HOUR_MS);
	return { now: at(0), hourAgo: at(-1), dayAgo: at(-24), tomorrow: at(24) };
}

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
	const data = { test: true, ...(withSample && samples[type](momentsAt(atMs))) };
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
