import { ServiceError } from "../../../platform/errors/service-error.ts";
import { type Client, completeSignIn } from "../auth/index.ts";
import { countTokenFailure, findOneTimeToken, takeOneTimeToken } from "../one-time-tokens/index.ts";
import { findUser } from "../users/index.ts";
import type { TwoFactorDeps } from "./deps.ts";
import { type CodeKind, useCode } from "./use-code.ts";

const KIND = "sign_in_challenge";
const MAX_FAILURES = 5;

/**
 * The second step of a sign-in. Throws `token_invalid` for a challenge that is unknown or used, `token_expired` past its
 * five minutes, `invalid_credentials` for a wrong code, `rate_limit_exceeded` once five were wrong, and as `useCode` does.
 */
export async function verifyLogin(
	deps: TwoFactorDeps,
	given: { challengeToken: string; code: string; kind: CodeKind },
	client: Client,
) {
	const userId = await admitAttempt(deps, given.challengeToken);
	const user = await findUser(deps.metadata, userId);
	if (user === undefined || user.is_active !== 1 || !(await useCode(deps, user, given.code, given.kind))) {
		throw new ServiceError("invalid_credentials", { message: "The code is wrong" });
	}
	const taken = await takeOneTimeToken(deps.metadata, KIND, given.challengeToken, deps.clock.now());
	if (taken === undefined) throw new ServiceError("token_invalid");
	return completeSignIn(deps, user, client);
}

/** Counts the attempt as wrong before the code is looked at, so that guesses sent at once count too; answers the user's id. */
async function admitAttempt(deps: TwoFactorDeps, challengeToken: string): Promise<number> {
	const challenge = await findOneTimeToken(deps.metadata, KIND, challengeToken, deps.clock.now());
	if (challenge === undefined) throw new ServiceError("token_invalid");
	if (challenge.isExpired) throw new ServiceError("token_expired");
	const attempts = await countTokenFailure(deps.metadata, KIND, challengeToken);
	if (attempts === 0) throw new ServiceError("token_invalid");
	if (attempts > MAX_FAILURES) {
		throw new ServiceError("rate_limit_exceeded", { message: "Too many wrong codes. Sign in again." });
	}
	return Number(challenge.subject);
}
