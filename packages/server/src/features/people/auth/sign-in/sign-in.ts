import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { issueOneTimeToken } from "../../one-time-tokens/index.ts";
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
import { type Client, openSession } from "../session/open-session.ts";
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

type Opened = { readonly kind: "session" } & Awaited<ReturnType<typeof openSession>>;

/** How a proof of identity ends: in a session, or in the question for a second factor. */
export type SignInOutcome = Opened | { readonly kind: "challenge"; readonly challengeToken: string };

/**
 * The last step of every way to sign in, once a password or a mailed link proved who somebody is.
 * Throws `invalid_credentials` when the user was deactivated, or got another password, since `user` was read.
 */
export async function finishSignIn(deps: AuthDeps, user: UserRow, client: Client): Promise<SignInOutcome> {
	if (user.two_factor_enabled_at === null) return completeSignIn(deps, user, client);
	const { token } = await deps.metadata
		.transaction()
		.execute((metadata) => issueOneTimeToken(metadata, "sign_in_challenge", user.id, deps.clock.now()));
	return { kind: "challenge", challengeToken: token };
}

/** Signs in a user who proved everything that is asked; throws as `finishSignIn` does. */
export const completeSignIn = async (deps: AuthDeps, user: UserRow, client: Client): Promise<Opened> => ({
	kind: "session",
	...(await openSession(deps, user, client)),
});
