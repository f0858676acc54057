import { type Actor, type ChangeDeps, recordAudit } from "../../../auditing/audit-log/index.ts";
import { revokeSessions } from "./store.ts";

interface Owned {
	readonly userId: number;
	readonly sessionId: string;
}

/** Signs out of one session. */
export async function signOut(deps: ChangeDeps, { userId, sessionId }: Owned, actor: Actor): Promise<void> {
	const now = deps.clock.now();
	await deps.metadata.transaction().execute(async (metadata) => {
		const ended = await revokeSessions(metadata, userId, { id: sessionId }, now);
		if (ended > 0) await recordAudit(metadata, actor, { action: "user.logout", resourceId: userId }, now);
	});
}

/** Revokes one session of a user; false when there is no such live session. */
export async function revokeSession(
	deps: ChangeDeps,
	{ userId, sessionId, reason }: Owned & { readonly reason?: string },
	actor: Actor,
): Promise<boolean> {
	const now = deps.clock.now();
	return deps.metadata.transaction().execute(async (metadata) => {
		if ((await revokeSessions(metadata, userId, { id: sessionId }, now)) === 0) return false;
		const details = reason === undefined ? {} : { reason };
		await recordAudit(metadata, actor, { action: "session.revoked", resourceId: sessionId, details }, now);
		return true;
	});
}

/** Revokes all sessions of a user, or all but one; answers how many. */
export async function revokeAllSessions(
	deps: ChangeDeps,
	{ userId, except }: { readonly userId: number; readonly except?: string },
	actor: Actor,
): Promise<number> {
	const now = deps.clock.now();
	return deps.metadata.transaction().execute(async (metadata) => {
		const count = await revokeSessions(metadata, userId, except === undefined ? {} : { except }, now);
		if (count > 0) {
			const details = { sessions_terminated: count };
			await recordAudit(metadata, actor, { action: "session.revoked", details }, now);
		}
		return count;
	});
}
