import assert from "node:assert/strict";
import { after, test } from "node:test";
import { codeOf } from "../../../../test/support/refusals.ts";
import { growth, type SellingSite, sellingEnv, sellingSite } from "../../../../test/support/selling-site.ts";
import { stripeEvent, stripeSecret, stripeServer } from "../../../../test/support/stripe-server.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";

const refusal = ({ status, body }: Awaited<ReturnType<SellingSite["ask"]>>) => [status, body.error.code];

const stripe = await stripeServer();
const app = await testApp({ env: sellingEnv(stripe, stripeSecret), seeksInsights: false });
const ann = await sellingSite(app);
after(async () => {
	await app.close();
	await stripe.close();
});

/** An organization that bought the plan growth. */
const customer = async (name: string, status = "active") => {
	const at = await sellingSite(app, name);
	await at.ask("POST /billing/checkout", growth);
	const subscription = stripe.subscribe({ customer: at.customer, startsAt: app.clock.now(), status });
	await at.tell();
	return { at, subscription };
};
const pass = async (ms: number) => {
	app.clock.advance(ms);
	await app.jobs.runDue();
};
const got = async (at: SellingSite, route: string) => (await at.ask(route)).body;

test("a checkout leads from the plan free to the provider's page: price, customer, a trial of 14 days for who never bought", async () => {
	assert.equal(await ann.plan(), "free");
	const { data } = (await app.inject({ url: "/api/v1/config" })).json();
	assert.deepEqual([data.payments, data.features.includes("billing")], ["stripe", true]);
	const wish = { ...growth, company_name: "Shop GmbH", country: "DE", tax_id: "DE123456789" };
	const { status, body } = await ann.ask("POST /billing/checkout", wish);
	const { checkout_url, session_id } = body;
	assert.deepEqual([status, checkout_url], [200, "https://checkout.stripe.example/price_growth_monthly"]);
	assert.match(session_id, /^cs_/);
	const sent = stripe.asked.find(({ route }) => route === "POST /v1/checkout/sessions")?.fields ?? {};
	const { mode, customer: of, client_reference_id, "subscription_data[trial_period_days]": trialDays } = sent;
	assert.deepEqual([mode, of, client_reference_id], ["subscription", ann.customer, ann.organizationId]);
	assert.equal(trialDays, "14");
	assert.match(sent.success_url ?? "", /\/organizations\/ann\/billing$/);
	const { name, email, "address[country]": country } = stripe.customers.get(ann.customer) ?? {};
	assert.deepEqual([name, email, country], ["Shop GmbH", "ann@example.com", "DE"]);
	const tax = stripe.asked.find(({ route }) => route === `POST /v1/customers/${ann.customer}/tax_ids`);
	assert.deepEqual(tax?.fields, { type: "eu_vat", value: "DE123456789" });
	// Another one closes the first, so that nobody buys twice.
	assert.equal((await ann.ask("POST /billing/checkout", growth)).status, 200);
	assert.ok(stripe.asked.some(({ route }) => route === `POST /v1/checkout/sessions/${session_id}/expire`));
});

test("an order that cannot be sold is refused", async () => {
	const bad = [400, "bad_request"];
	const faulty = [422, "validation_error"];
	for (const [changes, expected] of [
		[{ plan_tier: "free" }, bad],
		[{ plan_tier: "enterprise" }, bad],
		[{ success_url: "javascript:alert(1)" }, faulty],
		[{ coupon_code: "UNKNOWN" }, bad],
		[{ country: "ES", tax_id: "nonsense" }, faulty],
		[{ country: "BR", tax_id: "1" }, faulty],
	] as const) {
		const answer = await ann.ask("POST /billing/checkout", { ...growth, ...changes });
		assert.deepEqual(refusal(answer), expected, JSON.stringify(changes));
	}
	const zoe = await sellingSite(app, "Zoe");
	const of = { org_id: ann.organizationId };
	assert.equal((await zoe.ask("POST /billing/checkout", { ...growth, ...of })).status, 404);
	assert.equal((await zoe.ask("POST /billing/portal", of)).status, 404);
	assert.equal((await zoe.ask("POST /billing/portal", {})).status, 404);
	assert.equal((await zoe.ask("POST /billing/subscription/cancel")).status, 404);
});

