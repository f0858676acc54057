import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { SiteChange } from "../../../tenancy/organizations/index.ts";
import type { DeliveryRow, WebhookDeps } from "../deps.ts";
import { requireWebhooks } from "../endpoints/change-endpoint.ts";
import { endpointNotFound, getDelivery, lockEndpoint } from "../endpoints/endpoints-store.ts";
import { enqueueAttempt } from "../sending/enqueue-attempt.ts";
import { findDeliveriesOfSite, insertDeliveries } from "./deliveries-store.ts";
import { newDelivery } from "./new-delivery.ts";

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
export async function replayDelivery(
	deps: WebhookDeps,
	{ site }: SiteChange,
	ids: { readonly endpointId: string; readonly deliveryId: string },
	{ force }: { readonly force: boolean },
): Promise<string> {
	return deps.metadata.transaction().execute(async (trx) => {
		// It stays on, and in being, until the replay is stored.
		const endpoint = await lockEndpoint(trx, site.id, ids.endpointId);
		if (endpoint === undefined) throw endpointNotFound();
		const { delivery } = await getDelivery(trx, site.id, ids);
		await requireWebhooks(trx, site.organizationId);
		if (endpoint.is_active === 0) throw new ServiceError("conflict", { message: "The endpoint is disabled" });
		if (delivery.status === "success" && !force) {
			throw new ServiceError("conflict", { message: "The delivery has succeeded: set `force` to replay it" });
		}
		return sendAgain(deps, trx, delivery);
	});
}

interface BulkReplay {
	readonly replayed: number;
	/** Have succeeded, and were not forced. */
	readonly skipped: number;
	readonly errors: string[];
}

/** Replays those of some deliveries that can be; throws `forbidden` when the plan has no webhooks. */
export async function replayDeliveries(
	deps: WebhookDeps,
	{ site }: SiteChange,
	{ deliveryIds, force }: { readonly deliveryIds: readonly string[]; readonly force: boolean },
): Promise<BulkReplay> {
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
