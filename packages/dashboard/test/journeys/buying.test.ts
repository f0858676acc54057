import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { sellingEnv } from "../../../server/test/support/selling-site.ts";
import {
	type StripeServer,
	stripeEvent,
	stripeSecret,
	stripeServer,
} from "../../../server/test/support/stripe-server.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

let stripe: StripeServer;
let service: DashboardService;
before(async () => {
	stripe = await stripeServer();
	service = await openDashboard({ ...sellingEnv(stripe, stripeSecret), DEFAULT_PLAN: "growth" });
});
after(async () => {
	await service?.close();
	await stripe?.close();
});

const billing = "/organizations/ann/billing";

test("an owner buys a plan at the provider's page, cancels it and lets it go on; invoices go where they are told", async () => {
	const reader = await service.read();
	const { page } = reader;
	await page.route("https://*.stripe.example/**", (route) =>
		route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Provider</title>" }),
	);
	await reader.goto(billing);
	const plan = page.getByRole("region", { name: "Plan", exact: true });
	await plan.getByText("Growth", { exact: true }).waitFor();
	await page.getByText("No invoices yet.", { exact: false }).waitFor();
	await page.getByRole("button", { name: "Choose Growth" }).click();
	const form = page.getByRole("dialog", { name: "Choose Growth" });
	await form.getByText("€599 per month").waitFor();
	await form.getByLabel("Coupon").fill("NOTHING");
	await form.getByRole("button", { name: "Check" }).click();
	await form.locator('[name="coupon_code"][aria-invalid="true"]').waitFor();
	await form.getByLabel("Coupon").fill("");
	await form.getByLabel("Company").fill("Shop GmbH");
	await form.getByLabel("Country").fill("de");
	await form.getByRole("button", { name: "Continue to payment" }).click();
	await page.waitForURL("https://checkout.stripe.example/price_growth_monthly");
	const asked = stripe.asked.find(({ route }) => route === "POST /v1/checkout/sessions")?.fields ?? {};
	assert.match(asked.success_url ?? "", /\/organizations\/ann\/billing\?view=bought:yes$/);
	const [[customer = "", told] = []] = [...stripe.customers];
	assert.deepEqual([told?.name, told?.["address[country]"]], ["Shop GmbH", "DE"]);

	stripe.subscribe({ customer, startsAt: Date.parse("2026-11-21T12:00:00Z") });
	const event = stripeEvent({ id: "evt_1", type: "customer.subscription.created", customer }, service.app.clock.now());
	const url = "/api/v1/billing/provider-webhook";
	assert.equal((await service.app.inject({ method: "POST", url, ...event })).statusCode, 200);
	await reader.goto(`${billing}?view=bought:yes`);
	await plan.getByText("Growth", { exact: true }).waitFor();
	await plan.getByText("Active").waitFor();
	await plan.getByText("Renews on Mon, 21 Dec 2026.").waitFor();
	await plan.getByText("visa •••• 4242, valid until 4/2029").waitFor();
	assert.equal(await page.getByRole("button", { name: /^Choose / }).count(), 0);

	await plan.getByRole("button", { name: "Cancel subscription" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Cancel subscription" }).click();
	await plan.getByText("Cancelled. The plan ends on Mon, 21 Dec 2026 and changes to Free.").waitFor();
	await plan.getByRole("button", { name: "Resume subscription" }).click();
	await page.getByRole("dialog").getByRole("button", { name: "Resume subscription" }).click();
	await plan.getByText("Renews on Mon, 21 Dec 2026.").waitFor();

	await page.getByLabel("Accounting email").fill("books@example.com");
	await page.getByRole("button", { name: "Save" }).click();
	await page.getByText("Invoices go to books@example.com.").waitFor();
	const { accounting_email: kept } = await reader.api<{ accounting_email: string }>("/billing/accounting-email");
	assert.equal(kept, "books@example.com");
	await plan.getByRole("button", { name: "Payment and invoices" }).click();
	await page.waitForURL("https://portal.stripe.example/**");
	await reader.leave();
});
