import { registerBilling, stripePayments } from "../../features/tenancy/billing/index.ts";
import type { App } from "../../platform/http/app.ts";
import type { RouteDeps } from "../app-deps.ts";

/** Routes of usage and billing. */
export function registerBillingRoutes(api: App, deps: RouteDeps): void {
	const { config, metadata, clock, sites, jobs, mailer, rootUrl, storedEvents } = deps;
	const { stripeSecretKey: secretKey, stripeWebhookSecret: webhookSecret, stripeApiUrl: apiUrl } = config;
	registerBilling(api, {
		metadata,
		clock,
		sites,
		jobs,
		mailer,
		rootUrl,
		eventStore: storedEvents,
		payments: secretKey === undefined ? undefined : stripePayments({ clock, secretKey, webhookSecret, apiUrl }),
		takesEvents: webhookSecret !== undefined,
	});
}