test("a subscription's life: trial, paid, money that does not come, comes, a larger plan, the end", async () => {
	const now = app.clock.now();
	const trialEnd = (now + 14 * DAY_MS) / 1000;
	const trial = { status: "trialing", trial_end: trialEnd, billing_cycle_anchor: trialEnd };
	const one = stripe.subscribe({ customer: ann.customer, startsAt: now, ...trial });
	assert.equal(await ann.tell("customer.subscription.created"), 200);
	assert.equal(await ann.plan(), "growth");
	assert.equal(app.sites.get(ann.sites[0] ?? "")?.lifetimeEventLimit, null);
	const times = { current_period_start: "2026-11-21T12:00:00.000Z", current_period_end: "2026-12-21T12:00:00.000Z" };
	const plan = { plan_tier: "growth", billing_interval: "monthly", cancel_at_period_end: false };
	const shown = { id: one.id, status: "trialing", ...plan, ...times, trial_end: "2026-12-05T12:00:00.000Z" };
	assert.deepEqual(await got(ann, "GET /billing/subscription"), shown);
	const { period_start, period_end, event_limit } = await got(ann, "GET /billing/usage/current");
	const period = ["2026-11-21T00:00:00.000Z", "2026-12-05T00:00:00.000Z", 5_000_000];
	assert.deepEqual([period_start, period_end, event_limit], period);
	assert.deepEqual(refusal(await ann.ask("POST /billing/checkout", growth)), [409, "conflict"]);
	for (const status of ["active", "past_due", "active"]) {
		one.status = status;
		assert.deepEqual([await ann.tell(), await ann.plan()], [200, "growth"]);
	}
	stripe.reprice(one.id, "price_scale_monthly");
	await ann.tell();
	assert.equal(await ann.plan(), "scale");
	stripe.renew(one.id);
	await ann.tell("invoice.paid");
	Object.assign(one, { status: "canceled", ended_at: now / 1000 + 3600 });
	await ann.tell("customer.subscription.deleted");
	assert.equal(await ann.plan(), "free");
	assert.deepEqual(await ann.ask("GET /billing/subscription"), { status: 200, body: null });
	const told = ["created", "activated", "payment_failed", "activated", "plan_changed", "renewed", "canceled"];
	const began = ["checkout_started user", "checkout_started user"];
	assert.deepEqual(await ann.history(), [...began, ...told.map((action) => `${action} provider`)]);
	const { body } = await ann.ask("GET /audit/logs?action=plan.changed", undefined, ann.root);
	const logs: { details: { plan_tier: string[] } }[] = body.data.logs;
	const moves = logs.map(({ details }) => details.plan_tier.join(" to ")).reverse();
	assert.deepEqual(moves, ["free to growth", "growth to scale", "scale to free"]);
	// The trial was had.
	await ann.ask("POST /billing/checkout", growth);
	const sent = stripe.asked.findLast(({ route }) => route === "POST /v1/checkout/sessions")?.fields;
	assert.equal(sent?.["subscription_data[trial_period_days]"], undefined);
});

test("owners cancel at the end of the period and change their mind, and the history says who", async () => {
	const { at: bob, subscription } = await customer("Bob");
	const act = (what: string) => bob.ask(`POST /billing/subscription/${what}`);
	assert.deepEqual(refusal(await act("resume")), [409, "conflict"]);
	const { status, body } = await act("cancel");
	const { success, cancels_at, subscription: shown } = body;
	assert.deepEqual([status, success, cancels_at], [200, true, "2026-12-21T12:00:00.000Z"]);
	assert.equal(shown.cancel_at_period_end, true);
	assert.equal((await act("cancel")).status, 409);
	assert.equal(await bob.plan(), "growth");
	assert.equal((await act("resume")).status, 200);
	const history = await bob.ask("GET /billing/subscription/history?limit=2&offset=1");
	const [{ id, created_at, previous_state: before, new_state: now, ...row }] = history.body;
	assert.deepEqual(row, {
		...{ subscription_id: subscription.id, org_id: bob.organizationId, user_id: bob.owner.userId },
		...{ user_email: "bob@example.com", user_name: "Bob", ip_address: "127.0.0.1" },
		...{ action: "resumed", source: "user", success: true, error_message: null, error_code: null },
	});
	const plan = { plan_tier: "growth", billing_interval: "monthly" };
	const state = { status: "active", ...plan, current_period_end: cancels_at };
	const cancels = [true, false].map((cancel_at_period_end) => ({ ...state, cancel_at_period_end }));
	assert.deepEqual([before, now], cancels);
});

