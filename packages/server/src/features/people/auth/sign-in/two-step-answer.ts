import { type TProperties, Type } from "typebox";
import type { AuthDeps } from "../deps.ts";
import { setSessionCookies } from "../session/cookies.ts";
import { presentAccessToken } from "../session/open-session.ts";
import { SessionAnswer } from "./schemas.ts";
import type { SignInOutcome } from "./sign-in.ts";

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
	reply.header("cache-control", "no-store");
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

/** Origin of a sign-in. */
export const signInOrigin = async (request: Reply["request"], outcome: SignInOutcome) => ({
	ip_filtered_accounts: await sitesShutHere(request, outcome),
	client_ip: request.ip,
});

async function sitesShutHere(request: Reply["request"], outcome: SignInOutcome): Promise<string[]> {
	if (outcome.kind === "challenge") return [];
	const { id: userId, role, account_ids: siteIds } = outcome.user;
	return request.sitesShutTo({ userId, isSuperadmin: role === "superadmin" }, siteIds);
}
