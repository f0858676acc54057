import { type Static, Type } from "typebox";
import { AccountQuery, account } from "../../../../access/index.ts";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { addRoute } from "../../../../platform/http/add-route.ts";
import type { App } from "../../../../platform/http/app.ts";
import { presentRow } from "../../../../platform/http/present-row.ts";
import {
	ErrorRef,
	limitAndOffset,
	Nullable,
	OneOf,
	optionalBody,
	Timestamp,
} from "../../../../platform/http/schemas.ts";
import { HOUR_MS } from "../../../../platform/lib/durations.ts";
import { given } from "../../../../platform/lib/given.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { type SiteChange, siteChangeOf } from "../../../tenancy/organizations/index.ts";
import type { DeliveryRow, WebhookDeps } from "../deps.ts";
import { requireWebhooks } from "../endpoints/change-endpoint.ts";
import { endpointNotFound, getDelivery, getEndpoint, lockEndpoint } from "../endpoints/endpoints-store.ts";
import { enqueueAttempt, newDelivery } from "../sending/enqueue-attempt.ts";
import { type Asking, HIDDEN, limitOfSite, reader, shownUrl, writer } from "../viewing.ts";
import { findDeliveriesOfSite, webhookAttempts, webhookDeliveries } from "./deliveries-store.ts";

export const errorTypes = [
	"http_status",
	"redirect",
	"timeout",
	"dns",
	"connection",
	"tls",
	"blocked_address",
] as const;
const statuses = ["pending", "success", "failed", "retrying"] as const;

const uuid = () => Type.String({ format: "uuid" });
export const paging = {
	...limitAndOffset({ limit: 50, max: 200 }),
	offset: Type.Integer({ minimum: 0, maximum: 1_000_000_000, default: 0 }),
};

const DeliveryParams = Type.Object({ endpoint_id: uuid(), delivery_id: uuid() });

const force = () => Type.Boolean({ default: false, description: "Also replays successful deliveries" });
const BulkReplayBody = Type.Object({
	delivery_ids: Type.Array(uuid(), { minItems: 1, maxItems: 100 }),
	force: force(),
});

const delivery = {
	id: Type.Integer(),
	delivery_id: uuid(),
	endpoint_id: uuid(),
	event_id: Type.String({ description: "The same in every delivery of one event" }),
	event_type: Type.String(),
	status: OneOf([...statuses]),
	attempt_number: Type.Integer({ description: "Number of attempts" }),
	max_attempts: Type.Integer(),
	next_retry_at: Nullable(Timestamp()),
	response_status_code: Nullable(Type.Integer()),
	response_headers: Type.Record(Type.String(), Type.String()),
	response_time_ms: Nullable(Type.Integer()),
	error_type: Nullable(OneOf([...errorTypes])),
	error_message: Nullable(Type.String()),
	payload_size_bytes: Type.Integer(),
	created_at: Timestamp(),
	completed_at: Nullable(Timestamp()),
};
export const DeliverySummary = Type.Object(delivery);
const Attempt = Type.Object({
	id: Type.Integer(),
	delivery_id: uuid(),
	attempt_number: Type.Integer(),
	attempted_at: Timestamp(),
	request_method: Type.String(),
	request_url: Type.String({ description: "Shown as the endpoint's `url`" }),
	response_status_code: delivery.response_status_code,
	response_time_ms: delivery.response_time_ms,
	error_type: delivery.error_type,
	error_message: delivery.error_message,
	success: Type.Boolean(),
});

