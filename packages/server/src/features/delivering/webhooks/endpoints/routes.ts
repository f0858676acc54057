import { Type } from "typebox";
import { AccountQuery, account } from "../../../../access/index.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { presentRow } from "../../../../platform/http/present-row.ts";
import { ErrorRef, Nullable, OneOf, Timestamp } from "../../../../platform/http/schemas.ts";
import { HOUR_MS, MINUTE_MS } from "../../../../platform/lib/durations.ts";
import { timestamp } from "../../../../platform/lib/timestamp.ts";
import { siteChangeOf } from "../../../tenancy/organizations/index.ts";
import { describedEvents } from "../../domain-events/index.ts";
import { deliveryFigures, webhookDeliveries } from "../deliveries/deliveries-store.ts";
import { DeliverySummary, paging, registerDeliveries } from "../deliveries/delivery-routes.ts";
import { type EndpointRow, subscribedTo, type WebhookDeps } from "../deps.ts";
import { type Asking, HIDDEN, limitOfSite, mayChange, reader, shownUrl, writer } from "../viewing.ts";
import {
	ChangeEndpointBody,
	CreateEndpointBody,
	changeEndpoint,
	createEndpoint,
	removeEndpoint,
	rotateSecret,
} from "./change-endpoint.ts";
import { getEndpoint, webhookEndpoints } from "./endpoints-store.ts";
import { resealEndpoints, shownHeaders } from "./sealed-values.ts";
import { TestAnswer, TestBody, testEndpoint } from "./test-endpoint.ts";

const Endpoint = Type.Object({
	id: Type.String({ format: "uuid" }),
	account_id: Type.String(),
	name: Type.String(),
	url: Type.String({
		description: "Complete for users who may change it; others see `[hidden]` in place of the query",
	}),
	event_types: Type.Array(Type.String()),
	headers: Type.Record(Type.String(), Type.String(), {
		description: "Values are shown to users who may change them, others see `[hidden]`",
	}),
	description: Nullable(Type.String()),
	secret_last_4: Type.String(),
	secret_version: Type.Integer(),
	previous_secret_expires_at: Nullable(Timestamp(), {
		description: "Until then deliveries are also signed with the previous secret",
	}),
	is_active: Type.Boolean(),
	is_verified: Type.Boolean({ description: "A test has succeeded; events are sent in any case" }),
	disabled_reason: Nullable(OneOf(["gone", "failing"]), {
		description: "Why the service disabled it: the receiver answered 410, or failed for 3 days",
	}),
	created_by: Nullable(Type.Integer()),
	created_at: Timestamp(),
	updated_at: Nullable(Timestamp()),
	last_delivery_at: Nullable(Timestamp()),
	last_success_at: Nullable(Timestamp()),
	last_failure_at: Nullable(Timestamp()),
	last_failure_reason: Nullable(Type.String()),
});
const Failure = Type.Pick(DeliverySummary, ["delivery_id", "error_type", "error_message", "created_at"]);
const EndpointStats = Type.Object({
	endpoint: Endpoint,
	stats: Type.Object({
		total_deliveries: Type.Integer(),
		successful: Type.Integer(),
		failed: Type.Integer(),
		pending: Type.Integer({ description: "Deliveries waiting for their first or next attempt" }),
		success_rate: Type.Number({ description: "Of the finished deliveries, 0 to 100" }),
		avg_response_time_ms: Type.Number(),
	}),
	recent_failures: Type.Array(Failure),
});

function presentEndpoint(deps: WebhookDeps, asking: Asking, row: EndpointRow) {
	const { previous_secret_expires_at: previousEnd } = row;
	const headers = shownHeaders(deps, row);
	return {
		...presentRow(Endpoint, row),
		account_id: row.site_id,
		url: shownUrl(row.url, asking),
		event_types: subscribedTo(row),
		// Values are often credentials.
		headers: mayChange(asking) ? headers : Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN])),
		previous_secret_expires_at: previousEnd !== null && previousEnd > deps.clock.now() ? timestamp(previousEnd) : null,
	};
}

const RECENT_FAILURES = 10;

const round = (value: number) => Math.round(value * 100) / 100;

/** Health of an endpoint in the last hours. */
async function presentStats(deps: WebhookDeps, asking: Asking, endpoint: EndpointRow, hours: number) {
	const { metadata } = deps;
	const sinceMs = deps.clock.now() - hours * HOUR_MS;
	const { total, successful, failed, averageMs } = await deliveryFigures(metadata, endpoint.id, sinceMs);
	const recent = { endpoint_id: endpoint.id, status: "failed", created_at: { ">": sinceMs } } as const;
	const failures = await webhookDeliveries.first(metadata, RECENT_FAILURES, recent, "id desc");
	const ended = successful + failed;
	return {
		endpoint: presentEndpoint(deps, asking, endpoint),
		stats: {
			total_deliveries: total,
			successful,
			failed,
			pending: total - ended,
			success_rate: ended === 0 ? 0 : round((successful / ended) * 100),
			avg_response_time_ms: round(averageMs),
		},
		recent_failures: failures.map((row) => presentRow(Failure, row)),
	};
}

