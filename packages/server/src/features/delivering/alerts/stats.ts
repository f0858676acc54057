import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { AlertDeps } from "./deps.ts";
import { countActiveAlerts, countAlertsSince, lastTrigger, mostTriggeredRule } from "./history-store.ts";
import { listRules } from "./store.ts";

/** How much the rules of a site have found. */
export async function alertStats({ metadata, clock }: Pick<AlertDeps, "metadata" | "clock">, siteId: string) {
	const nowMs = clock.now();
	const since = (days: number) => countAlertsSince(metadata, siteId, nowMs - days * DAY_MS);
	return {
		activeRules: (await listRules(metadata, siteId, false)).length,
		triggers: { day: await since(1), week: await since(7), month: await since(30) },
		unacknowledged: await countActiveAlerts(metadata, siteId),
		mostTriggered: await mostTriggeredRule(metadata, siteId, nowMs - 30 * DAY_MS),
		last: await lastTrigger(metadata, siteId),
	};
}

/** Statistics of a site's rules. */
export type AlertStats = Awaited<ReturnType<typeof alertStats>>;
