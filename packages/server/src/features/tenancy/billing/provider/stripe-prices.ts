import type { Stripe } from "stripe";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { Clock } from "../../../../platform/lib/clock.ts";
import type { Choice, PaidTier } from "./payments.ts";

const choices: readonly Choice[] = [
	{ tier: "growth", interval: "monthly" },
	{ tier: "growth", interval: "yearly" },
	{ tier: "scale", interval: "monthly" },
	{ tier: "scale", interval: "yearly" },
];

/** The lookup key of a price at the provider. */
const lookupKey = ({ tier, interval }: Choice): string => `footfall_${tier}_${interval}`;

const intervals: Readonly<Record<string, Choice["interval"] | undefined>> = { month: "monthly", year: "yearly" };

/** A price that is sold, with its product. */
interface KnownPrice {
	readonly id: string;
	readonly productId: string;
	readonly choice: Choice;
}

/** Prices change rarely, and one that is not known any more is asked for again. */
const KEPT_MS = 600_000;

const idOf = (thing: string | { readonly id: string }): string => (typeof thing === "string" ? thing : thing.id);

/** The prices of the plans, found by their lookup keys. */
export class StripePrices {
	readonly #stripe: () => Promise<Stripe>;
	readonly #clock: Clock;
	#known: { readonly prices: readonly KnownPrice[]; readonly at: number } | undefined;

	constructor(stripe: () => Promise<Stripe>, clock: Clock) {
		this.#stripe = stripe;
		this.#clock = clock;
	}

	/** Id of the price of a choice. */
	async idOf(choice: Choice): Promise<string> {
		const key = lookupKey(choice);
		const found = (await this.#all()).find((price) => lookupKey(price.choice) === key);
		if (found !== undefined) return found.id;
		throw new ServiceError("bad_gateway", { message: `The payment provider has no active price ${key}` });
	}

	/** Product of a price: by its lookup key, else, if the key moved to a newer price, by its product. */
	async choiceOf(price: Stripe.Price): Promise<Choice | undefined> {
		const byKey = choices.find((choice) => lookupKey(choice) === price.lookup_key);
		if (byKey !== undefined) return byKey;
		const interval = intervals[price.recurring?.interval ?? ""];
		const product = idOf(price.product);
		const sameProduct = (await this.#all()).find(({ productId }) => productId === product);
		return sameProduct === undefined || interval === undefined
			? undefined
			: { tier: sameProduct.choice.tier, interval };
	}

	/** The plans that some products stand for. */
	async tiersOf(productIds: readonly string[]): Promise<PaidTier[]> {
		const prices = await this.#all();
		return [
			...new Set(prices.filter(({ productId }) => productIds.includes(productId)).map(({ choice }) => choice.tier)),
		];
	}

	async #all(): Promise<readonly KnownPrice[]> {
		if (this.#known !== undefined && this.#clock.monotonic() - this.#known.at < KEPT_MS) return this.#known.prices;
		const { data } = await (await this.#stripe()).prices.list({
			lookup_keys: choices.map(lookupKey),
			active: true,
			limit: 10,
		});
		const prices = data.flatMap((price): KnownPrice[] => {
			const choice = choices.find((one) => lookupKey(one) === price.lookup_key);
			return choice === undefined ? [] : [{ id: price.id, productId: idOf(price.product), choice }];
		});
		if (prices.length === choices.length) this.#known = { prices, at: this.#clock.monotonic() };
		return prices;
	}
}
