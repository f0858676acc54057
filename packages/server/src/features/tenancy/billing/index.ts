/** Usage of plans, and subscriptions of organizations. */

import type { App } from "../../../platform/http/app.ts";
import { registerAccount, registerSubscription, registerUsage } from "./account-routes.ts";
import type { BillingDeps } from "./deps.ts";
import { registerSellingJobs } from "./selling-jobs.ts";
import { registerProviderWebhook, registerSelling } from "./selling-routes.ts";
import { watchUsage } from "./watch-usage.ts";

export { stripePayments } from "./provider/stripe-payments.ts";
export { addToDays, type CollectedDay, lifetimeEvents } from "./store.ts";

/** Routes on plans, usage and subscriptions, and the work behind them. */
export function registerBilling(app: App, deps: BillingDeps): void {
	registerAccount(app, deps);
	registerUsage(app, deps);
	registerSubscription(app, deps);
	registerSelling(app, deps);
	registerProviderWebhook(app, deps);
	const { jobs, payments } = deps;
	jobs.schedule("usage-watch", "3-59/10 * * * *", ({ signal }) => watchUsage(deps, signal));
	if (payments !== undefined) registerSellingJobs(jobs, { ...deps, payments });
}
