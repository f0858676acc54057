import type { JobContext } from "../../../../platform/jobs/jobs.ts";
import { DAY_MS } from "../../../../platform/lib/durations.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { findOrganization, type OrganizationRow, planAllows } from "../../../tenancy/organizations/index.ts";
import { findSite } from "../../../tenancy/sites/index.ts";
import { type DomainEvent, type DomainEvents, eventBody } from "../../domain-events/index.ts";
import {
	deleteSomeDeliveries,
	deleteSurplusDeliveries,
	failWaiting,
	insertDeliveries,
	webhookDeliveries,
} from "../deliveries/deliveries-store.ts";
import { noteAttempt } from "../deliveries/note-attempt.ts";
import { type EndpointRow, subscribedTo, type WebhookDeps } from "../deps.ts";
import { webhookEndpoints } from "../endpoints/endpoints-store.ts";
import { type AttemptJob, attemptJob, enqueueAttempt, newDelivery, type Queue, queues } from "./enqueue-attempt.ts";
import { sendAttempt } from "./send-attempt.ts";

/** The organization of a site; undefined when one of them was deleted. */
async function organizationOfSite(metadata: Metadata, siteId: string): Promise<OrganizationRow | undefined> {
	const site = await findSite(metadata, siteId);
	if (site?.is_active !== 1) return undefined;
	const organization = await findOrganization(metadata, site.organization_id);
	return organization?.is_active === 1 ? organization : undefined;
}

/** Requests of a queue that this process makes at once, how many of them for one organization, and to one receiver. */
const limits = {
	fresh: { concurrency: 128, perGroup: 32, perLane: 4 },
	troubled: { concurrency: 32, perGroup: 8, perLane: 1 },
} as const satisfies Record<Queue, { concurrency: number; perGroup: number; perLane: number }>;

/** Says how the two queues of attempts are worked off. */
function registerDelivery(deps: WebhookDeps): void {
	for (const queue of Object.keys(queues) as Queue[]) {
		const options = {
			...limits[queue],
			// A delivery that the service itself cannot complete is recorded in the log of the endpoint.
			onGivenUp: (trx: Metadata, { delivery }: AttemptJob) =>
				failWaiting(trx, delivery, "The service could not make the attempt", deps.clock.now()),
		};
		deps.jobs.register(queues[queue], (job: AttemptJob, context) => deliver(deps, job, context, queue), options);
	}
}

/**
 * Makes one attempt and notes it, unless that was done before. A process that dies in between leaves the attempt to the
 * next one: the receiver may get the event twice, with the same id.
 */
async function deliver(
	deps: WebhookDeps,
	job: AttemptJob,
	{ signal, endWith }: Pick<JobContext, "signal" | "endWith">,
	queue: Queue,
): Promise<void> {
	const { metadata, clock } = deps;
	const delivery = await webhookDeliveries.find(metadata, { id: job.delivery });
	if (delivery === undefined || delivery.completed_at !== null || delivery.attempt_number !== job.attempt - 1) return;
	const endpoint = await webhookEndpoints.find(metadata, { id: delivery.endpoint_id });
	if (endpoint === undefined) return;
	const silence = await whySilent(metadata, endpoint);
	if (silence !== undefined) return endWith((trx) => failWaiting(trx, delivery.id, silence, clock.now()));
	if (queue === "fresh" && endpoint.failing_since !== null) {
		const attempt = { attempt: job.attempt, queue: "troubled" } as const;
		return endWith((trx) => enqueueAttempt(deps, trx, delivery, attempt));
	}
	const atMs = clock.now();
	const outcome = await sendAttempt(deps, endpoint, delivery, signal);
	endWith((trx) => noteAttempt(deps, trx, delivery, { outcome, atMs }));
}

/** Why nothing is sent to an endpoint any more; undefined when it is. */
async function whySilent(metadata: Metadata, endpoint: EndpointRow): Promise<string | undefined> {
	if (endpoint.is_active === 0) return "The endpoint is disabled";
	return (await organizationOfSite(metadata, endpoint.site_id)) === undefined ? "The site was deleted" : undefined;
}

/** Listens to what happens at sites, and says how it is sent out; before the jobs start. */
export function startWebhooks(deps: WebhookDeps & { readonly events: DomainEvents }): void {
	registerDelivery(deps);
	deps.events.listen(async (event, { endWith }) => endWith((trx) => tellEndpoints(deps, trx, event)));
	deps.jobs.schedule("webhook-retention", "11 * * * *", () => dropOldDeliveries(deps));
}

/** Makes a delivery of an event for each active endpoint that wants it; told again of the same event, it makes none. */
async function tellEndpoints(deps: WebhookDeps, trx: Metadata, event: DomainEvent): Promise<void> {
	const now = deps.clock.now();
	const payload = eventBody(event);
	const endpoints = await webhookEndpoints.list(trx, { site_id: event.siteId, is_active: 1 }, "created_at", "id");
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

const KEPT_MS = 30 * DAY_MS;
/** Removed at a time, so that others get at the store in between. */
const CHUNK = 500;

/** Deliveries that have ended, of one endpoint: replays make as many as somebody asks for. */
const KEPT = 1000;

/** Removes deliveries that began more than 30 days ago, those beyond what an endpoint keeps, and secrets that no longer sign. */
async function dropOldDeliveries({ metadata, clock }: Pick<WebhookDeps, "metadata" | "clock">): Promise<void> {
	const now = clock.now();
	const forgotten = { sealed_previous_secret: null, previous_secret_expires_at: null };
	await webhookEndpoints.updateAll(metadata, { previous_secret_expires_at: { "<=": now } }, forgotten);
	for (let removed = CHUNK; removed === CHUNK; ) {
		removed = await deleteSomeDeliveries(metadata, now - KEPT_MS, CHUNK);
	}
	while ((await deleteSurplusDeliveries(metadata, KEPT, CHUNK)) > 0);
}
