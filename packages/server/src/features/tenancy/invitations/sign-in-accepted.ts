import { type AuthDeps, type Client, openSession, type SessionSecrets } from "../../people/auth/index.ts";
import type { UserRow } from "../../people/users/index.ts";

/** Until the address is confirmed, a session may only decide on the request of an app that it names: here that of none. */
const UNCONFIRMED = "invitation";

/** Signs in an account that accepting an invitation made; it has no second factor to ask for. */
export async function signInAccepted(
	deps: AuthDeps,
	user: UserRow,
	client: Client,
): Promise<{ readonly secrets: SessionSecrets; readonly isConfirmed: boolean }> {
	const isConfirmed = user.email_verified_at !== null;
	const { secrets } = await openSession(deps, user, client, isConfirmed ? {} : { boundRequest: UNCONFIRMED });
	return { secrets, isConfirmed };
}