test("card, next invoice and invoices are the provider's, and so is the portal", async () => {
	const page = "https://pay.stripe.example/in_1";
	const invoice = { id: "in_1", number: "A-1", status: "paid", amount_due: 59_900, amount_paid: 59_900 };
	const links = { invoice_pdf: `${page}.pdf`, hosted_invoice_url: page };
	const times = { created: 1_790_000_000, due_date: null, status_transitions: { paid_at: 1_790_000_100 } };
	stripe.invoices.push({ ...invoice, ...links, ...times, currency: "eur" });
	const { at: eve } = await customer("Eve");
	const overview = await got(eve, "GET /billing/overview");
	assert.deepEqual(overview.payment_method, { brand: "visa", last4: "4242", exp_month: 4, exp_year: 2029 });
	const upcoming = { amount_due: 59_900, currency: "EUR", due_at: "2027-01-15T08:00:00.000Z" };
	assert.deepEqual(overview.upcoming_invoice, upcoming);
	const shownTimes = { created_at: "2026-09-21T14:13:20.000Z", due_date: null, paid_at: "2026-09-21T14:15:00.000Z" };
	const shown = { ...invoice, ...shownTimes, currency: "EUR", pdf_url: `${page}.pdf`, hosted_invoice_url: page };
	assert.deepEqual(await got(eve, "GET /billing/invoices?limit=5"), [shown]);
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
	const { at: max, subscription } = await customer("Max");
	stripe.isDown = true;
	const answers = [
		await max.ask("POST /billing/checkout", growth),
		await max.ask("POST /billing/portal", {}),
		await max.ask("POST /billing/subscription/cancel"),
		await max.ask("POST /billing/coupons/validate", { code: "SPRING" }),
		await max.ask("GET /billing/overview"),
		await max.ask("GET /billing/invoices"),
	];
	subscription.status = "past_due";
	const told = await max.tell("invoice.payment_failed", "evt_repeated");
	stripe.isDown = false;
	for (const answer of answers) assert.deepEqual(refusal(answer), [502, "bad_gateway"]);
	// The provider sends it again.
	assert.deepEqual([told, await max.tell("invoice.payment_failed", "evt_repeated")], [502, 200]);
	const failures = ["checkout_started user failed", "cancel_requested user failed", "payment_failed provider"];
	assert.deepEqual((await max.history()).slice(2), failures);
	assert.doesNotMatch(app.logLines.join("\n"), /sk_test|whsec|max@example/);
});

test("an event that is not signed, wrongly, or long ago changes nothing", async () => {
	const amy = await sellingSite(app, "Amy");
	await amy.ask("POST /billing/checkout", growth);
	stripe.subscribe({ customer: amy.customer, startsAt: app.clock.now() });
	const event = { id: "evt_forged", type: "customer.subscription.created", customer: amy.customer };
	const now = app.clock.now();
	const good = stripeEvent(event, now);
	const other = stripeEvent({ ...event, id: "evt_foreign", customer: "cus_other" }, now);
	const send = (request: typeof good) =>
		app.inject({ method: "POST", url: "/api/v1/billing/provider-webhook", ...request });
	const json = { "content-type": "application/json" };
	for (const request of [
		stripeEvent(event, now, "whsec_another"),
		stripeEvent(event, now - 600_000),
		{ ...good, payload: other.payload },
		{ ...good, payload: `${good.payload} ` },
		{ ...good, headers: json },
		{ ...good, headers: { ...json, "stripe-signature": "t=1,v1=00" } },
	]) {
		assert.deepEqual(codeOf(await send(request)), [400, "bad_request"]);
	}
	assert.equal(await amy.plan(), "free");
	// Customers of other products are not synced.
	const asked = stripe.asked.length;
	assert.deepEqual((await send(other)).json(), { received: true });
	assert.equal(stripe.asked.length, asked);
	assert.equal((await send(good)).statusCode, 200);
	assert.equal(await amy.plan(), "growth");
});

