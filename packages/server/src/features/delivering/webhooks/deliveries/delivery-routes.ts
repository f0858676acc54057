import { AccountQuery } from "../../../../access/index.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import type { RouteLimit } from "../../../../platform/http/rate-limit/route-limit.ts";
import { ErrorRef } from "../../../../platform/http/schemas.ts";
import type { WebhookDeps } from "../deps.ts";
import { getDelivery, getEndpoint } from "../endpoints/endpoints-store.ts";
import { presentAttempt, presentDelivery, presentWholeDelivery } from "../endpoints/present.ts";
import { changeOf, reader, readingOf, writer } from "../endpoints/request-facts.ts";
import {
	AttemptList,
	BulkReplayAnswer,
	BulkReplayBody,
	DeliveriesQuery,
	Delivery,
	DeliveryList,
	DeliveryParams,
	EndpointParams,
	ReplayAnswer,
	ReplayBody,
} from "../endpoints/schemas.ts";
import { listAttempts, listDeliveries } from "./deliveries-store.ts";
import { replayDeliveries, replayDelivery } from "./replay.ts";

const tags = ["Webhooks"];
const ofDelivery = { tags, params: DeliveryParams, querystring: AccountQuery } as const;
const refused = {
	description: "`conflict`: the endpoint is disabled, or the delivery succeeded and `force` is not set",
	...ErrorRef,
};

/** Each replay is stored and sent again, so replays are limited. */
const replaying = (name: string, max: number): RouteLimit => ({
	name,
	max,
	windowMs: 3_600_000,
	by: (request) => request.site.id,
});

const idsOf = (params: { endpoint_id: string; delivery_id: string }) => ({
	endpointId: params.endpoint_id,
	deliveryId: params.delivery_id,
});

export function registerDeliveryLog(app: App, deps: WebhookDeps): void {
	addRoute(app, "GET /webhooks/:endpoint_id/deliveries", {
		tags,
		summary: "Deliveries of the last 30 days",
		params: EndpointParams,
		querystring: DeliveriesQuery,
		guard: reader,
		answer: DeliveryList,
		handler: async (request) => {
			const endpoint = await getEndpoint(deps.metadata, request.site.id, request.params.endpoint_id);
			const { status, limit, offset } = request.query;
			const { rows, total } = await listDeliveries(deps.metadata, endpoint.id, { status, limit, offset });
			const reading = readingOf(request);
			return { deliveries: rows.map((row) => presentDelivery(row, reading)), total };
		},
	});
	addRoute(app, "GET /webhooks/:endpoint_id/deliveries/:delivery_id", {
		...ofDelivery,
		summary: "One delivery with payload and response",
		guard: reader,
		answer: Delivery,
		handler: async (request) => {
			const { delivery } = await getDelivery(deps.metadata, request.site.id, idsOf(request.params));
			return presentWholeDelivery(delivery, readingOf(request));
		},
	});
	addRoute(app, "GET /webhooks/:endpoint_id/deliveries/:delivery_id/logs", {
		...ofDelivery,
		summary: "Attempts of a delivery",
		guard: reader,
		answer: AttemptList,
		handler: async (request) => {
			const { delivery } = await getDelivery(deps.metadata, request.site.id, idsOf(request.params));
			const attempts = await listAttempts(deps.metadata, delivery.id);
			return attempts.map((row) => presentAttempt(row, delivery.delivery_id, readingOf(request)));
		},
	});
}

export function registerReplays(app: App, deps: WebhookDeps): void {
	addRoute(app, "POST /webhooks/:endpoint_id/deliveries/:delivery_id/replay", {
		...ofDelivery,
		summary: "Replay a delivery",
		body: ReplayBody,
		guard: writer,
		limit: [replaying("webhook-replay", 300)],
		answer: ReplayAnswer,
		errors: { 409: refused },
		handler: async (request) => {
			const { force } = request.body;
			const id = await replayDelivery(deps, changeOf(request), idsOf(request.params), { force });
			return { success: true, new_delivery_id: id, message: "The event is sent again" };
		},
	});
	addRoute(app, "POST /webhooks/bulk/replay", {
		tags,
		summary: "Replay several deliveries",
		querystring: AccountQuery,
		body: BulkReplayBody,
		guard: writer,
		limit: [replaying("webhook-bulk-replay", 30)],
		answer: BulkReplayAnswer,
		handler: async (request) => {
			const { delivery_ids: deliveryIds, force } = request.body;
			return { ...(await replayDeliveries(deps, changeOf(request), { deliveryIds, force })) };
		},
	});
}
