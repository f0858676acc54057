import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { planAllows } from "../../../tenancy/organizations/index.ts";
import type { DomainEvent } from "../../domain-events/index.ts";
import { insertDeliveries } from "../deliveries/deliveries-store.ts";
import { newDelivery } from "../deliveries/new-delivery.ts";
import type { WebhookDeps } from "../deps.ts";
import { listActiveEndpoints } from "../endpoints/endpoints-store.ts";
import { organizationOfSite } from "../endpoints/organization-of-site.ts";
import { subscribedTo } from "../webhook-tables.ts";
import { attemptJob } from "./enqueue-attempt.ts";
import { eventPayload } from "./event-payload.ts";

/** Makes a delivery of an event for each active endpoint that wants it; told again of the same event, it makes none. */
export async function tellEndpoints(deps: WebhookDeps, trx: Metadata, event: DomainEvent): Promise<void> {
	const now = deps.clock.now();
	const payload = eventPayload(event);
	const endpoints = await listActiveEndpoints(trx, event.siteId);
	const told = endpoints.filter((endpoint) => subscribedTo(endpoint).includes(event.type));
	if (told.length === 0) return;
	// Endpoints of a deleted site, and of an organization that is on a smaller plan by now, are kept and hear nothing.
	const organization = await organizationOfSite(trx, event.siteId);
	if (organization === undefined || !planAllows(organization.plan_tier, "webhooks")) return;
	const about = { event_id: event.id, event_type: event.type, payload };
	const deliveries = await insertDeliveries(
		trx,
		told.map(({ id }) => ({ ...newDelivery({ ...about, endpoint_id: id }, now), event_key: `${id} ${event.id}` })),
	);
	const failing = new Set(told.filter((row) => row.failing_since !== null).map(({ id }) => id));
	const queueOf = (id: string) => (failing.has(id) ? "troubled" : "fresh");
	await deps.jobs.enqueueAll(
		trx,
		deliveries.map((row) => attemptJob(organization.id, row, { attempt: 1, queue: queueOf(row.endpoint_id) })),
	);
}
