import type { Static } from "typebox";
import { AccountQuery } from "../../../../access/index.ts";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { ErrorRef } from "../../../../platform/http/schemas.ts";
import { HOUR_MS } from "../../../../platform/lib/durations.ts";
import { given } from "../../../../platform/lib/given.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { type SiteChange, siteChangeOf } from "../../../tenancy/organizations/index.ts";
import type { DeliveryRow, WebhookDeps } from "../deps.ts";
import { requireWebhooks } from "../endpoints/change-endpoint.ts";
import { endpointNotFound, getDelivery, getEndpoint, lockEndpoint } from "../endpoints/endpoints-store.ts";
import {
	limitOfSite,
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
import { findDeliveriesOfSite, webhookAttempts, webhookDeliveries } from "./deliveries-store.ts";

/** Sends what a delivery sent once more: the same event, byte for byte, as a delivery of its own. Answers its id. */
async function sendAgain(deps: WebhookDeps, trx: Metadata, delivery: DeliveryRow): Promise<string> {
	const again = await webhookDeliveries.insert(trx, newDelivery(delivery, deps.clock.now()));
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
	{ delivery_ids: deliveryIds, force }: Static<typeof BulkReplayBody>,
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

const idsOf = (params: { endpoint_id: string; delivery_id: string }) => ({
	endpointId: params.endpoint_id,
	deliveryId: params.delivery_id,
});

export function registerDeliveries(app: App, deps: WebhookDeps): void {
	addRoute(app, "GET /webhooks/:endpoint_id/deliveries", {
		tags,
		summary: "Deliveries of the last 30 days",
		params: EndpointParams,
		querystring: DeliveriesQuery,
		guard: reader,
		answer: DeliveryList,
		handler: async (request) => {
			const endpoint = await getEndpoint(deps.metadata, request.site.id, request.params.endpoint_id);
			const where = { ...given(request.query, ["status"]), endpoint_id: endpoint.id };
			const { rows, total } = await webhookDeliveries.page(deps.metadata, where, ["id desc"], request.query);
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
	addRoute(app, "POST /webhooks/:endpoint_id/deliveries/:delivery_id/replay", {
		...reading,
		summary: "Replay a delivery",
		body: ReplayBody,
		guard: writer,
		// Each replay is stored and sent again.
		limit: [limitOfSite("webhook-replay", 300, HOUR_MS)],
		answer: ReplayAnswer,
		errors: { 409: refused },
		handler: async (request) => {
			const id = await replayDelivery(deps, siteChangeOf(request), idsOf(request.params), request.body);
			return { success: true, new_delivery_id: id, message: "The event is sent again" };
		},
	});
	addRoute(app, "POST /webhooks/bulk/replay", {
		tags,
		summary: "Replay several deliveries",
		querystring: AccountQuery,
		body: BulkReplayBody,
		guard: writer,
		limit: [limitOfSite("webhook-bulk-replay", 30, HOUR_MS)],
		answer: BulkReplayAnswer,
		handler: (request) => replayDeliveries(deps, siteChangeOf(request), request.body),
	});
}
