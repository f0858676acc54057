import type { Caller } from "../../../access/index.ts";
import { ApiError } from "../../../platform/http/api-error.ts";
import { findUser, type UserRow } from "../users/index.ts";
import type { TwoFactorDeps } from "./deps.ts";

/** The user of the calling session. */
export async function callingUser(
	deps: Pick<TwoFactorDeps, "metadata">,
	caller: Caller,
): Promise<{ readonly user: UserRow; readonly sessionId: string }> {
	if (caller.kind !== "session") throw new ApiError("forbidden", { message: "Required scope: write" });
	const user = await findUser(deps.metadata, caller.userId);
	if (user === undefined) throw new ApiError("user_not_found");
	return { user, sessionId: caller.sessionId };
}
