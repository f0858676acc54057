import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { tables } from "../../../server/migrations/metadata/tables/index.ts";
import { signIn } from "../../../server/test/support/accounts.ts";
import { sellingEnv } from "../../../server/test/support/selling-site.ts";
import {
	type StripeServer,
	stripeEvent,
	stripeSecret,
	stripeServer,
} from "../../../server/test/support/stripe-server.ts";
import { whole } from "../support/acts.ts";
import { type DashboardService, openDashboard } from "../support/open-dashboard.ts";

const billing = "/organizations/ann/billing";

describe("without a payment provider", () => {
	const root = "root@example.com";
	let service: DashboardService;
	before(async () => {
		service = await openDashboard();
		await signIn(service.app, { email: root, name: "Root", role: "superadmin" });
	});
	after(() => service?.close());

	/** Puts Ann's organization on a plan, as whoever runs the service does. */
	const put = (plan_tier: "free" | "growth") =>
		tables(service.app.metadata).updateTable("organizations").set({ plan_tier }).where("slug", "=", "ann").execute();

	/** Stores page views of this month, beside what the shop has. */
	const store = (views: number) =>
		service.app.eventStore.command(
			`INSERT INTO events (site, date, ts, kind, page_view) VALUES ('shop', '2026-11-02', '2026-11-02 00:00:00', 'pageview', ${views})`,
		);

	interface Usage {
		readonly human_events: number;
		readonly agent_events: number;
		readonly percentage: number;
	}

	test("an organization without limits shows no plan; one with a plan shows its usage to owners, without prices", async () => {
		await store(2_000_000);
		const { page, goto, load, api, leave } = await service.read();
		await goto("/organizations/ann");
		await page.getByRole("heading", { name: "Members and access" }).waitFor();
		for (const role of ["heading", "link"] as const)
			assert.equal(await page.getByRole(role, { name: /plan|billing|usage/i }).count(), 0);
		await put("growth");
		await load("/organizations/ann");
		await page.getByRole("link", { name: "Usage" }).click();
		await page.waitForURL(`**${billing}`);
		const usage = await api<Usage>("/billing/usage/current");
		const events = page.getByRole("region", { name: "Events", exact: true });
		for (const text of [
			whole.format(usage.human_events),
			`${Math.round(usage.percentage)} % of 5,000,000, November 2026`,
			"10 days left.",
			`${whole.format(usage.agent_events)} bot events`,
			"Within plan",
		])
			await events.getByText(text, { exact: false }).first().waitFor();
		const plan = page.getByRole("region", { name: "Plan", exact: true });
		await plan.getByText("The operator of this service sets the plan", { exact: false }).waitFor();
		assert.equal(await plan.getByRole("link", { name: "Set plan" }).count(), 0);
		for (const name of ["Plans", "Invoices"]) assert.equal(await page.getByRole("region", { name }).count(), 0);
		assert.equal(await page.getByText("€").count(), 0);
		await leave();
	});

	test("the report tells an owner at 80 and at 100 percent what will follow, and nobody else; whoever runs the service changes the plan and takes that back", async () => {
		const { page, goto, load, leave } = await service.read();
		const banner = page.getByRole("status").filter({ hasText: "Your organization" });
		await store(2_200_000);
		await goto("/sites/shop");
		await banner.getByText(/has used 8\d % of its events/).waitFor();
		await banner.getByText("a second unforgiven month in a row upgrades you to Scale", { exact: false }).waitFor();
		await banner.getByRole("link", { name: "View usage" }).click();
		await page.getByText("Near limit").waitFor();
		await goto("/sites/shop");
		await banner.getByRole("button", { name: "Hide" }).click();
		await banner.waitFor({ state: "detached" });
		await page.evaluate(() => sessionStorage.clear());
		await store(1_000_000);
		await goto("/sites/shop");
		await banner.getByText("has used all events of its plan", { exact: false }).waitFor();
		await put("free");
		await load("/sites/shop?lang=es");
		await banner.getByText("At the limit, tracking stops on all sites.", { exact: false }).waitFor();
		await leave();

		const boss = await service.read({ as: root });
		await boss.goto("/sites/shop");
		await boss.page.clock.runFor(3_000);
		assert.equal(await boss.page.getByText("has used all events").count(), 0);
		await boss.goto(billing);
		await boss.page.getByText("Stopped", { exact: true }).waitFor();
		await boss.page.getByRole("link", { name: "Set plan" }).click();
		const plan = boss.page.getByRole("combobox", { name: "Plan of Ann" });
		await plan.selectOption("scale");
		await boss.page.getByText("Ann is now on the Scale plan.").waitFor();
		await boss.page.getByRole("button", { name: "Undo" }).click();
		await boss.page.getByText("Undone.").waitFor();
		assert.equal(await plan.inputValue(), "free");
		await boss.leave();
	});
});

describe("with a payment provider", () => {
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

	test("an owner buys a plan at the provider's page, cancels it and lets it go on; invoices go where they are told", async () => {
		const { page, goto, api, leave } = await service.read();
		await page.route("https://*.stripe.example/**", (route) =>
			route.fulfill({ contentType: "text/html", body: "<!doctype html><title>Provider</title>" }),
		);
		await goto(billing);
		const plan = page.getByRole("region", { name: "Plan", exact: true });
		await page.getByText("No invoices yet.", { exact: false }).waitFor();
		const plans = page.getByRole("region", { name: "Plans" });
		await plans.getByRole("listitem").filter({ hasText: "Growth" }).getByText("Current plan").waitFor();
		await plans.getByText("€1,079 per month").waitFor();
		await plans.getByRole("tab", { name: "Yearly" }).click();
		await plans.getByText("€10,788 per year").waitFor();
		await plans.getByText("equals €899 per month").waitFor();
		await plans.getByRole("tab", { name: "Monthly" }).click();
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
		const created = { id: "evt_1", type: "customer.subscription.created", customer };
		const event = stripeEvent(created, service.app.clock.now());
		const url = "/api/v1/billing/provider-webhook";
		assert.equal((await service.app.inject({ method: "POST", url, ...event })).statusCode, 200);
		await goto(`${billing}?view=bought:yes`);
		await plan.getByText("Active").waitFor();
		await plan.getByText("Renews on Mon, 21 Dec 2026.").waitFor();
		await plan.getByText("visa •••• 4242, valid until 4/2029").waitFor();
		assert.equal(await page.getByRole("button", { name: /^Choose / }).count(), 0);
		const confirm = async (act: string) => {
			await plan.getByRole("button", { name: act }).click();
			await page.getByRole("dialog").getByRole("button", { name: act }).click();
		};
		await confirm("Cancel subscription");
		await plan.getByText("Cancelled. The plan ends on Mon, 21 Dec 2026 and changes to Free.").waitFor();
		await confirm("Resume subscription");
		await plan.getByText("Renews on Mon, 21 Dec 2026.").waitFor();
		await page.getByLabel("Accounting email").fill("books@example.com");
		await page.getByRole("button", { name: "Save" }).click();
		await page.getByText("Invoices go to books@example.com.").waitFor();
		const { accounting_email: kept } = await api<{ accounting_email: string }>("/billing/accounting-email");
		assert.equal(kept, "books@example.com");
		await plan.getByRole("button", { name: "Payment and invoices" }).click();
		await page.waitForURL("https://portal.stripe.example/**");
		await leave();
	});
});
