import { countTokenAttempt, findOneTimeToken } from "../../one-time-tokens/index.ts";
import type { AuthDeps } from "../deps.ts";
import { linkIsDead } from "../registration/verify-email.ts";

/**
 * Looks whether a mailed link can still be used, without using it; answers whose it is. Throws `bad_request` for a token that is unknown, used or
 * expired, and `rate_limit_exceeded` after 20 of them.
 */
export async function checkLink(
	deps: AuthDeps,
	kind: "email_verification" | "password_reset",
	token: string,
	ip: string,
): Promise<string> {
	const attempt = await countTokenAttempt(deps, ip);
	const found = await findOneTimeToken(deps.metadata, kind, token, deps.clock.now());
	if (found?.isExpired !== false) throw linkIsDead();
	await attempt.takeBack();
	return found.subject;
}
