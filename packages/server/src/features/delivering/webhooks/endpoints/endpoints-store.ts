import { tables } from "../../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../../migrations/metadata/tables/table-of.ts";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { webhookDeliveries } from "../deliveries/deliveries-store.ts";
import type { DeliveryRow, EndpointRow } from "../deps.ts";

export const webhookEndpoints = tableOf("webhook_endpoints");

/** The organization of an endpoint; undefined when it was removed. */
export async function findOrganizationId(metadata: Metadata, endpointId: string): Promise<string | undefined> {
	const row = await tables(metadata)
		.selectFrom("webhook_endpoints")
		.innerJoin("sites", "sites.id", "webhook_endpoints.site_id")
		.select("sites.organization_id as id")
		.where("webhook_endpoints.id", "=", endpointId)
		.executeTakeFirst();
	return row?.id;
}

export const lockEndpoint = (metadata: Metadata, siteId: string, id: string): Promise<EndpointRow | undefined> =>
	tables(metadata)
		.updateTable("webhook_endpoints")
		.set((query) => ({ name: query.ref("name") }))
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.returningAll()
		.executeTakeFirst();

export const noteContact = (
	metadata: Metadata,
	id: string,
	{ failure, nowMs }: { failure: string | null; nowMs: number },
): Promise<EndpointRow | undefined> =>
	tables(metadata)
		.updateTable("webhook_endpoints")
		.set((query) =>
			failure === null
				? { last_delivery_at: nowMs, last_success_at: nowMs, failing_since: null }
				: {
						last_delivery_at: nowMs,
						last_failure_at: nowMs,
						last_failure_reason: failure,
						failing_since: query.fn.coalesce("failing_since", query.val(nowMs)),
					},
		)
		.where("id", "=", id)
		.returningAll()
		.executeTakeFirst();

export const endpointNotFound = () => new ServiceError("not_found", "Webhook endpoint not found");

export async function getEndpoint(metadata: Metadata, siteId: string, id: string): Promise<EndpointRow> {
	const row = await webhookEndpoints.find(metadata, { site_id: siteId, id });
	if (row === undefined) throw endpointNotFound();
	return row;
}

export async function getDelivery(
	metadata: Metadata,
	siteId: string,
	ids: { readonly endpointId: string; readonly deliveryId: string },
): Promise<DeliveryRow> {
	const endpoint = await getEndpoint(metadata, siteId, ids.endpointId);
	const delivery = await webhookDeliveries.find(metadata, {
		endpoint_id: endpoint.id,
		delivery_id: ids.deliveryId,
	});
	if (delivery === undefined) throw new ServiceError("not_found", "Webhook delivery not found");
	return delivery;
}