test("a coupon says what it takes off, for whom, and why it is not valid", async () => {
	const repeating = { duration: "repeating", duration_in_months: 3 };
	const products = { applies_to: { products: ["prod_scale"] } };
	const limits = { redeem_by: 1_800_000_000, ...repeating, ...products };
	const coupon = { name: "Spring", percent_off: 12.5, valid: true, ...limits };
	const promotion = { id: "promo_1", code: "SPRING", active: true, expires_at: null, promotion: { coupon } };
	const flat = { ...coupon, percent_off: null, amount_off: 500 };
	stripe.promotions.push(promotion, { ...promotion, code: "FLAT", promotion: { coupon: flat } });
	const ask = async (code: string, plan_tier = "scale") => {
		const wish = { code, plan_tier, billing_interval: "yearly" };
		return (await ann.ask("POST /billing/coupons/validate", wish)).body;
	};
	const described = { code: "SPRING", name: "Spring", description: null, applicable_tiers: ["scale"], ...repeating };
	const shown = { ...described, valid_until: "2027-01-15T08:00:00.000Z" };
	const percent = { discount_type: "percent", discount_value: 12.5, discount_display: "12.5 %" };
	const valid = { valid: true, error: null, original_price: 1_078_800 };
	const price = { discounted_price: 943_950, savings: 134_850 };
	assert.deepEqual(await ask("SPRING"), { ...valid, ...price, coupon: { ...shown, ...percent } });
	const { discounted_price, savings, coupon: off } = await ask("FLAT");
	assert.deepEqual([discounted_price, savings, off.discount_display], [1_078_300, 500, "€5.00"]);
	const errors = [(await ask("SPRING", "growth")).error, (await ask("NONE")).error];
	assert.deepEqual(errors, ["This coupon is not for the plan growth", "This coupon is not known, or has expired"]);
});

test("money that does not come for fourteen days ends the plan, and gives it back when it comes", async () => {
	const { at: lea, subscription } = await customer("Lea", "past_due");
	const plans = [await lea.plan()];
	for (const ms of [14 * DAY_MS - 3_600_000, 3_600_000]) {
		await pass(ms);
		plans.push(await lea.plan());
	}
	subscription.status = "active";
	await lea.tell();
	assert.deepEqual([...plans, await lea.plan()], ["growth", "growth", "free", "growth"]);
});

test("a change without an event is found within an hour; the subscription of a deleted organization ends", async () => {
	const { at: tim, subscription } = await customer("Tim");
	stripe.reprice(subscription.id, "price_scale_yearly");
	await pass(3_600_000);
	assert.equal(await tim.plan(), "scale");
	await tim.ask("DELETE /organizations/tim", { name: "Tim" });
	await pass(3_600_000);
	assert.equal(subscription.status, "canceled");
});

test("a plan that is exceeded twice in a row moves the subscription too", async () => {
	const { at: kim, subscription } = await customer("Kim");
	await pass(600_000);
	// The turn of the year brings another forgiveness.
	for (let month = 0; month < 5; month++) {
		await kim.events(new Date(app.clock.now()).toISOString().slice(0, 10), 6_000_000);
		app.clock.advance(32 * DAY_MS);
		stripe.renew(subscription.id);
		await kim.tell();
		await app.jobs.runDue();
	}
	assert.deepEqual([await kim.plan(), (await got(kim, "GET /billing/subscription")).plan_tier], ["scale", "scale"]);
	const changes = stripe.asked.filter(({ route }) => route === `POST /v1/subscriptions/${subscription.id}`);
	assert.ok(changes.some(({ fields }) => fields["items[0][price]"] === "price_scale_monthly"));
});
