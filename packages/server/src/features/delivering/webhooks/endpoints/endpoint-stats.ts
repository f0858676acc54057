import { HOUR_MS } from "../../../../platform/lib/durations.ts";
import { deliveryFigures, latestFailures } from "../deliveries/deliveries-store.ts";
import type { WebhookDeps } from "../deps.ts";
import { getEndpoint } from "./find-endpoint.ts";

const RECENT_FAILURES = 10;

/** How an endpoint has fared in the last hours; throws `not_found`. */
export async function endpointStats(
	{ metadata, clock }: Pick<WebhookDeps, "metadata" | "clock">,
	siteId: string,
	id: string,
	hours: number,
) {
	const endpoint = await getEndpoint(metadata, siteId, id);
	const sinceMs = clock.now() - hours * HOUR_MS;
	const figures = await deliveryFigures(metadata, id, sinceMs);
	const failures = await latestFailures(metadata, id, { sinceMs, limit: RECENT_FAILURES });
	return { endpoint, figures, failures };
}
