import { ServiceError } from "../../../platform/errors/service-error.ts";
import { equalConstantTime, sha256Hex } from "../../../platform/lib/crypto.ts";
import { type Actor, recordAudit } from "../../auditing/audit-log/index.ts";
import { type AuthDeps, findSession, resumeSession, revokeSessions } from "../auth/index.ts";

/**
 * Ends an impersonation; answers the secrets of the superadmin's own session when `returnToken` proves that the browser had
 * it and it has not ended. Throws `conflict` outside an impersonation.
 */
export async function endImpersonation(
	deps: AuthDeps,
	given: { userId: number; sessionId: string; returnToken: string; actor: Actor },
) {
	const session = await findSession(deps.metadata, given.sessionId);
	if (session === undefined || session.impersonator_session_id === null || session.return_hash === null) {
		throw new ServiceError("conflict", { message: "Not impersonating" });
	}
	const now = deps.clock.now();
	const ended = await deps.metadata.transaction().execute(async (trx) => {
		if ((await revokeSessions(trx, given.userId, { id: session.id }, now)) === 0) return false;
		await recordAudit(trx, given.actor, { action: "user.impersonation_ended", resourceId: given.userId }, now);
		return true;
	});
	// Of two requests at once, one brings the session back.
	if (!ended || !equalConstantTime(sha256Hex(given.returnToken), session.return_hash)) return undefined;
	return resumeSession(deps, session.impersonator_session_id);
}
