import { ApiError } from "../../../platform/http/api-error.ts";
import { deriveKey, hmacHex } from "../../../platform/lib/crypto.ts";
import type { AuthDeps } from "./deps.ts";
import { deleteLoginFailures, insertLoginFailure } from "./store.ts";

const MAX_FAILURES = 10;
const WINDOW_MS = 15 * 60_000;

/** A sign-in that counts as failed until it is cleared. */
export interface LoginAttempt {
	/** The password was right: earlier failures no longer count. */
	clear(): Promise<void>;
}

/**
 * Counts an attempt for an address and IP before the password is looked at, so that guesses sent at once count too.
 * Throws `rate_limit_exceeded` after ten failures in 15 minutes. Only a keyed hash of address and IP is stored.
 */
export async function countLoginAttempt(
	deps: Pick<AuthDeps, "metadata" | "clock" | "secretKey">,
	email: string,
	ip: string,
): Promise<LoginAttempt> {
	const subject = hmacHex(deriveKey(deps.secretKey, "login-limit"), `${email}\n${ip}`);
	const now = deps.clock.now();
	const { id, failures } = await insertLoginFailure(deps.metadata, subject, now, now - WINDOW_MS);
	if (failures.length > MAX_FAILURES) {
		await deleteLoginFailures(deps.metadata, { id });
		const freeAt = (failures[failures.length - 1 - MAX_FAILURES] ?? now) + WINDOW_MS;
		const retryAfter = Math.max(1, Math.ceil((freeAt - now) / 1000));
		throw new ApiError("rate_limit_exceeded", {
			message: `Too many requests. Try again in ${retryAfter} seconds.`,
			retryAfter,
		});
	}
	return { clear: () => deleteLoginFailures(deps.metadata, { subject }) };
}
