/** What organizations use of their plans, and what they have bought. */

import type { App } from "../../../platform/http/app.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import { registerAccount } from "./account-routes.ts";
import type { UsageDeps, WatchDeps } from "./deps.ts";
import { registerSubscription } from "./subscription-routes.ts";
import { registerUsage } from "./usage-routes.ts";
import { watchUsage } from "./watch-usage.ts";

/** Routes on plans, usage and subscriptions. */
export function registerBilling(app: App, deps: UsageDeps): void {
	registerAccount(app, deps);
	registerUsage(app, deps);
	registerSubscription(app, deps);
}

/** Looks every ten minutes what organizations use, and does what follows from it. */
export function scheduleUsageWatch(jobs: Jobs, deps: WatchDeps): void {
	jobs.schedule("usage-watch", "3-59/10 * * * *", ({ signal }) => watchUsage(deps, signal));
}