const tags = ["Webhooks"];
const reading = {
	tags,
	params: Type.Object({ endpoint_id: Type.String({ format: "uuid" }) }),
	querystring: AccountQuery,
	guard: reader,
};
const writing = { ...reading, guard: writer };
/** Each waits for an answer of any server that the endpoint names. */
const testing = limitOfSite("webhook-test", 30, 10 * MINUTE_MS);
const tooMany = { description: "`conflict`: the site has 20 endpoints", ...ErrorRef };

/** Routes on webhooks: the endpoints of a site, their secrets, what was sent to them, and sending it again. */
export function registerWebhooks(app: App, deps: WebhookDeps): void {
	app.onStoreReady(async () => {
		const endpoints = await resealEndpoints(deps);
		if (endpoints === 0) return;
		app.log.warn({ endpoints }, "Webhooks were sealed with another SECRET_KEY: give it as SECRET_KEY_PREVIOUS");
	});
	addRoute(app, "GET /webhooks", {
		tags,
		summary: "Webhook endpoints",
		querystring: Type.Object({ ...account, ...paging, include_inactive: Type.Boolean({ default: false }) }),
		guard: reader,
		answer: Type.Object({ endpoints: Type.Array(Endpoint), total: Type.Integer() }),
		handler: async (request) => {
			const where = { site_id: request.site.id, ...(!request.query.include_inactive && { is_active: 1 }) };
			const { rows, total } = await webhookEndpoints.page(
				deps.metadata,
				where,
				["created_at desc", "id"],
				request.query,
			);
			return { endpoints: rows.map((row) => presentEndpoint(deps, request, row)), total };
		},
	});
	addRoute(app, "GET /webhooks/:endpoint_id", {
		...reading,
		summary: "One webhook endpoint",
		answer: Endpoint,
		handler: async (request) => {
			const row = await getEndpoint(deps.metadata, request.site.id, request.params.endpoint_id);
			return presentEndpoint(deps, request, row);
		},
	});
	addRoute(app, "GET /webhooks/event-types", {
		tags,
		summary: "Event types of webhooks",
		guard: { kind: "principal", scope: "accounts:read" },
		answer: Type.Object({
			event_types: Type.Array(Type.Object({ type: Type.String(), name: Type.String(), description: Type.String() })),
		}),
		handler: async () => ({ event_types: describedEvents }),
	});
	addRoute(app, "GET /webhooks/:endpoint_id/stats", {
		...reading,
		summary: "Health of an endpoint in the last hours",
		querystring: Type.Object({ ...account, hours: Type.Integer({ minimum: 1, maximum: 720, default: 24 }) }),
		answer: EndpointStats,
		handler: async (request) => {
			const endpoint = await getEndpoint(deps.metadata, request.site.id, request.params.endpoint_id);
			return presentStats(deps, request, endpoint, request.query.hours);
		},
	});
	addRoute(app, "POST /webhooks", {
		tags,
		summary: "Add a webhook endpoint; its secret is shown only in this response",
		querystring: AccountQuery,
		body: CreateEndpointBody,
		guard: writer,
		status: 201,
		answer: Type.Object({ ...Endpoint.properties, secret: Type.String({ description: "Shown once" }) }),
		errors: { 409: tooMany },
		handler: async (request) => {
			const { row, secret } = await createEndpoint(deps, siteChangeOf(request), request.body);
			return { ...presentEndpoint(deps, request, row), secret };
		},
	});
	addRoute(app, "PATCH /webhooks/:endpoint_id", {
		...writing,
		summary: "Change, enable or disable a webhook endpoint",
		body: ChangeEndpointBody,
		answer: Endpoint,
		handler: async (request) => {
			const row = await changeEndpoint(deps, siteChangeOf(request), request.params.endpoint_id, request.body);
			return presentEndpoint(deps, request, row);
		},
	});
	addRoute(app, "DELETE /webhooks/:endpoint_id", {
		...writing,
		summary: "Remove a webhook endpoint with its delivery log",
		empty: "Removed",
		handler: async (request) => removeEndpoint(deps, siteChangeOf(request), request.params.endpoint_id),
	});
	addRoute(app, "POST /webhooks/:endpoint_id/rotate-secret", {
		...writing,
		summary: "Rotate the secret of an endpoint; the old one also signs for 24 hours",
		answer: Type.Object({
			new_secret: Type.String({ description: "Shown once" }),
			previous_secret_expires_at: Timestamp(),
			secret_version: Type.Integer(),
		}),
		handler: async (request) => rotateSecret(deps, siteChangeOf(request), request.params.endpoint_id),
	});
	addRoute(app, "POST /webhooks/:endpoint_id/test", {
		...writing,
		summary: "Send a test event to an endpoint and wait for the response",
		body: TestBody,
		limit: [testing],
		answer: TestAnswer,
		handler: async (request) => testEndpoint(deps, siteChangeOf(request), request.params.endpoint_id, request.body),
	});
	registerDeliveries(app, deps);
}
