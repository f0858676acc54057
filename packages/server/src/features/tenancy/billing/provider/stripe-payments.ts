import type { Stripe } from "stripe";
import { fieldError } from "../../../../platform/errors/service-error.ts";
import { timestamp } from "../../../../platform/lib/timestamp.ts";
import {
	type NewCheckout,
	type PaidTier,
	type Promotion,
	readCard,
	readInvoice,
	readPromotion,
	readSubscription,
} from "./read-stripe.ts";
import { asking, isRefusal, openStripe, type StripeSettings, stripePrices } from "./stripe-prices.ts";

const euCountries = new Set(
	"AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
);

const others = { GB: "gb_vat", CH: "ch_vat", NO: "no_vat" } as const;

function taxIdType(country: string | undefined): "eu_vat" | (typeof others)[keyof typeof others] | undefined {
	if (country === undefined) return undefined;
	if (euCountries.has(country)) return "eu_vat";
	return others[country as keyof typeof others];
}

type Detail = "name" | "email" | "country";
type Details = { readonly [Name in Detail]?: string | undefined };

export type Payments = ReturnType<typeof stripePayments>;

/** Payments by Stripe. Cards are entered on its pages, so none is ever seen here. Functions throw `bad_gateway` if it fails. Times are milliseconds. */
export function stripePayments(settings: StripeSettings) {
	const stripe = openStripe(settings);
	const prices = stripePrices(stripe, settings.clock);
	const { webhookSecret } = settings;
	/** Asks the library; its failures become `bad_gateway`. */
	const ask = <T>(work: (library: Stripe) => Promise<T>): Promise<T> => asking(async () => work(await stripe()));
	/** Asks for what may have happened already. */
	const askUnlessDone = (work: (library: Stripe) => Promise<unknown>): Promise<void> =>
		ask(async (library) => {
			await work(library).catch(ifRefused(() => undefined));
		});
	return {
		/** The organization's customer, made at the first call and the same one for ever. */
		makeCustomer: (organizationId: string) =>
			ask(async ({ customers }) => {
				// The key makes one customer of two calls at once; so the call must say the same each time.
				const options = { idempotencyKey: `footfall-customer-${organizationId}` };
				return (await customers.create({ metadata: { organization_id: organizationId } }, options)).id;
			}),
		/** Sets the recipient of invoices; undefined details are unchanged. */
		describeCustomer: (customerId: string, { name, email, country }: Details) =>
			ask(async ({ customers }) => {
				await customers.update(customerId, {
					...(name !== undefined && { name }),
					...(email !== undefined && { email }),
					...(country !== undefined && { address: { country } }),
				});
			}),
		/** Throws 422 for a number that the provider does not accept. */
		addTaxId: async (customerId: string, country: string | undefined, taxId: string) => {
			const type = taxIdType(country);
			if (type === undefined)
				throw fieldError("body.tax_id", "is accepted for countries of the EU, GB, CH and NO only");
			await ask(async ({ customers }) => {
				const known = await customers.listTaxIds(customerId, { limit: 100 });
				if (known.data.some(({ value }) => value === taxId)) return;
				const refused = ifRefused(() => {
					throw fieldError("body.tax_id", "is not a tax id of this country");
				});
				await customers.createTaxId(customerId, { type, value: taxId }).catch(refused);
			});
		},
		beginCheckout: (checkout: NewCheckout) =>
			ask(async (library) => {
				const price = await prices.idOf(checkout.choice);
				const { id, url } = await library.checkout.sessions.create(checkoutParams(checkout, price));
				if (url === null) throw new Error("The payment provider gave no address for a checkout");
				return { id, url };
			}),
		/** Closes a checkout that somebody may still have open; one that is over stays what it is. */
		closeCheckout: (id: string) => askUnlessDone(({ checkout }) => checkout.sessions.expire(id)),
		portalUrl: (customer: string, return_url: string) =>
			ask(async ({ billingPortal }) => (await billingPortal.sessions.create({ customer, return_url })).url),
		/** All subscriptions of a customer to what is sold here, ended ones too. */
		subscriptionsOf: (customer: string) =>
			ask(async ({ subscriptions }) => {
				const found = [];
				for await (const one of subscriptions.list({ customer, status: "all", limit: 100 })) {
					const price = one.items.data[0]?.price;
					const read = readSubscription(one, price && (await prices.choiceOf(price)));
					if (read !== undefined) found.push(read);
				}
				return found;
			}),
		/** Cancels a subscription at the end of its period, or resumes it. */
		cancelAtEnd: (id: string, isCancelled: boolean) =>
			ask(({ subscriptions }) => subscriptions.update(id, { cancel_at_period_end: isCancelled })),
		/** Ends a subscription at once. One that has ended stays so. */
		end: (id: string) => askUnlessDone(({ subscriptions }) => subscriptions.cancel(id)),
		/** Puts a subscription on another plan, by the same interval. */
		move: (id: string, tier: PaidTier) =>
			ask(async ({ subscriptions }) => {
				const [item] = (await subscriptions.retrieve(id)).items.data;
				const choice = item && (await prices.choiceOf(item.price));
				if (item === undefined || choice === undefined || choice.tier === tier) return;
				const price = await prices.idOf({ tier, interval: choice.interval });
				await subscriptions.update(id, { items: [{ id: item.id, price }], proration_behavior: "create_prorations" });
			}),
		invoicesOf: (customer: string, limit: number, startingAfter: string | undefined) =>
			ask(async ({ invoices }) => {
				const page = { customer, limit, ...(startingAfter !== undefined && { starting_after: startingAfter }) };
				const { data } = await invoices.list(page).catch((error: unknown) => {
					if (startingAfter === undefined || !isRefusal(error)) throw error;
					throw fieldError("query.starting_after", "is not an invoice of the organization");
				});
				return data.map(readInvoice);
			}),
		upcomingInvoice: (subscription: string) =>
			ask(async ({ invoices }) => {
				// One that ends has none.
				const preview = await invoices.createPreview({ subscription }).catch(ifRefused(() => undefined));
				if (preview === undefined) return undefined;
				const { amount_due, currency, next_payment_attempt: at, period_end: end } = preview;
				return { amount_due, currency: currency.toUpperCase(), due_at: timestamp((at ?? end) * 1000) };
			}),
		cardOf: (subscriptionId: string) =>
			ask(async ({ subscriptions }) => {
				const expand = ["default_payment_method", "customer.invoice_settings.default_payment_method"];
				const { default_payment_method: method, customer } = await subscriptions.retrieve(subscriptionId, { expand });
				const usual =
					typeof customer === "string" || customer.deleted
						? undefined
						: customer.invoice_settings.default_payment_method;
				return readCard(method) ?? readCard(usual);
			}),
		/** The promotion of a code that may be used now. */
		promotion: (code: string): Promise<Promotion | undefined> =>
			ask(async ({ promotionCodes }) => {
				const expand = ["data.promotion.coupon", "data.promotion.coupon.applies_to"];
				const [found] = (await promotionCodes.list({ code, active: true, limit: 1, expand })).data;
				const read = found && readPromotion(found);
				if (found === undefined || read === undefined) return undefined;
				const { coupon } = found.promotion;
				const products = coupon === null || typeof coupon === "string" ? undefined : coupon.applies_to?.products;
				return { ...read, tiers: products === undefined ? null : await prices.tiersOf(products) };
			}),
		/** Reads an event; undefined when its signature does not hold, or is too old. */
		readEvent: async (body: Buffer, signature: string, nowMs: number) => {
			if (webhookSecret === undefined) return undefined;
			const { webhooks } = await stripe();
			try {
				const event = await webhooks.constructEventAsync(body, signature, webhookSecret, undefined, undefined, nowMs);
				const { customer } = event.data.object as { readonly customer?: string | { readonly id: string } | null };
				const customerId = typeof customer === "object" ? customer?.id : customer;
				return { id: event.id, type: event.type, customerId };
			} catch {
				return undefined;
			}
		},
	};
}

/** Handles a failure that says that what was asked makes no sense; others are thrown on. */
const ifRefused =
	<T>(then: () => T) =>
	(error: unknown): T => {
		if (isRefusal(error)) return then();
		throw error;
	};

const checkoutParams = (checkout: NewCheckout, price: string): Stripe.Checkout.SessionCreateParams => ({
	mode: "subscription",
	customer: checkout.customerId,
	client_reference_id: checkout.organizationId,
	line_items: [{ price, quantity: 1 }],
	success_url: checkout.successUrl,
	cancel_url: checkout.cancelUrl,
	...(checkout.promotionId === undefined
		? { allow_promotion_codes: true }
		: { discounts: [{ promotion_code: checkout.promotionId }] }),
	subscription_data: {
		metadata: { organization_id: checkout.organizationId },
		...(checkout.trialDays > 0 && { trial_period_days: checkout.trialDays }),
	},
});
