import { ApiError } from "../../../platform/http/api-error.ts";
import {
	findUserByEmail,
	hashPassword,
	needsRehash,
	normalizeEmail,
	updateUser,
	verifyPassword,
} from "../users/index.ts";
import type { AuthDeps } from "./deps.ts";
import { countLoginAttempt } from "./login-limit.ts";
import { type Client, openSession } from "./open-session.ts";

/**
 * Signs in with e-mail and password. An unknown address costs the time of a wrong password.
 * Throws `rate_limit_exceeded`, `invalid_credentials` (deactivated users too) and `email_not_verified`.
 */
export async function signIn(deps: AuthDeps, input: { email: string; password: string }, client: Client) {
	const email = normalizeEmail(input.email);
	const attempt = await countLoginAttempt(deps, email, client.ip);
	const user = await findUserByEmail(deps.metadata, email);
	const matches = await verifyPassword(user?.password_hash, input.password);
	if (user === undefined || !matches || user.is_active !== 1) throw new ApiError("invalid_credentials");
	await attempt.clear();
	if (user.email_verified_at === null) throw new ApiError("email_not_verified");
	if (user.password_hash !== null && needsRehash(user.password_hash)) {
		await updateUser(deps.metadata, user.id, { password_hash: await hashPassword(input.password) });
	}
	return openSession(deps, user, client);
}
