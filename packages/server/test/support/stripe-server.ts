import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Stripe } from "stripe";

export const stripeSecret = "whsec_of_the_tests";

type Fields = Record<string, unknown>;

/** A subscription as Stripe describes one, as far as it is read. */
export interface FakeSubscription extends Fields {
	readonly id: string;
	readonly customer: string;
	status: string;
	cancel_at_period_end: boolean;
	ended_at: number | null;
}

const prices = ["growth_monthly", "growth_yearly", "scale_monthly", "scale_yearly"].map((name) => ({
	id: `price_${name}`,
	object: "price",
	lookup_key: `footfall_${name}`,
	product: `prod_${name.split("_")[0]}`,
	recurring: { interval: name.endsWith("yearly") ? "year" : "month" },
}));

/** A minimal Stripe: it keeps its input, and its events are signed like Stripe's. It validates nothing. */
export interface StripeServer {
	/** For `STRIPE_API_URL`. */
	readonly url: string;
	readonly subscriptions: Map<string, FakeSubscription>;
	readonly customers: Map<string, Fields>;
	/** Received requests, as `POST /v1/customers`, with their fields. */
	readonly asked: { readonly route: string; readonly fields: Readonly<Record<string, string>> }[];
	/** Invoices, newest first. */
	readonly invoices: Fields[];
	/** Promotion codes. */
	readonly promotions: Fields[];
	/** True: every request fails. */
	isDown: boolean;
	/** Awaited before the subscriptions of a customer are sent, which were read before that: for answers that come late. */
	beforeList: () => Promise<void>;
	/** Makes a subscription, as when a checkout is over. */
	subscribe(
		values: Partial<FakeSubscription> & { customer: string; price?: string; startsAt: number },
	): FakeSubscription;
	/** Puts it on another price. */
	reprice(id: string, price: string): void;
	/** Begins its next period. */
	renew(id: string): void;
	close(): Promise<void>;
}

const itemOf = (id: string, price: string, start: number, end: number) => ({
	object: "list",
	has_more: false,
	data: [
		{
			id: `si_${id}`,
			price: prices.find((known) => known.id === price),
			current_period_start: start,
			current_period_end: end,
		},
	],
});

const MONTH = 30 * 86_400;

