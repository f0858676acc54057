import type { Stripe } from "stripe";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { Clock } from "../../../../platform/lib/clock.ts";
import { once } from "../../../../platform/lib/once.ts";
import type { Choice, PaidTier } from "./read-stripe.ts";

export interface StripeSettings {
	readonly clock: Clock;
	readonly secretKey: string;
	/** Signs events; without one none is taken. */
	readonly webhookSecret: string | undefined;
	/** Another address than Stripe's own: for tests. */
	readonly apiUrl: string | undefined;
}

/** Longer, a person does not wait at a form. */
const TIMEOUT_MS = 15_000;

/** The library, loaded when it is first needed: most installations sell nothing. */
export const openStripe = ({ secretKey, apiUrl }: StripeSettings): (() => Promise<Stripe>) =>
	once(async () => {
		const { Stripe: Library } = await import("stripe");
		return new Library(secretKey, {
			timeout: TIMEOUT_MS,
			maxNetworkRetries: 1,
			telemetry: false,
			...(apiUrl !== undefined && addressOf(new URL(apiUrl))),
		});
	});

const addressOf = ({ protocol, hostname, port }: URL) => ({
	protocol: protocol === "http:" ? ("http" as const) : ("https" as const),
	host: hostname,
	port: port === "" ? (protocol === "http:" ? 80 : 443) : Number(port),
});

interface ProviderFailure {
	readonly type: string;
	readonly code: string | undefined;
}

function failureOf(error: unknown): ProviderFailure | undefined {
	const { type, code } = (error ?? {}) as { type?: unknown; code?: unknown };
	if (typeof type !== "string" || !type.startsWith("Stripe")) return undefined;
	return { type, code: typeof code === "string" ? code : undefined };
}

/**
 * Calls the provider; its failures become `bad_gateway`. Its messages may name people, so the cause keeps only the
 * kind.
 */
export async function asking<T>(ask: () => Promise<T>): Promise<T> {
	try {
		return await ask();
	} catch (error) {
		const failure = failureOf(error);
		if (failure === undefined) throw error;
		throw new ServiceError("bad_gateway", {
			message: "The payment provider reported an error; try again",
			cause: new Error(`${failure.type}${failure.code === undefined ? "" : ` (${failure.code})`}`),
		});
	}
}

/** True for a failure that says that what was asked makes no sense, for example that a thing does not exist or is over. */
export const isRefusal = (error: unknown): boolean => failureOf(error)?.type === "StripeInvalidRequestError";

const choices: readonly Choice[] = [
	{ tier: "growth", interval: "monthly" },
	{ tier: "growth", interval: "yearly" },
	{ tier: "scale", interval: "monthly" },
	{ tier: "scale", interval: "yearly" },
];

const lookupKey = ({ tier, interval }: Choice): string => `footfall_${tier}_${interval}`;

const intervals: Readonly<Record<string, Choice["interval"] | undefined>> = { month: "monthly", year: "yearly" };

/** Prices change rarely, and one that is not known any more is asked for again. */
const KEPT_MS = 600_000;

const idOf = (thing: string | { readonly id: string }): string => (typeof thing === "string" ? thing : thing.id);

/** The prices of what is sold here, by their lookup keys. */
export function stripePrices(stripe: () => Promise<Stripe>, clock: Clock) {
	let known: { readonly prices: Awaited<ReturnType<typeof read>>; readonly at: number } | undefined;

	async function read() {
		const { prices } = await stripe();
		const { data } = await prices.list({ lookup_keys: choices.map(lookupKey), active: true, limit: 10 });
		return data.flatMap((price) => {
			const choice = choices.find((one) => lookupKey(one) === price.lookup_key);
			return choice === undefined ? [] : [{ id: price.id, productId: idOf(price.product), choice }];
		});
	}
	async function all() {
		if (known !== undefined && clock.monotonic() - known.at < KEPT_MS) return known.prices;
		const prices = await read();
		if (prices.length === choices.length) known = { prices, at: clock.monotonic() };
		return prices;
	}
	return {
		idOf: async (choice: Choice): Promise<string> => {
			const key = lookupKey(choice);
			const found = (await all()).find((price) => lookupKey(price.choice) === key);
			if (found !== undefined) return found.id;
			throw new ServiceError("bad_gateway", `The payment provider has no active price ${key}`);
		},
		/** Product of a price: by its lookup key, else, if the key moved to a newer price, by its product. */
		choiceOf: async (price: Stripe.Price): Promise<Choice | undefined> => {
			const byKey = choices.find((choice) => lookupKey(choice) === price.lookup_key);
			if (byKey !== undefined) return byKey;
			const interval = intervals[price.recurring?.interval ?? ""];
			const product = idOf(price.product);
			const tier = (await all()).find(({ productId }) => productId === product)?.choice.tier;
			return tier === undefined || interval === undefined ? undefined : { tier, interval };
		},
		tiersOf: async (productIds: readonly string[]): Promise<PaidTier[]> => {
			const sold = (await all()).filter(({ productId }) => productIds.includes(productId));
			return [...new Set(sold.map(({ choice }) => choice.tier))];
		},
	};
}
