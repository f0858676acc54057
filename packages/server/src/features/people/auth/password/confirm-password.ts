import { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { FailureDeps } from "../../failure-limits/index.ts";
import { type UserRow, verifyPassword } from "../../users/index.ts";
import { countLoginAttempt } from "../sign-in/login-limit.ts";

/**
 * Asks a signed-in user for the password again. Wrong guesses count as failed sign-ins: a borrowed session is no way around
 * their limit. Throws `bad_request` when it is wrong, `rate_limit_exceeded` after ten times.
 */
export async function confirmPassword(
	deps: FailureDeps,
	user: UserRow,
	given: { readonly password: string; readonly ip: string },
	refusal = "The password is wrong",
): Promise<void> {
	const attempt = await countLoginAttempt(deps, user.email, given.ip);
	if (!(await verifyPassword(user.password_hash, given.password)))
		throw new ServiceError("bad_request", { message: refusal });
	await attempt.clear();
}
