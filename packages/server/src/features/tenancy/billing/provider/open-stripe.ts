import type { Stripe } from "stripe";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { Clock } from "../../../../platform/lib/clock.ts";
import { once } from "../../../../platform/lib/once.ts";

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

/** Details of a failure of the provider; undefined for any other error. */
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
