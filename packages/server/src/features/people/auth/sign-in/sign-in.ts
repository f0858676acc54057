import { ServiceError } from "../../../../platform/errors/service-error.ts";
import {
	findUserByEmail,
	hashPassword,
	needsRehash,
	normalizeEmail,
	replacePasswordHash,
	type UserRow,
	verifyPassword,
} from "../../users/index.ts";
import type { AuthDeps } from "../deps.ts";
import type { Client } from "../session/open-session.ts";
import { finishSignIn } from "./finish-sign-in.ts";
import { countLoginAttempt } from "./login-limit.ts";

/**
 * Signs in with email and password. An unknown address costs the time of a wrong password.
 * Throws `rate_limit_exceeded`, `invalid_credentials` (deactivated users too) and `email_not_verified`.
 */
export async function signIn(deps: AuthDeps, input: { email: string; password: string }, client: Client) {
	const email = normalizeEmail(input.email);
	const attempt = await countLoginAttempt(deps, email, client.ip);
	const user = await findUserByEmail(deps.metadata, email);
	const matches = await verifyPassword(user?.password_hash, input.password);
	if (!matches || user?.is_active !== 1) throw new ServiceError("invalid_credentials");
	await attempt.clear();
	if (user.email_verified_at === null) throw new ServiceError("email_not_verified");
	return finishSignIn(deps, await withFreshHash(deps, user, input.password), client);
}

async function withFreshHash(deps: AuthDeps, user: UserRow, password: string): Promise<UserRow> {
	if (user.password_hash === null || !needsRehash(user.password_hash)) return user;
	const passwordHash = await hashPassword(password);
	const isReplaced = await replacePasswordHash(deps.metadata, user, passwordHash, user.updated_at);
	if (isReplaced) return { ...user, password_hash: passwordHash };
	// Another password may have come meanwhile, which must not give way to this one.
	const current = await findUserByEmail(deps.metadata, user.email);
	if (current === undefined || !(await verifyPassword(current.password_hash, password))) {
		throw new ServiceError("invalid_credentials");
	}
	return current;
}
