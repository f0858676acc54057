import { tables } from "../../../../../migrations/metadata/tables/index.ts";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { type PageRequest, pageOf } from "../../../../platform/metadata/page-of.ts";
import { findDelivery } from "../deliveries/deliveries-store.ts";
import type { DeliveryRow, EndpointRow } from "../deps.ts";

const selectEndpoints = (metadata: Metadata) => tables(metadata).selectFrom("webhook_endpoints").selectAll();

type EndpointChanges = Partial<Omit<EndpointRow, "id" | "site_id" | "created_at" | "created_by">>;

/** Some endpoints of a site, newest first, and how many there are in all. */
export async function listEndpoints(
	metadata: Metadata,
	siteId: string,
	{ includeInactive, ...page }: PageRequest & { readonly includeInactive: boolean },
) {
	const all = tables(metadata)
		.selectFrom("webhook_endpoints")
		.where("site_id", "=", siteId)
		.$if(!includeInactive, (query) => query.where("is_active", "=", 1));
	return pageOf(all, (query) => query.selectAll().orderBy("created_at", "desc").orderBy("id"), page);
}

export const listActiveEndpoints = (metadata: Metadata, siteId: string): Promise<EndpointRow[]> =>
	selectEndpoints(metadata)
		.where("site_id", "=", siteId)
		.where("is_active", "=", 1)
		.orderBy("created_at")
		.orderBy("id")
		.execute();

/** Number of a site's endpoints, inactive ones included. */
export async function countEndpoints(metadata: Metadata, siteId: string): Promise<number> {
	const { count } = await tables(metadata)
		.selectFrom("webhook_endpoints")
		.select((query) => query.fn.countAll().as("count"))
		.where("site_id", "=", siteId)
		.executeTakeFirstOrThrow();
	return Number(count);
}

const selectEndpoint = (metadata: Metadata, siteId: string, id: string): Promise<EndpointRow | undefined> =>
	selectEndpoints(metadata).where("site_id", "=", siteId).where("id", "=", id).executeTakeFirst();

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

export const findEndpointOf = (
	metadata: Metadata,
	delivery: Pick<DeliveryRow, "endpoint_id">,
): Promise<EndpointRow | undefined> =>
	selectEndpoints(metadata).where("id", "=", delivery.endpoint_id).executeTakeFirst();

/** One endpoint of a site, locked until this transaction ends. */
export const lockEndpoint = (metadata: Metadata, siteId: string, id: string): Promise<EndpointRow | undefined> =>
	tables(metadata)
		.updateTable("webhook_endpoints")
		.set((query) => ({ name: query.ref("name") }))
		.where("site_id", "=", siteId)
		.where("id", "=", id)
		.returningAll()
		.executeTakeFirst();

export const insertEndpoint = (metadata: Metadata, row: EndpointRow): Promise<EndpointRow> =>
	tables(metadata).insertInto("webhook_endpoints").values(row).returningAll().executeTakeFirstOrThrow();

export const updateEndpoint = (
	metadata: Metadata,
	id: string,
	changes: EndpointChanges,
): Promise<EndpointRow | undefined> =>
	tables(metadata).updateTable("webhook_endpoints").set(changes).where("id", "=", id).returningAll().executeTakeFirst();

/** Switches an endpoint off for a reason; false when it is off already. */
export async function deactivateEndpoint(
	metadata: Metadata,
	id: string,
	reason: "gone" | "failing",
	nowMs: number,
): Promise<boolean> {
	const rows = await tables(metadata)
		.updateTable("webhook_endpoints")
		.set({ is_active: 0, disabled_reason: reason, updated_at: nowMs })
		.where("id", "=", id)
		.where("is_active", "=", 1)
		.returning("id")
		.execute();
	return rows.length > 0;
}

/** Notes an attempt to reach an endpoint; undefined when it is gone. */
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

/** Deletes an endpoint with its deliveries. */
export async function deleteEndpoint(metadata: Metadata, id: string): Promise<void> {
	await tables(metadata).deleteFrom("webhook_endpoints").where("id", "=", id).execute();
}

export const listAllEndpoints = (metadata: Metadata): Promise<EndpointRow[]> =>
	selectEndpoints(metadata).orderBy("id").execute();

/** Puts newly sealed values in the place of others, unless somebody changed the secret or the headers meanwhile. */
export async function replaceSealed(
	metadata: Metadata,
	{ id, sealed_secret: secret, sealed_headers: headers }: EndpointRow,
	sealed: Pick<EndpointRow, "sealed_headers" | "sealed_secret" | "sealed_previous_secret">,
): Promise<void> {
	await tables(metadata)
		.updateTable("webhook_endpoints")
		.set(sealed)
		.where("id", "=", id)
		.where("sealed_secret", "=", secret)
		.where("sealed_headers", "=", headers)
		.execute();
}

/** Forgets secrets whose last hours after a rotation are over. */
export async function dropPreviousSecrets(metadata: Metadata, nowMs: number): Promise<void> {
	await tables(metadata)
		.updateTable("webhook_endpoints")
		.set({ sealed_previous_secret: null, previous_secret_expires_at: null })
		.where("previous_secret_expires_at", "<=", nowMs)
		.execute();
}

export const endpointNotFound = () => new ServiceError("not_found", { message: "Webhook endpoint not found" });

export async function getEndpoint(metadata: Metadata, siteId: string, id: string): Promise<EndpointRow> {
	const row = await selectEndpoint(metadata, siteId, id);
	if (row === undefined) throw endpointNotFound();
	return row;
}

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
