import { type TProperties, Type } from "typebox";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { addressGroup } from "../../../../platform/http/rate-limit/address-group.ts";
import { HOUR_MS, MINUTE_MS } from "../../../../platform/lib/durations.ts";
import { countAttempt, type FailureDeps, hasAttempts, noteAttempt } from "../../failure-limits/index.ts";
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
import { SessionAnswer } from "../schemas.ts";
import { setSessionCookies } from "../session/cookies.ts";
import { type Client, openSession, presentAccessToken } from "../session/open-session.ts";
import { liveSessions } from "../store.ts";

/** Guesses from one place at one account. */
const fromAnAddress = { name: "sign-in", failures: 10, windowMs: 15 * MINUTE_MS } as const;
/** Guesses from everywhere at one account. */
const atAnAccount = { name: "sign-in-account", failures: 100, windowMs: HOUR_MS } as const;
/** No limit of its own: where somebody set a new password by mail, the account's limit does not count for an hour. */
const provenByMail = { name: "sign-in-proven", failures: 0, windowMs: HOUR_MS } as const;

/** A sign-in that counts as failed until it is cleared. */
interface LoginAttempt {
	/** The password was right: earlier failures from here no longer count. */
	clear(): Promise<void>;
}

/**
 * Counts an attempt for an email address and where it comes from, before the password is looked at.
 * Throws `rate_limit_exceeded` after ten failures in 15 minutes, and after a hundred in an hour from all places together.
 * The second limit stops guesses that are spread over many addresses. To keep others from locking an owner out, it does
 * not count where the owner is signed in already, or has just set a new password by mail.
 */
export async function countLoginAttempt(deps: FailureDeps, email: string, ip: string): Promise<LoginAttempt> {
	const here = await countAttempt(deps, fromAnAddress, placeOf(email, ip));
	const anywhere = await noteAttempt(deps, atAnAccount, email);
	if (anywhere.refusal !== undefined && !(await isKnownPlace(deps, email, ip))) {
		await Promise.all([here.takeBack(), anywhere.takeBack()]);
		throw anywhere.refusal;
	}
	return {
		clear: async () => {
			await Promise.all([here.forgetAll(), anywhere.takeBack()]);
		},
	};
}

/** Lets somebody who set a new password by mail sign in from here, whatever others try at the account meanwhile. */
export async function trustPlace(deps: FailureDeps, email: string, ip: string): Promise<void> {
	await noteAttempt(deps, provenByMail, placeOf(email, ip));
}

const placeOf = (email: string, ip: string): string => `${email}\n${addressGroup(ip)}`;

async function isKnownPlace(deps: FailureDeps, email: string, ip: string): Promise<boolean> {
	if (await hasAttempts(deps, provenByMail, placeOf(email, ip))) return true;
	const user = await findUserByEmail(deps.metadata, email);
	const sessions = user === undefined ? [] : await liveSessions(deps.metadata, user.id, deps.clock.now());
	return sessions.some(({ ip_address: from }) => from !== null && addressGroup(from) === addressGroup(ip));
}

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

type Reply = Parameters<typeof setSessionCookies>[0];

const CHALLENGE_SECONDS = 300;

const Challenge = Type.Object({
	requires_2fa: Type.Literal(true),
	challenge_token: Type.String({ description: "For `POST /2fa/verify-login`" }),
	expires_in: Type.Integer({ description: "Seconds" }),
	message: Type.String(),
});

/** The answer of a route that signs in: token and user with the route's own fields, or the challenge of the second step. */
export const SignInAnswer = <More extends TProperties>(more: More) =>
	Type.Union([Type.Object({ ...SessionAnswer, ...more }), Challenge]);

/**
 * Answers the end of a sign-in. A session goes into cookies and, with the route's own fields, into the body;
 * a challenge sets no cookie and tells nothing of the user.
 */
export async function answerSignIn<More extends object>(
	deps: Pick<AuthDeps, "cookieSecure">,
	reply: Reply,
	outcome: SignInOutcome,
	more: More,
) {
	if (outcome.kind === "challenge") {
		return {
			requires_2fa: true as const,
			challenge_token: outcome.challengeToken,
			expires_in: CHALLENGE_SECONDS,
			message: "Enter the code of your authenticator app",
		};
	}
	setSessionCookies(reply, outcome.secrets, deps.cookieSecure);
	const shut = await sitesShutHere(reply.request, outcome);
	const user = { ...outcome.user, account_ids: outcome.user.account_ids.filter((siteId) => !shut.includes(siteId)) };
	return { ...presentAccessToken(outcome.secrets.accessToken), user, ...more };
}

export const signInOrigin = async (request: Reply["request"], outcome: SignInOutcome) => ({
	ip_filtered_accounts: await sitesShutHere(request, outcome),
	client_ip: request.ip,
});

async function sitesShutHere(request: Reply["request"], outcome: SignInOutcome): Promise<string[]> {
	if (outcome.kind === "challenge") return [];
	const { id: userId, role, account_ids: siteIds } = outcome.user;
	return request.sitesShutTo({ userId, isSuperadmin: role === "superadmin" }, siteIds);
}
