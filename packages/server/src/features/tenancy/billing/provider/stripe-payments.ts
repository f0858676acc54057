import type { Stripe } from "stripe";
import { fieldError } from "../../../../platform/errors/service-error.ts";
import { timestamp } from "../../../../platform/lib/timestamp.ts";
import type { NewCheckout, Payments } from "./payments.ts";
import { readCard, readInvoice, readPromotion, readSubscription } from "./read-stripe.ts";
import { asking, isRefusal, openStripe, StripePrices, type StripeSettings } from "./stripe-prices.ts";

const euCountries = new Set(
	"AT BE BG CY CZ DE DK EE ES FI FR GR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK".split(" "),
);

const others = { GB: "gb_vat", CH: "ch_vat", NO: "no_vat" } as const;

function taxIdType(country: string | undefined): "eu_vat" | (typeof others)[keyof typeof others] | undefined {
	if (country === undefined) return undefined;
	if (euCountries.has(country)) return "eu_vat";
	return others[country as keyof typeof others];
}

/** Payments by Stripe. Cards are entered on its pages, so none is ever seen here. */
export function stripePayments(settings: StripeSettings): Payments {
	const stripe = openStripe(settings);
	const prices = new StripePrices(stripe, settings.clock);
	const { webhookSecret } = settings;
	return {
		makeCustomer: (organizationId) =>
			asking(async () => {
				// The key makes one customer of two calls at once; so the call must say the same each time.
				const options = { idempotencyKey: `footfall-customer-${organizationId}` };
				const params = { metadata: { organization_id: organizationId } };
				return (await (await stripe()).customers.create(params, options)).id;
			}),
		describeCustomer: (customerId, { name, email, country }) =>
			asking(async () => {
				await (await stripe()).customers.update(customerId, {
					...(name !== undefined && { name }),
					...(email !== undefined && { email }),
					...(country !== undefined && { address: { country } }),
				});
			}),
		addTaxId: async (customerId, country, taxId) => {
			const type = taxIdType(country);
			if (type === undefined)
				throw fieldError("body.tax_id", "is accepted for countries of the EU, GB, CH and NO only");
			await asking(async () => {
				const { customers: of } = await stripe();
				const known = await of.listTaxIds(customerId, { limit: 100 });
				if (known.data.some(({ value }) => value === taxId)) return;
				await of.createTaxId(customerId, { type, value: taxId }).catch((error: unknown) => {
					if (isRefusal(error)) throw fieldError("body.tax_id", "is not a tax id of this country");
					throw error;
				});
			});
		},
		beginCheckout: (checkout) =>
			asking(async () => {
				const price = await prices.idOf(checkout.choice);
				const { id, url } = await (await stripe()).checkout.sessions.create(checkoutParams(checkout, price));
				if (url === null) throw new Error("The payment provider gave no address for a checkout");
				return { id, url };
			}),
		closeCheckout: (id) => unlessRefused(async () => void (await (await stripe()).checkout.sessions.expire(id))),
		portalUrl: (customer, returnUrl) =>
			asking(
				async () => (await (await stripe()).billingPortal.sessions.create({ customer, return_url: returnUrl })).url,
			),
		subscriptionsOf: (customer) =>
			asking(async () => {
				const found = [];
				for await (const one of (await stripe()).subscriptions.list({ customer, status: "all", limit: 100 })) {
					const price = one.items.data[0]?.price;
					const read = readSubscription(one, price && (await prices.choiceOf(price)));
					if (read !== undefined) found.push(read);
				}
				return found;
			}),
		cancelAtEnd: (id, isCancelled) =>
			asking(async () => void (await (await stripe()).subscriptions.update(id, { cancel_at_period_end: isCancelled }))),
		end: (id) => unlessRefused(async () => void (await (await stripe()).subscriptions.cancel(id))),
		move: (id, tier) =>
			asking(async () => {
				const { subscriptions: of } = await stripe();
				const [item] = (await of.retrieve(id)).items.data;
				const choice = item && (await prices.choiceOf(item.price));
				if (item === undefined || choice === undefined || choice.tier === tier) return;
				const price = await prices.idOf({ tier, interval: choice.interval });
				await of.update(id, { items: [{ id: item.id, price }], proration_behavior: "create_prorations" });
			}),
		invoicesOf: (customer, { limit, startingAfter }) =>
			asking(async () => {
				const page = { customer, limit, ...(startingAfter !== undefined && { starting_after: startingAfter }) };
				const { data } = await (await stripe()).invoices.list(page).catch((error: unknown) => {
					if (startingAfter === undefined || !isRefusal(error)) throw error;
					throw fieldError("query.starting_after", "is not an invoice of the organization");
				});
				return data.map(readInvoice);
			}),
		upcomingInvoice: (subscription) =>
			asking(async () => {
				const { invoices } = await stripe();
				// One that ends has none.
				const preview = await invoices.createPreview({ subscription }).catch((error: unknown) => {
					if (isRefusal(error)) return undefined;
					throw error;
				});
				if (preview === undefined) return undefined;
				const { amount_due, currency, next_payment_attempt: at, period_end: end } = preview;
				return { amount_due, currency: currency.toUpperCase(), due_at: timestamp((at ?? end) * 1000) };
			}),
		cardOf: (id) =>
			asking(async () => {
				const { subscriptions: of } = await stripe();
				const expand = ["default_payment_method", "customer.invoice_settings.default_payment_method"];
				const { default_payment_method: method, customer } = await of.retrieve(id, { expand });
				const usual =
					typeof customer === "string" || customer.deleted
						? undefined
						: customer.invoice_settings.default_payment_method;
				return readCard(method) ?? readCard(usual);
			}),
		promotion: (code) =>
			asking(async () => {
				const expand = ["data.promotion.coupon", "data.promotion.coupon.applies_to"];
				const { data } = await (await stripe()).promotionCodes.list({ code, active: true, limit: 1, expand });
				const [found] = data;
				const read = found && readPromotion(found);
				if (found === undefined || read === undefined) return undefined;
				const { coupon } = found.promotion;
				const products = coupon === null || typeof coupon === "string" ? undefined : coupon.applies_to?.products;
				return { ...read, tiers: products === undefined ? null : await prices.tiersOf(products) };
			}),
		readEvent: async (body, signature, nowMs) => {
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

/** Asks for what may have happened already. */
const unlessRefused = (ask: () => Promise<void>): Promise<void> =>
	asking(() =>
		ask().catch((error: unknown) => {
			if (!isRefusal(error)) throw error;
		}),
	);
