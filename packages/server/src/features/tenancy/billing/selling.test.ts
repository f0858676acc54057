import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { growth, type SellingSite, sellingEnv, sellingSite } from "../../../../test/support/selling-site.ts";
import { type StripeServer, stripeSecret, stripeServer } from "../../../../test/support/stripe-server.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";

const codeOf = ({ body }: { body: unknown }) => (body as { error: { code: string } }).error.code;

describe("plans that are sold", () => {
	let app: TestApp;
	let stripe: StripeServer;
	let ann: SellingSite;

	before(async () => {
		stripe = await stripeServer();
		app = await testApp({ env: sellingEnv(stripe, stripeSecret) });
		ann = await sellingSite(app);
	});
	after(async () => {
		await app.close();
		await stripe.close();
	});

	const seconds = (ms: number) => ms / 1000;

	test("who begins is on the plan free, and is told that plans are sold", async () => {
		assert.equal(await ann.plan(), "free");
		const { data } = (await app.inject({ url: "/api/v1/config" })).json();
		assert.deepEqual([data.payments, data.features.includes("billing")], ["stripe", true]);
	});

	test("a checkout leads to the provider's page: the plan's price, the customer, a trial of 14 days for who never bought", async () => {
		const wish = { ...growth, company_name: "Shop GmbH", country: "DE", tax_id: "DE123456789" };
		const { status, body } = await ann.ask("POST /billing/checkout", wish);
		assert.equal(status, 200);
		const { checkout_url, session_id } = body as { checkout_url: string; session_id: string };
		assert.equal(checkout_url, "https://checkout.stripe.example/price_growth_monthly");
		assert.match(session_id, /^cs_/);
		const sent = stripe.asked.find(({ route }) => route === "POST /v1/checkout/sessions")?.fields ?? {};
		assert.deepEqual(
			[sent.mode, sent.customer, sent["subscription_data[trial_period_days]"], sent.client_reference_id],
			["subscription", ann.customer, "14", ann.organizationId],
		);
		assert.match(sent.success_url ?? "", /\/organizations\/ann\/billing$/);
		const customer = stripe.customers.get(ann.customer);
		const described = [customer?.name, customer?.email, customer?.["address[country]"]];
		assert.deepEqual(described, ["Shop GmbH", "ann@example.com", "DE"]);
		const tax = stripe.asked.find(({ route }) => route === `POST /v1/customers/${ann.customer}/tax_ids`);
		assert.deepEqual(tax?.fields, { type: "eu_vat", value: "DE123456789" });
		// Another one closes the first, so that nobody buys twice.
		assert.equal((await ann.ask("POST /billing/checkout", growth)).status, 200);
		assert.ok(stripe.asked.some(({ route }) => route === `POST /v1/checkout/sessions/${session_id}/expire`));
	});

	test("what cannot be sold is refused", async () => {
		const refused = async (changes: object) => {
			const answer = await ann.ask("POST /billing/checkout", { ...growth, ...changes });
			return [answer.status, codeOf(answer)];
		};
		assert.deepEqual(await refused({ plan_tier: "free" }), [400, "bad_request"]);
		assert.deepEqual(await refused({ plan_tier: "enterprise" }), [400, "bad_request"]);
		assert.deepEqual(await refused({ plan_tier: "gold" }), [422, "validation_error"]);
		assert.deepEqual(await refused({ success_url: "javascript:alert(1)" }), [422, "validation_error"]);
		assert.deepEqual(await refused({ coupon_code: "UNKNOWN" }), [400, "bad_request"]);
		assert.deepEqual(await refused({ country: "ES", tax_id: "nonsense" }), [422, "validation_error"]);
		assert.deepEqual(await refused({ country: "BR", tax_id: "1" }), [422, "validation_error"]);
		const zoe = await sellingSite(app, "Zoe");
		const foreign = await zoe.ask("POST /billing/checkout", { ...growth, org_id: ann.organizationId });
		assert.equal(foreign.status, 404);
		assert.equal((await zoe.ask("POST /billing/portal", { org_id: ann.organizationId })).status, 404);
		assert.equal((await zoe.ask("POST /billing/portal", {})).status, 404);
		assert.equal((await zoe.ask("POST /billing/subscription/cancel")).status, 404);
	});

	test("a subscription's life: trial, paid, money that does not come, comes, a larger plan, the end", async () => {
		const now = app.clock.now();
		const trialEnd = seconds(now + 14 * DAY_MS);
		const one = stripe.subscribe({
			customer: ann.customer,
			startsAt: now,
			status: "trialing",
			trial_end: trialEnd,
			billing_cycle_anchor: trialEnd,
		});
		assert.equal(await ann.tell("customer.subscription.created"), 200);
		assert.equal(await ann.plan(), "growth");
		assert.equal(app.sites.get(ann.sites[0] ?? "")?.lifetimeEventLimit, null);
		const subscription = (await ann.ask("GET /billing/subscription")).body;
		assert.deepEqual(subscription, {
			id: one.id,
			status: "trialing",
			plan_tier: "growth",
			billing_interval: "monthly",
			current_period_start: "2026-11-21T12:00:00.000Z",
			current_period_end: "2026-12-21T12:00:00.000Z",
			cancel_at_period_end: false,
			trial_end: "2026-12-05T12:00:00.000Z",
		});
		const usage = (await ann.ask("GET /billing/usage/current")).body as Record<string, unknown>;
		const period = [usage.period_start, usage.period_end, usage.event_limit];
		assert.deepEqual(period, ["2026-11-21T00:00:00.000Z", "2026-12-05T00:00:00.000Z", 5_000_000]);
		const again = await ann.ask("POST /billing/checkout", growth);
		assert.deepEqual([again.status, codeOf(again)], [409, "conflict"]);
		for (const status of ["active", "past_due", "active"]) {
			one.status = status;
			assert.equal(await ann.tell(), 200);
			assert.equal(await ann.plan(), "growth");
		}
		stripe.reprice(one.id, "price_scale_monthly");
		await ann.tell();
		assert.equal(await ann.plan(), "scale");
		stripe.renew(one.id);
		await ann.tell("invoice.paid");
		Object.assign(one, { status: "canceled", ended_at: seconds(now) + 3600 });
		await ann.tell("customer.subscription.deleted");
		assert.equal(await ann.plan(), "free");
		assert.deepEqual(await ann.ask("GET /billing/subscription"), { status: 200, body: null });
		assert.deepEqual(await ann.history(), [
			"checkout_started user",
			"checkout_started user",
			"created provider",
			"activated provider",
			"payment_failed provider",
			"activated provider",
			"plan_changed provider",
			"renewed provider",
			"canceled provider",
		]);
		const { body } = await ann.ask("GET /audit/logs?action=plan.changed", undefined, ann.root);
		const { logs } = (body as { data: { logs: { details: { plan_tier: unknown } }[] } }).data;
		const moves = [
			["free", "growth"],
			["growth", "scale"],
			["scale", "free"],
		];
		assert.deepEqual(logs.map(({ details }) => details.plan_tier).reverse(), moves);
		// The trial was had.
		await ann.ask("POST /billing/checkout", growth);
		const sent = stripe.asked.findLast(({ route }) => route === "POST /v1/checkout/sessions")?.fields;
		assert.equal(sent?.["subscription_data[trial_period_days]"], undefined);
	});

	test("owners cancel at the end of the period and change their mind, and the history says who", async () => {
		const bob = await sellingSite(app, "Bob");
		await bob.ask("POST /billing/checkout", growth);
		stripe.subscribe({ customer: bob.customer, startsAt: app.clock.now() });
		await bob.tell("checkout.session.completed");
		const early = await bob.ask("POST /billing/subscription/resume");
		assert.deepEqual([early.status, codeOf(early)], [409, "conflict"]);
		const cancelled = await bob.ask("POST /billing/subscription/cancel");
		const { success, cancels_at, subscription } = cancelled.body as Record<string, unknown>;
		const { cancel_at_period_end } = subscription as Record<string, unknown>;
		assert.deepEqual(
			[cancelled.status, success, cancels_at, cancel_at_period_end],
			[200, true, "2026-12-21T12:00:00.000Z", true],
		);
		assert.equal((await bob.ask("POST /billing/subscription/cancel")).status, 409);
		assert.equal(await bob.plan(), "growth");
		const resumed = await bob.ask("POST /billing/subscription/resume");
		assert.equal(resumed.status, 200);
		const { body } = await bob.ask("GET /billing/subscription/history?limit=2&offset=1");
		const [last] = body as Record<string, unknown>[];
		const { id, created_at, ...row } = last ?? {};
		assert.deepEqual(row, {
			subscription_id: ((resumed.body as Record<string, unknown>).subscription as { id: string }).id,
			org_id: bob.organizationId,
			user_id: bob.owner.userId,
			user_email: "bob@example.com",
			user_name: "Bob",
			action: "resumed",
			source: "user",
			previous_state: {
				status: "active",
				plan_tier: "growth",
				billing_interval: "monthly",
				current_period_end: "2026-12-21T12:00:00.000Z",
				cancel_at_period_end: true,
			},
			new_state: {
				status: "active",
				plan_tier: "growth",
				billing_interval: "monthly",
				current_period_end: "2026-12-21T12:00:00.000Z",
				cancel_at_period_end: false,
			},
			success: true,
			error_message: null,
			error_code: null,
			ip_address: "127.0.0.1",
		});
	});

	test("card, next invoice and invoices are the provider's, and so is the portal", async () => {
		stripe.invoices.push({
			id: "in_1",
			number: "A-1",
			status: "paid",
			amount_due: 59_900,
			amount_paid: 59_900,
			currency: "eur",
			created: 1_790_000_000,
			due_date: null,
			status_transitions: { paid_at: 1_790_000_100 },
			invoice_pdf: "https://pay.stripe.example/in_1.pdf",
			hosted_invoice_url: "https://pay.stripe.example/in_1",
		});
		const eve = await sellingSite(app, "Eve");
		await eve.ask("POST /billing/checkout", growth);
		stripe.subscribe({ customer: eve.customer, startsAt: app.clock.now() });
		await eve.tell();
		const overview = (await eve.ask("GET /billing/overview")).body as Record<string, unknown>;
		assert.deepEqual(overview.payment_method, { brand: "visa", last4: "4242", exp_month: 4, exp_year: 2029 });
		const upcoming = { amount_due: 59_900, currency: "EUR", due_at: "2027-01-15T08:00:00.000Z" };
		assert.deepEqual(overview.upcoming_invoice, upcoming);
		assert.deepEqual((await eve.ask("GET /billing/invoices?limit=5")).body, [
			{
				id: "in_1",
				number: "A-1",
				status: "paid",
				amount_due: 59_900,
				amount_paid: 59_900,
				currency: "EUR",
				created_at: "2026-09-21T14:13:20.000Z",
				due_date: null,
				paid_at: "2026-09-21T14:15:00.000Z",
				pdf_url: "https://pay.stripe.example/in_1.pdf",
				hosted_invoice_url: "https://pay.stripe.example/in_1",
			},
		]);
		const listed = stripe.asked.findLast(({ route }) => route === "GET /v1/invoices")?.fields;
		assert.deepEqual(listed, { customer: eve.customer, limit: "5" });
		assert.equal((await eve.ask("GET /billing/invoices?starting_after=in_9")).status, 422);
		const portal = await eve.ask("POST /billing/portal", { return_url: "https://stats.example/back" });
		assert.deepEqual(portal.body, { portal_url: `https://portal.stripe.example/${eve.customer}` });
		await eve.ask("PUT /billing/accounting-email", { email: "books@eve.example" });
		await app.jobs.runDue();
		assert.equal(stripe.customers.get(eve.customer)?.email, "books@eve.example");
	});

	test("when the provider fails it is 502, the failure is in the history, and nothing of it in the log", async () => {
		const max = await sellingSite(app, "Max");
		await max.ask("POST /billing/checkout", growth);
		const one = stripe.subscribe({ customer: max.customer, startsAt: app.clock.now() });
		await max.tell();
		stripe.isDown = true;
		const answers = [
			await max.ask("POST /billing/checkout", growth),
			await max.ask("POST /billing/portal", {}),
			await max.ask("POST /billing/subscription/cancel"),
			await max.ask("POST /billing/coupons/validate", { code: "SPRING" }),
			await max.ask("GET /billing/overview"),
			await max.ask("GET /billing/invoices"),
		];
		one.status = "past_due";
		const told = await max.tell("invoice.payment_failed", "evt_repeated");
		stripe.isDown = false;
		assert.deepEqual(
			answers.map((answer) => [answer.status, codeOf(answer)]),
			Array(6).fill([502, "bad_gateway"]),
		);
		assert.equal(told, 502);
		// The provider sends it again.
		assert.equal(await max.tell("invoice.payment_failed", "evt_repeated"), 200);
		assert.deepEqual((await max.history()).slice(2), [
			"checkout_started user failed",
			"cancel_requested user failed",
			"payment_failed provider",
		]);
		assert.doesNotMatch(app.logLines.join("\n"), /sk_test|whsec|max@example/);
	});
});
