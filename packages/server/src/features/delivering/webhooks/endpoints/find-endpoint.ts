import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { findDelivery } from "../deliveries/deliveries-store.ts";
import type { DeliveryRow, EndpointRow } from "../webhook-tables.ts";
import { selectEndpoint } from "./endpoints-store.ts";

/** The answer to an id that the site does not have. */
export const endpointNotFound = () => new ServiceError("not_found", { message: "Webhook endpoint not found" });

/** An endpoint of a site; throws `not_found`. */
export async function getEndpoint(metadata: Metadata, siteId: string, id: string): Promise<EndpointRow> {
	const row = await selectEndpoint(metadata, siteId, id);
	if (row === undefined) throw endpointNotFound();
	return row;
}

/** A delivery of an endpoint of a site; throws `not_found`. */
export async function getDelivery(
	metadata: Metadata,
	siteId: string,
	ids: { readonly endpointId: string; readonly deliveryId: string },
): Promise<{ endpoint: EndpointRow; delivery: DeliveryRow }> {
	const endpoint = await getEndpoint(metadata, siteId, ids.endpointId);
	const delivery = await findDelivery(metadata, endpoint.id, ids.deliveryId);
	if (delivery === undefined) throw new ServiceError("not_found", { message: "Webhook delivery not found" });
	return { endpoint, delivery };
}
