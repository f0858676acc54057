import { AccountQuery } from "../../../../access/index.ts";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import type { RouteLimit } from "../../../../platform/http/rate-limit/route-limit.ts";
import { ErrorRef } from "../../../../platform/http/schemas.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { SiteChange } from "../../../tenancy/organizations/index.ts";
import type { DeliveryRow, WebhookDeps } from "../deps.ts";
import { requireWebhooks } from "../endpoints/change-endpoint.ts";
import { endpointNotFound, getDelivery, getEndpoint, lockEndpoint } from "../endpoints/endpoints-store.ts";
import {
	changeOf,
	presentAttempt,
	presentDelivery,
	presentWholeDelivery,
	reader,
	readingOf,
	writer,
} from "../endpoints/present.ts";
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
import { enqueueAttempt, newDelivery } from "../sending/enqueue-attempt.ts";
import { findDeliveriesOfSite, insertDeliveries, listDeliveries, webhookAttempts } from "./deliveries-store.ts";

/** Sends what a delivery sent once more: the same event, byte for byte, as a delivery of its own. Answers its id. */
async function sendAgain(deps: WebhookDeps, trx: Metadata, delivery: DeliveryRow): Promise<string> {
	const [again] = await insertDeliveries(trx, [newDelivery(delivery, deps.clock.now())]);
	if (again === undefined) throw new Error("a replay was refused as told already");
	await enqueueAttempt(deps, trx, again, { attempt: 1 });
	return again.delivery_id;
}

/**
 * Replays one delivery. Throws `not_found`, `conflict` when the endpoint is off or the delivery has succeeded and is not
 * forced, and `forbidden` when the plan has no webhooks.
 */
async function replayDelivery(
	deps: WebhookDeps,
	{ site }: SiteChange,
	ids: { readonly endpointId: string; readonly deliveryId: string },
	{ force }: { readonly force: boolean },
): Promise<string> {
	return deps.metadata.transaction().execute(async (trx) => {
		// It stays on, and in being, until the replay is stored.
		const endpoint = await lockEndpoint(trx, site.id, ids.endpointId);
		if (endpoint === undefined) throw endpointNotFound();
		const delivery = await getDelivery(trx, site.id, ids);
		await requireWebhooks(trx, site.organizationId);
		if (endpoint.is_active === 0) throw new ServiceError("conflict", { message: "The endpoint is disabled" });
		if (delivery.status === "success" && !force) {
			throw new ServiceError("conflict", { message: "The delivery has succeeded: set `force` to replay it" });
		}
		return sendAgain(deps, trx, delivery);
	});
}

/** Replays those of some deliveries that can be; throws `forbidden` when the plan has no webhooks. */
async function replayDeliveries(
	deps: WebhookDeps,
	{ site }: SiteChange,
	{ deliveryIds, force }: { readonly deliveryIds: readonly string[]; readonly force: boolean },
) {
	const ids = [...new Set(deliveryIds.map((id) => id.toLowerCase()))];
	return deps.metadata.transaction().execute(async (trx) => {
		await requireWebhooks(trx, site.organizationId);
		const found = new Map((await findDeliveriesOfSite(trx, site.id, ids)).map((row) => [row.delivery_id, row]));
		const result = { replayed: 0, skipped: 0, errors: [] as string[] };
		for (const id of ids) {
			const row = found.get(id);
			if (row === undefined) result.errors.push(`${id}: not found`);
			else if (row.isActive === 0) result.errors.push(`${id}: the endpoint is switched off`);
			else if (row.status === "success" && !force) result.skipped++;
			else {
				await sendAgain(deps, trx, row);
				result.replayed++;
			}
		}
		return result;
	});
}

const tags = ["Webhooks"];
const reading = { tags, params: DeliveryParams, querystring: AccountQuery, guard: reader };
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
		...reading,
		summary: "One delivery with payload and response",
		answer: Delivery,
		handler: async (request) => {
			const delivery = await getDelivery(deps.metadata, request.site.id, idsOf(request.params));
			return presentWholeDelivery(delivery, readingOf(request));
		},
	});
	addRoute(app, "GET /webhooks/:endpoint_id/deliveries/:delivery_id/logs", {
		...reading,
		summary: "Attempts of a delivery",
		answer: AttemptList,
		handler: async (request) => {
			const delivery = await getDelivery(deps.metadata, request.site.id, idsOf(request.params));
			const attempts = await webhookAttempts.list(deps.metadata, { delivery: delivery.id }, "attempt_number");
			return attempts.reverse().map((row) => presentAttempt(row, delivery.delivery_id, readingOf(request)));
		},
	});
}

export function registerReplays(app: App, deps: WebhookDeps): void {
	addRoute(app, "POST /webhooks/:endpoint_id/deliveries/:delivery_id/replay", {
		...reading,
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
