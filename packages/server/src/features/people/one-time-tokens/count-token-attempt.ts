import { addressGroup } from "../../../platform/http/rate-limit/address-group.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { countAttempt, type FailureDeps } from "../failure-limits/index.ts";

const wrongTokens = { name: "one-time-token", failures: 20, windowMs: 15 * MINUTE_MS } as const;

/** A token that somebody shows, which counts as wrong until it is known to be right. */
export interface TokenAttempt {
	/** The token was right. */
	takeBack(): Promise<void>;
}

/**
 * Counts a token shown to a route that anybody may call, before it is looked up.
 * Throws `rate_limit_exceeded` after 20 wrong ones from an address (or the /64 network of an IPv6 address) in 15 minutes.
 */
export const countTokenAttempt = (deps: FailureDeps, ip: string): Promise<TokenAttempt> =>
	countAttempt(deps, wrongTokens, addressGroup(ip));
