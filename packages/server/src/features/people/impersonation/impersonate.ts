import { ServiceError } from "../../../platform/errors/service-error.ts";
import { type Actor, recordAudit } from "../../auditing/audit-log/index.ts";
import { type AuthDeps, type Client, openImpersonation } from "../auth/index.ts";
import { findUser } from "../users/index.ts";

/**
 * Lets a superadmin act as another user for an hour. Throws `user_not_found`, `forbidden` for a superadmin, and `conflict`
 * for a user who was deactivated.
 */
export async function impersonate(
	deps: AuthDeps,
	given: { userId: number; reason: string; own: { userId: number; sessionId: string }; client: Client; actor: Actor },
) {
	const user = await findUser(deps.metadata, given.userId);
	if (user === undefined) throw new ServiceError("user_not_found");
	if (user.role === "superadmin")
		throw new ServiceError("forbidden", { message: "A superadmin cannot be impersonated" });
	if (user.is_active !== 1) throw new ServiceError("conflict", { message: "The user is deactivated" });
	const entry = {
		action: "user.impersonation_started",
		resourceId: user.id,
		details: { reason: given.reason },
	} as const;
	return openImpersonation(deps, { user, own: given.own, client: given.client }, (trx) =>
		recordAudit(trx, given.actor, entry, deps.clock.now()),
	);
}
