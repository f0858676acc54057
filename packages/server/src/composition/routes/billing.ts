import { registerBilling, scheduleUsageWatch } from "../../features/tenancy/billing/index.ts";
import type { App } from "../../platform/http/app.ts";
import type { RouteDeps } from "../app-deps.ts";

/** What organizations use and pay. */
export function registerBillingRoutes(api: App, deps: RouteDeps): void {
	const { metadata, clock, sites, jobs, mailer, rootUrl, storedEvents } = deps;
	const usage = { metadata, clock, sites, eventStore: storedEvents };
	registerBilling(api, usage);
	scheduleUsageWatch(jobs, { ...usage, mailer, rootUrl });
}
