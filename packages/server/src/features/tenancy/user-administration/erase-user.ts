import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Actor } from "../../auditing/audit-log/index.ts";
import { findUser, normalizeEmail } from "../../people/users/index.ts";
import { deleteUser } from "../user-removal/index.ts";
import type { ErasingDeps } from "./deps.ts";

/**
 * Deletes a user for good, whose address the caller has written out. Answers the organizations that ended with them. Throws
 * `user_not_found`, `bad_request` for another address, and `conflict` for who cannot go.
 */
export async function eraseUser(
	deps: ErasingDeps,
	{ userId, email }: { readonly userId: number; readonly email: string },
	actor: Actor,
): Promise<readonly string[]> {
	const user = await findUser(deps.metadata, userId);
	if (user === undefined) throw new ServiceError("user_not_found");
	if (normalizeEmail(email) !== user.email) {
		throw new ServiceError("bad_request", { message: "The address is not that of the user" });
	}
	if (userId === actor.userId) throw new ServiceError("conflict", { message: "Nobody deletes their own account here" });
	return (await deleteUser(deps, user, actor)).organizations;
}