/** Starts one on a free port. */
export async function stripeServer(): Promise<StripeServer> {
	const state = {
		subscriptions: new Map<string, FakeSubscription>(),
		customers: new Map<string, Fields>(),
		asked: [] as StripeServer["asked"],
		invoices: [] as Fields[],
		promotions: [] as Fields[],
		isDown: false,
		beforeList: () => Promise.resolve(),
	};
	let made = 0;
	const periodOf = (one: FakeSubscription) =>
		(one.items as ReturnType<typeof itemOf>).data[0] as { current_period_start: number; current_period_end: number };
	const known = (id: string): FakeSubscription => {
		const found = state.subscriptions.get(id);
		if (found === undefined) throw new Error(`no subscription ${id}`);
		return found;
	};
	const server: StripeServer = Object.assign(state, {
		url: "",
		subscribe: ({ price = "price_growth_monthly", startsAt, ...values }: Parameters<StripeServer["subscribe"]>[0]) => {
			made += 1;
			const id = `sub_${made}`;
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
			state.subscriptions.set(id, one);
			return one;
		},
		reprice: (id: string, price: string) => {
			const one = known(id);
			const { current_period_start: start, current_period_end: end } = periodOf(one);
			one.items = itemOf(id, price, start, end);
		},
		renew: (id: string) => {
			const period = periodOf(known(id));
			period.current_period_start = period.current_period_end;
			period.current_period_end += MONTH;
		},
		close: async () => {
			http.closeAllConnections();
			await new Promise((done) => http.close(done));
		},
	});
	const http = createServer((request, response) => {
		void answer(server, request).then(([status, body]) => {
			response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
		});
	});
	await new Promise<void>((done) => http.listen(0, "127.0.0.1", done));
	return Object.assign(server, { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}` });
}

const refusal = (code: string): [number, Fields] => [
	400,
	{ error: { type: "invalid_request_error", code, message: `refused: ${code}` } },
];
const listOf = (data: readonly unknown[]): Fields => ({ object: "list", has_more: false, data });

async function answer(server: StripeServer, request: IncomingMessage): Promise<[number, Fields]> {
	const url = new URL(request.url ?? "/", "http://stripe.test");
	const fields = Object.fromEntries(new URLSearchParams(request.method === "GET" ? url.search : await text(request)));
	const route = `${request.method} ${url.pathname}`;
	server.asked.push({ route, fields });
	if (server.isDown) return [500, { error: { type: "api_error", message: "down" } }];
	const [, , kind = "", id = "", verb = ""] = url.pathname.split("/");
	switch (kind) {
		case "customers":
			return customer(server, route, { id, verb, fields });
		case "prices":
			return [200, listOf(prices)];
		case "subscriptions":
			return subscription(server, request.method ?? "", { id, fields });
		case "checkout":
			if (url.pathname.endsWith("/expire")) return [200, { object: "checkout.session", status: "expired" }];
			return [
				200,
				{ id: `cs_${server.asked.length}`, url: `https://checkout.stripe.example/${fields["line_items[0][price]"]}` },
			];
		case "billing_portal":
			return [200, { id: "bps_1", url: `https://portal.stripe.example/${fields.customer}` }];
		case "invoices":
			if (id === "create_preview")
				return [200, { amount_due: 59_900, currency: "eur", next_payment_attempt: 1_800_000_000 }];
			if (fields.starting_after !== undefined && fields.starting_after !== "in_1") return refusal("resource_missing");
			return [200, listOf(server.invoices.slice(0, Number(fields.limit)))];
		case "promotion_codes":
			return [200, listOf(server.promotions.filter(({ code }) => code === fields.code))];
		default:
			return [404, { error: { type: "invalid_request_error", message: route } }];
	}
}

interface Asked {
	readonly id: string;
	readonly verb?: string;
	readonly fields: Readonly<Record<string, string>>;
}

function customer(server: StripeServer, route: string, { id, verb, fields }: Asked): [number, Fields] {
	if (verb === "tax_ids") {
		if (route.startsWith("GET")) return [200, listOf([])];
		return fields.value === "nonsense" ? refusal("tax_id_invalid") : [200, { id: "txi_1", ...fields }];
	}
	// The same organization gets the same customer, as by an idempotency key.
	const organization = fields["metadata[organization_id]"];
	const customerId = id === "" ? `cus_${organization}` : id;
	server.customers.set(customerId, { ...server.customers.get(customerId), ...fields });
	return [200, { id: customerId, object: "customer" }];
}

async function listSubscriptions(server: StripeServer, customerId: string | undefined): Promise<[number, Fields]> {
	const found = [...server.subscriptions.values()].filter((one) => one.customer === customerId);
	const read = structuredClone(found.toReversed());
	await server.beforeList();
	return [200, listOf(read)];
}

function subscription(
	server: StripeServer,
	method: string,
	{ id, fields }: Asked,
): [number, Fields] | Promise<[number, Fields]> {
	if (id === "") return listSubscriptions(server, fields.customer);
	const one = server.subscriptions.get(id);
	if (one === undefined) return refusal("resource_missing");
	if (method === "DELETE") Object.assign(one, { status: "canceled", ended_at: one.start_date });
	if (fields.cancel_at_period_end !== undefined) one.cancel_at_period_end = fields.cancel_at_period_end === "true";
	const price = fields["items[0][price]"];
	if (price !== undefined) server.reprice(id, price);
	return [
		200,
		fields["expand[0]"] === undefined ? one : { ...one, default_payment_method: card, customer: one.customer },
	];
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
