import { DAY_MS } from "../../../../platform/lib/durations.ts";
import { deleteSomeDeliveries, deleteSurplusDeliveries } from "../deliveries/deliveries-store.ts";
import type { WebhookDeps } from "../deps.ts";
import { dropPreviousSecrets } from "../endpoints/endpoints-store.ts";

const KEPT_MS = 30 * DAY_MS;
/** Removed at a time, so that others get at the store in between. */
const CHUNK = 500;

/** Deliveries that have ended, of one endpoint: replays make as many as somebody asks for. */
const KEPT = 1000;

/** Removes deliveries that began more than 30 days ago, those beyond what an endpoint keeps, and secrets that no longer sign. */
export async function dropOldDeliveries({ metadata, clock }: Pick<WebhookDeps, "metadata" | "clock">): Promise<void> {
	const now = clock.now();
	await dropPreviousSecrets(metadata, now);
	for (let removed = CHUNK; removed === CHUNK; ) {
		removed = await deleteSomeDeliveries(metadata, now - KEPT_MS, CHUNK);
	}
	while ((await deleteSurplusDeliveries(metadata, KEPT, CHUNK)) > 0);
}
