import { AccountQuery } from "../../../../access/index.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import type { RouteLimit } from "../../../../platform/http/rate-limit/route-limit.ts";
import { ErrorRef } from "../../../../platform/http/schemas.ts";
import { describedEvents } from "../../domain-events/index.ts";
import { registerDeliveryLog, registerReplays } from "../deliveries/delivery-routes.ts";
import type { WebhookDeps } from "../deps.ts";
import { changeEndpoint, createEndpoint, removeEndpoint, rotateSecret } from "./change-endpoint.ts";
import { getEndpoint, listEndpoints } from "./endpoints-store.ts";
import { endpointStats, presentEndpoint, presentStats } from "./present.ts";
import { changeOf, reader, viewingOf, writer } from "./request-facts.ts";
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
const ofEndpoint = { tags, params: EndpointParams, querystring: AccountQuery } as const;
/** Each waits for an answer of any server that the endpoint names. */
const testing: RouteLimit = {
	name: "webhook-test",
	max: 30,
	windowMs: 600_000,
	by: (request) => request.site.id,
};
const tooMany = { description: "`conflict`: the site has 20 endpoints", ...ErrorRef };

/** Routes on webhooks: the endpoints of a site, their secrets, what was sent to them, and sending it again. */
export function registerWebhooks(app: App, deps: WebhookDeps): void {
	app.onStoreReady(async () => {
		const endpoints = await resealEndpoints(deps);
		if (endpoints === 0) return;
		app.log.warn({ endpoints }, "Webhooks were sealed with another SECRET_KEY: give it as SECRET_KEY_PREVIOUS");
	});
	registerReads(app, deps);
	registerWrites(app, deps);
	registerDeliveryLog(app, deps);
	registerReplays(app, deps);
}

function registerReads(app: App, deps: WebhookDeps): void {
	addRoute(app, "GET /webhooks", {
		tags,
		summary: "Webhook endpoints",
		querystring: ListQuery,
		guard: reader,
		answer: EndpointList,
		handler: async (request) => {
			const { include_inactive: includeInactive, limit, offset } = request.query;
			const { rows, total } = await listEndpoints(deps.metadata, request.site.id, { includeInactive, limit, offset });
			const viewing = viewingOf(deps, request);
			return { endpoints: rows.map((row) => presentEndpoint(row, viewing)), total };
		},
	});
	addRoute(app, "GET /webhooks/:endpoint_id", {
		...ofEndpoint,
		summary: "One webhook endpoint",
		guard: reader,
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
		...ofEndpoint,
		summary: "Health of an endpoint in the last hours",
		querystring: StatsQuery,
		guard: reader,
		answer: EndpointStats,
		handler: async (request) => {
			const stats = await endpointStats(deps, request.site.id, request.params.endpoint_id, request.query.hours);
			return presentStats(stats, viewingOf(deps, request));
		},
	});
}

function registerWrites(app: App, deps: WebhookDeps): void {
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
			const { row, secret } = await createEndpoint(deps, changeOf(request), request.body);
			return { ...presentEndpoint(row, viewingOf(deps, request)), secret };
		},
	});
	addRoute(app, "PATCH /webhooks/:endpoint_id", {
		...ofEndpoint,
		summary: "Change, enable or disable a webhook endpoint",
		body: ChangeEndpointBody,
		guard: writer,
		answer: Endpoint,
		handler: async (request) => {
			const row = await changeEndpoint(deps, changeOf(request), request.params.endpoint_id, request.body);
			return presentEndpoint(row, viewingOf(deps, request));
		},
	});
	addRoute(app, "DELETE /webhooks/:endpoint_id", {
		...ofEndpoint,
		summary: "Remove a webhook endpoint with its delivery log",
		guard: writer,
		empty: "Removed",
		handler: async (request) => removeEndpoint(deps, changeOf(request), request.params.endpoint_id),
	});
	addRoute(app, "POST /webhooks/:endpoint_id/rotate-secret", {
		...ofEndpoint,
		summary: "Rotate the secret of an endpoint; the old one also signs for 24 hours",
		guard: writer,
		answer: RotatedSecret,
		handler: async (request) => rotateSecret(deps, changeOf(request), request.params.endpoint_id),
	});
	addRoute(app, "POST /webhooks/:endpoint_id/test", {
		...ofEndpoint,
		summary: "Send a test event to an endpoint and wait for the response",
		body: TestBody,
		guard: writer,
		limit: [testing],
		answer: TestAnswer,
		handler: async (request) => testEndpoint(deps, changeOf(request), request.params.endpoint_id, request.body),
	});
}
