import { issueOneTimeToken } from "../../one-time-tokens/index.ts";
import type { UserRow } from "../../users/index.ts";
import type { AuthDeps } from "../deps.ts";
import { type Client, openSession } from "../session/open-session.ts";

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