/** Data of an event without the token of the link to an export's file. */
function withoutLink(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
	const { download_url: link } = data;
	if (typeof link !== "string") return data;
	const shown = link.replace(/(\/exports\/download\/)[^/?#]+/, `$1${HIDDEN}`);
	return { ...data, download_url: shown === link ? HIDDEN : shown };
}

const MAX_PAYLOAD_BYTES = 10_240;

const presentDelivery = (row: DeliveryRow, asking: Asking) => {
	const { location, ...headers } = JSON.parse(row.response_headers) as Record<string, string>;
	return {
		...presentRow(DeliverySummary, row),
		// Redirects often lead to the same query at another address.
		response_headers: location === undefined ? headers : { ...headers, location: shownUrl(location, asking) },
	};
};

function presentWholeDelivery(row: DeliveryRow, asking: Asking) {
	const { data, ...envelope } = JSON.parse(row.payload) as { data: Record<string, unknown> };
	const isShown = row.payload_size_bytes <= MAX_PAYLOAD_BYTES;
	const { caller } = asking;
	// Exports, and the links to their files, are open to all readers of a site, and to keys with `stats:read`.
	const mayExport = caller.kind === "session" || (caller.kind === "key" && caller.scopes.includes("stats:read"));
	return {
		...presentDelivery(row, asking),
		payload: { ...envelope, ...(isShown && { data: mayExport ? data : withoutLink(data) }) },
		response_body: row.response_body,
	};
}

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
		if (endpoint.is_active === 0) throw new ServiceError("conflict", "The endpoint is disabled");
		if (delivery.status === "success" && !force) {
			throw new ServiceError("conflict", "The delivery has succeeded: set `force` to replay it");
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
		params: Type.Object({ endpoint_id: uuid() }),
		querystring: Type.Object({ ...account, ...paging, status: Type.Optional(OneOf([...statuses])) }),
		guard: reader,
		answer: Type.Object({ deliveries: Type.Array(DeliverySummary), total: Type.Integer() }),
		handler: async (request) => {
			const endpoint = await getEndpoint(deps.metadata, request.site.id, request.params.endpoint_id);
			const where = { ...given(request.query, ["status"]), endpoint_id: endpoint.id };
			const { rows, total } = await webhookDeliveries.page(deps.metadata, where, ["id desc"], request.query);
			return { deliveries: rows.map((row) => presentDelivery(row, request)), total };
		},
	});
	addRoute(app, "GET /webhooks/:endpoint_id/deliveries/:delivery_id", {
		...reading,
		summary: "One delivery with payload and response",
		answer: Type.Object({
			...delivery,
			payload: Type.Record(Type.String(), Type.Unknown(), {
				description:
					"As sent; without `data` beyond 10 KB, and without the token in `download_url` for keys without `stats:read`",
			}),
			response_body: Nullable(Type.String({ description: "Truncated at 10 KB" })),
		}),
		handler: async (request) => {
			const delivery = await getDelivery(deps.metadata, request.site.id, idsOf(request.params));
			return presentWholeDelivery(delivery, request);
		},
	});
	addRoute(app, "GET /webhooks/:endpoint_id/deliveries/:delivery_id/logs", {
		...reading,
		summary: "Attempts of a delivery",
		answer: Type.Array(Attempt),
		handler: async (request) => {
			const delivery = await getDelivery(deps.metadata, request.site.id, idsOf(request.params));
			const attempts = await webhookAttempts.list(deps.metadata, { delivery: delivery.id }, "attempt_number");
			return attempts.reverse().map((row) => ({
				...presentRow(Attempt, row),
				delivery_id: delivery.delivery_id,
				request_method: "POST",
				request_url: shownUrl(row.request_url, request),
				success: row.error_type === null,
			}));
		},
	});
	addRoute(app, "POST /webhooks/:endpoint_id/deliveries/:delivery_id/replay", {
		...reading,
		summary: "Replay a delivery",
		body: Type.Object({ force: force() }, optionalBody),
		guard: writer,
		// Each replay is stored and sent again.
		limit: [limitOfSite("webhook-replay", 300, HOUR_MS)],
		answer: Type.Object({ success: Type.Boolean(), new_delivery_id: uuid(), message: Type.String() }),
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
		answer: Type.Object({
			replayed: Type.Integer(),
			skipped: Type.Integer({ description: "Successful deliveries, skipped without `force`" }),
			errors: Type.Array(Type.String()),
		}),
		handler: (request) => replayDeliveries(deps, siteChangeOf(request), request.body),
	});
}
