import { Stripe } from "stripe";
import { type GotRequest, type Reply, serveLocally } from "./local-server.ts";

export const stripeSecret = "whsec_of_the_tests";

type Fields = Record<string, unknown>;

type FakeSubscription = Fields & { readonly id: string; readonly customer: string; cancel_at_period_end: boolean };

const prices = ["growth_monthly", "growth_yearly", "scale_monthly", "scale_yearly"].map((name) => ({
	id: `price_${name}`,
	object: "price",
	lookup_key: `footfall_${name}`,
	product: `prod_${name.split("_")[0]}`,
	recurring: { interval: name.endsWith("yearly") ? "year" : "month" },
}));

const priceOf = (id: string) => prices.find((known) => known.id === id);
const itemOf = (id: string, price: string, start: number, end: number) => ({
	object: "list",
	has_more: false,
	data: [{ id: `si_${id}`, price: priceOf(price), current_period_start: start, current_period_end: end }],
});

const MONTH = 30 * 86_400;

type Subscribed = Partial<FakeSubscription> & { customer: string; price?: string; startsAt: number };

/** A minimal Stripe: it keeps its input, and its events are signed like Stripe's. It validates nothing. */
class FakeStripe {
	url = "";
	readonly subscriptions = new Map<string, FakeSubscription>();
	readonly customers = new Map<string, Fields>();
	/** Received requests, as `POST /v1/customers`, with their fields. */
	readonly asked: { readonly route: string; readonly fields: Readonly<Record<string, string>> }[] = [];
	/** Invoices, newest first. */
	readonly invoices: Fields[] = [];
	readonly promotions: Fields[] = [];
	isDown = false;
	/** Awaited before the subscriptions of a customer are sent, which were read before that: for answers that come late. */
	beforeList: () => Promise<void> = () => Promise.resolve();
	close: () => Promise<void> = () => Promise.resolve();
	#made = 0;

	/** Makes a subscription, as when a checkout is over. */
	subscribe({ price = "price_growth_monthly", startsAt, ...values }: Subscribed): FakeSubscription {
		this.#made += 1;
		const id = `sub_${this.#made}`;
		const start = startsAt / 1000;
		const one: FakeSubscription = {
			id,
			object: "subscription",
			status: "active",
			cancel_at_period_end: false,
			cancel_at: null,
			ended_at: null,
			trial_end: null,
			start_date: start,
			billing_cycle_anchor: start,
			default_payment_method: null,
			items: itemOf(id, price, start, start + MONTH),
			...values,
		};
		this.subscriptions.set(id, one);
		return one;
	}

	reprice(id: string, price: string): void {
		const { one, period } = this.#known(id);
		one.items = itemOf(id, price, period.current_period_start, period.current_period_end);
	}

	renew(id: string): void {
		const { period } = this.#known(id);
		period.current_period_start = period.current_period_end;
		period.current_period_end += MONTH;
	}

	#known(id: string) {
		const one = this.subscriptions.get(id);
		const [period] = (one?.items as ReturnType<typeof itemOf> | undefined)?.data ?? [];
		if (one === undefined || period === undefined) throw new Error(`no subscription ${id}`);
		return { one, period };
	}
}

export type StripeServer = FakeStripe;

export async function stripeServer(): Promise<StripeServer> {
	const server = new FakeStripe();
	const { port, close } = await serveLocally((request) => answer(server, request));
	return Object.assign(server, { url: `http://127.0.0.1:${port}`, close });
}

const refusal = (code: string) => ({
	status: 400,
	body: { error: { type: "invalid_request_error", code, message: `refused: ${code}` } },
});
const listOf = (data: readonly unknown[]) => ({ body: { object: "list", has_more: false, data } });

async function answer(server: StripeServer, { method, path, body }: GotRequest): Promise<Reply> {
	const url = new URL(path, "http://stripe.test");
	const fields = Object.fromEntries(new URLSearchParams(method === "GET" ? url.search : body.toString()));
	const route = `${method} ${url.pathname}`;
	server.asked.push({ route, fields });
	if (server.isDown) return { status: 500, body: { error: { type: "api_error", message: "down" } } };
	const [, , kind = "", id = "", verb = ""] = url.pathname.split("/");
	if (kind === "customers" && verb === "tax_ids") {
		if (method === "GET") return listOf([]);
		return fields.value === "nonsense" ? refusal("tax_id_invalid") : { body: { id: "txi_1", ...fields } };
	}
	if (kind === "customers") {
		// The same organization gets the same customer, as by an idempotency key.
		const customerId = id === "" ? `cus_${fields["metadata[organization_id]"]}` : id;
		server.customers.set(customerId, { ...server.customers.get(customerId), ...fields });
		return { body: { id: customerId, object: "customer" } };
	}
	if (kind === "prices") return listOf(prices);
	if (kind === "subscriptions") return subscription(server, method, id, fields);
	if (kind === "checkout") {
		if (url.pathname.endsWith("/expire")) return { body: { object: "checkout.session", status: "expired" } };
		const page = `https://checkout.stripe.example/${fields["line_items[0][price]"]}`;
		return { body: { id: `cs_${server.asked.length}`, url: page } };
	}
	if (kind === "billing_portal") {
		return { body: { id: "bps_1", url: `https://portal.stripe.example/${fields.customer}` } };
	}
	if (kind === "invoices" && id === "create_preview") {
		return { body: { amount_due: 59_900, currency: "eur", next_payment_attempt: 1_800_000_000 } };
	}
	if (kind === "invoices") {
		if (fields.starting_after !== undefined && fields.starting_after !== "in_1") return refusal("resource_missing");
		return listOf(server.invoices.slice(0, Number(fields.limit)));
	}
	if (kind === "promotion_codes") return listOf(server.promotions.filter(({ code }) => code === fields.code));
	return { status: 404, body: { error: { type: "invalid_request_error", message: route } } };
}

async function subscription(server: StripeServer, method: string, id: string, fields: Fields): Promise<Reply> {
	if (id === "") {
		const found = [...server.subscriptions.values()].filter((one) => one.customer === fields.customer);
		const read = structuredClone(found.toReversed());
		await server.beforeList();
		return listOf(read);
	}
	const one = server.subscriptions.get(id);
	if (one === undefined) return refusal("resource_missing");
	if (method === "DELETE") Object.assign(one, { status: "canceled", ended_at: one.start_date });
	if (fields.cancel_at_period_end !== undefined) one.cancel_at_period_end = fields.cancel_at_period_end === "true";
	const price = fields["items[0][price]"];
	if (price !== undefined) server.reprice(id, String(price));
	return { body: fields["expand[0]"] === undefined ? one : { ...one, default_payment_method: card } };
}

const card = { id: "pm_1", card: { brand: "visa", last4: "4242", exp_month: 4, exp_year: 2029 } };

/** An event about a customer as Stripe sends it: its body, and the header that signs it at a moment. */
export function stripeEvent(
	event: { readonly id: string; readonly type: string; readonly customer: string; readonly object?: Fields },
	nowMs: number,
	secret = stripeSecret,
): { readonly payload: string; readonly headers: Readonly<Record<string, string>> } {
	const { id, type, customer: of, object = {} } = event;
	const payload = JSON.stringify({ id, object: "event", type, data: { object: { ...object, customer: of } } });
	const timestamp = Math.floor(nowMs / 1000);
	const signature = new Stripe("sk_test").webhooks.generateTestHeaderString({ payload, secret, timestamp });
	return { payload, headers: { "stripe-signature": signature, "content-type": "application/json" } };
}
