import type { Caller } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { findUser, type UserRow } from "../users/index.ts";
import type { TwoFactorDeps } from "./deps.ts";

/** The user of the calling session. */
export async function callingUser(
	deps: Pick<TwoFactorDeps, "metadata">,
	caller: Caller,
): Promise<{ readonly user: UserRow; readonly sessionId: string }> {
	if (caller.kind !== "session") throw new ServiceError("forbidden", { message: "Required scope: write" });
	const user = await findUser(deps.metadata, caller.userId);
	if (user === undefined) throw new ServiceError("user_not_found");
	return { user, sessionId: caller.sessionId };
}
