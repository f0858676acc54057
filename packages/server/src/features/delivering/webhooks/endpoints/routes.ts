import { AccountQuery } from "../../../../access/index.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { ErrorRef } from "../../../../platform/http/schemas.ts";
import { MINUTE_MS } from "../../../../platform/lib/durations.ts";
import { siteChangeOf } from "../../../tenancy/organizations/index.ts";
import { describedEvents } from "../../domain-events/index.ts";
import { registerDeliveries } from "../deliveries/delivery-routes.ts";
import type { WebhookDeps } from "../deps.ts";
import { changeEndpoint, createEndpoint, removeEndpoint, rotateSecret } from "./change-endpoint.ts";
import { getEndpoint, webhookEndpoints } from "./endpoints-store.ts";
import { limitOfSite, presentEndpoint, presentStats, reader, viewingOf, writer } from "./present.ts";
import {
	ChangeEndpointBody,
	CreatedEndpoint,
	CreateEndpointBody,
	Endpoint,
	EndpointList,
	EndpointParams,
	EndpointStats,
	EventTypeList,
	ListQuery,
	RotatedSecret,
	StatsQuery,
	TestAnswer,
	TestBody,
} from "./schemas.ts";
import { resealEndpoints } from "./sealed-values.ts";
import { testEndpoint } from "./test-endpoint.ts";

const tags = ["Webhooks"];
const reading = { tags, params: EndpointParams, querystring: AccountQuery, guard: reader };
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
		querystring: ListQuery,
		guard: reader,
		answer: EndpointList,
		handler: async (request) => {
			const where = { site_id: request.site.id, ...(!request.query.include_inactive && { is_active: 1 }) };
			const { rows, total } = await webhookEndpoints.page(
				deps.metadata,
				where,
				["created_at desc", "id"],
				request.query,
			);
			const viewing = viewingOf(deps, request);
			return { endpoints: rows.map((row) => presentEndpoint(row, viewing)), total };
		},
	});
	addRoute(app, "GET /webhooks/:endpoint_id", {
		...reading,
		summary: "One webhook endpoint",
		answer: Endpoint,
		handler: async (request) => {
			const row = await getEndpoint(deps.metadata, request.site.id, request.params.endpoint_id);
			return presentEndpoint(row, viewingOf(deps, request));
		},
	});
	addRoute(app, "GET /webhooks/event-types", {
		tags,
		summary: "Event types of webhooks",
		guard: { kind: "principal", scope: "accounts:read" },
		answer: EventTypeList,
		handler: async () => ({ event_types: describedEvents.map((event) => ({ ...event })) }),
	});
	addRoute(app, "GET /webhooks/:endpoint_id/stats", {
		...reading,
		summary: "Health of an endpoint in the last hours",
		querystring: StatsQuery,
		answer: EndpointStats,
		handler: async (request) => {
			const endpoint = await getEndpoint(deps.metadata, request.site.id, request.params.endpoint_id);
			return presentStats(deps.metadata, endpoint, request.query.hours, viewingOf(deps, request));
		},
	});
	addRoute(app, "POST /webhooks", {
		tags,
		summary: "Add a webhook endpoint; its secret is shown only in this response",
		querystring: AccountQuery,
		body: CreateEndpointBody,
		guard: writer,
		status: 201,
		answer: CreatedEndpoint,
		errors: { 409: tooMany },
		handler: async (request) => {
			const { row, secret } = await createEndpoint(deps, siteChangeOf(request), request.body);
			return { ...presentEndpoint(row, viewingOf(deps, request)), secret };
		},
	});
	addRoute(app, "PATCH /webhooks/:endpoint_id", {
		...writing,
		summary: "Change, enable or disable a webhook endpoint",
		body: ChangeEndpointBody,
		answer: Endpoint,
		handler: async (request) => {
			const row = await changeEndpoint(deps, siteChangeOf(request), request.params.endpoint_id, request.body);
			return presentEndpoint(row, viewingOf(deps, request));
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
		answer: RotatedSecret,
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
