import { billingSite } from "./billing-site.ts";
import { type StripeServer, stripeEvent } from "./stripe-server.ts";
import type { TestApp } from "./test-app.ts";

/** The variables of a service that sells plans. */
export const sellingEnv = (stripe: StripeServer, secret: string) => ({
	STRIPE_SECRET_KEY: "sk_test_of_the_tests",
	STRIPE_WEBHOOK_SECRET: secret,
	STRIPE_API_URL: stripe.url,
});

/** The most common purchase. */
export const growth = { plan_tier: "growth", billing_interval: "monthly" };

/** An organization that buys, and the provider's way to tell of it. */
export type SellingSite = Awaited<ReturnType<typeof sellingSite>>;

let events = 0;

/** Makes an organization; its customer is there once it has begun a checkout. */
export async function sellingSite(app: TestApp, name = "Ann") {
	const at = await billingSite(app, name);
	const customer = `cus_${at.organizationId}`;
	return {
		...at,
		customer,
		/** Sends an event about the customer; answers the status. */
		tell: async (type = "customer.subscription.updated", id = `evt_${++events}`) => {
			const request = stripeEvent({ id, type, customer }, app.clock.now());
			const url = "/api/v1/billing/provider-webhook";
			return (await app.inject({ method: "POST", url, ...request })).statusCode;
		},
		/** The plan that the organization is on. */
		plan: async () => {
			const { body } = await at.ask(`GET /organizations/${name.toLowerCase()}`);
			return body.data.plan_tier;
		},
		/** Actions of the history with their sources, oldest first. */
		history: async () => {
			const { body } = await at.ask("GET /billing/subscription/history?limit=100");
			const rows: { action: string; source: string; success: boolean }[] = body;
			return rows.map(({ action, source, success }) => `${action} ${source}${success ? "" : " failed"}`).reverse();
		},
	};
}
