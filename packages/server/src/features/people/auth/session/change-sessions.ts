import { orThrow, ServiceError } from "../../../../platform/errors/service-error.ts";
import { equalConstantTime, sha256Hex } from "../../../../platform/lib/crypto.ts";
import { HOUR_MS } from "../../../../platform/lib/durations.ts";
import { randomToken } from "../../../../platform/lib/ids.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import {
	type Actor,
	type AuditEntry,
	type ChangeDeps,
	recordAudit,
	userActor,
} from "../../../auditing/audit-log/index.ts";
import { findUser, type UserRow } from "../../users/index.ts";
import type { AuthDeps } from "../deps.ts";
import { findSession, revokeSessions, type SessionRow, sessionsTable } from "../store.ts";
import {
	type Client,
	isGenuineRefreshToken,
	issueSecrets,
	newRefreshToken,
	newSession,
	type SessionSecrets,
	sessionEnd,
} from "./open-session.ts";

interface Owned {
	readonly userId: number;
	readonly sessionId: string;
}

/** Revokes live sessions of a user, one by id or all but one, and records it where there were any; answers how many. */
export const endSessions = (
	{ metadata, clock }: ChangeDeps,
	userId: number,
	which: Parameters<typeof revokeSessions>[2],
	{ actor, entryOf }: { readonly actor: Actor; readonly entryOf: (count: number) => AuditEntry },
): Promise<number> =>
	metadata.transaction().execute(async (trx) => {
		const count = await revokeSessions(trx, userId, which, clock.now());
		if (count > 0) await recordAudit(trx, actor, entryOf(count), clock.now());
		return count;
	});

export async function signOut(deps: ChangeDeps, { userId, sessionId: id }: Owned, actor: Actor): Promise<void> {
	await endSessions(deps, userId, { id }, { actor, entryOf: () => ({ action: "user.logout", resourceId: userId }) });
}

/** Two tabs may send the same token at once; a later replay means that it was stolen. */
const REPLAY_GRACE_MS = 10_000;
const MAX_REMEMBERED = 20;

interface RotatedHash {
	readonly hash: string;
	readonly at: number;
}

/**
 * Exchanges a refresh token for a new one and an access token.
 * Throws `unauthorized` without a token or for a revoked session, `token_invalid` for an unknown token and for one replayed
 * within ten seconds, `token_expired` past the session's end. Any later replay revokes the session.
 */
export async function refreshSession(
	deps: AuthDeps,
	refreshToken: string | undefined,
	ip: string,
): Promise<SessionSecrets> {
	if (refreshToken === undefined || refreshToken === "") throw new ServiceError("unauthorized");
	const { session, user } = await usableSession(deps, refreshToken);
	const now = deps.clock.now();
	const given = sha256Hex(refreshToken);
	if (!equalConstantTime(given, session.refresh_hash))
		return refuseOther(deps, session, { token: refreshToken, hash: given, ip });
	const isImpersonation = session.impersonator_id !== null;
	const expiresAt = isImpersonation ? session.expires_at : sessionEnd(session.created_at, now);
	const remembered = [...justRotated(session, now), { hash: given, at: now }].slice(-MAX_REMEMBERED);
	const secrets = orThrow(await rotate(deps, { session, user }, { remembered, expiresAt, now }), "token_invalid");
	return secrets;
}

/** Gives a session its next secrets; undefined when another request did so first, or the session is revoked. */
async function rotate(
	deps: AuthDeps,
	{ session, user }: UsableSession,
	to: { readonly remembered: readonly RotatedHash[]; readonly expiresAt: number; readonly now: number },
): Promise<SessionSecrets | undefined> {
	const { remembered, expiresAt, now } = to;
	const refreshToken = newRefreshToken(deps, session.id);
	const asRead = { id: session.id, refresh_hash: session.refresh_hash, revoked_at: null };
	const rotated = await sessionsTable.update(deps.metadata, asRead, {
		refresh_hash: sha256Hex(refreshToken),
		rotated_hashes: JSON.stringify(remembered),
		last_used_at: now,
		expires_at: expiresAt,
	});
	return rotated && (await issueSecrets(deps, user, rotated, refreshToken)).secrets;
}

const revoked = () => new ServiceError("unauthorized", "Session has been revoked");

interface UsableSession {
	readonly session: SessionRow;
	readonly user: UserRow;
}

async function usableSession(deps: AuthDeps, token: string): Promise<UsableSession> {
	const match = /^([0-9a-f-]{36})\.[A-Za-z0-9_-]{43}$/.exec(token);
	const session = match?.[1] === undefined ? undefined : await findSession(deps.metadata, match[1]);
	if (session === undefined) throw new ServiceError("token_invalid");
	if (session.revoked_at !== null) throw revoked();
	if (session.expires_at <= deps.clock.now()) throw new ServiceError("token_expired");
	const user = await findUser(deps.metadata, session.user_id);
	if (user === undefined || user.is_active !== 1) throw revoked();
	return { session, user };
}

/** Of tokens that are not the present one, only those that were given out can have been stolen. */
async function refuseOther(
	deps: AuthDeps,
	session: SessionRow,
	{ token, hash, ip }: { token: string; hash: string; ip: string },
): Promise<never> {
	if (!isGenuineRefreshToken(deps, session.id, token)) throw new ServiceError("token_invalid");
	const now = deps.clock.now();
	if (justRotated(session, now).some((rotated) => equalConstantTime(rotated.hash, hash))) {
		throw new ServiceError("token_invalid");
	}
	const details = { reason: "a refresh token was used again" };
	const entryOf = () => ({ action: "session.revoked", resourceId: session.id, details }) as const;
	const { user_id: userId, id } = session;
	await endSessions(deps, userId, { id }, { actor: userActor(userId, ip), entryOf });
	throw revoked();
}

const justRotated = (session: SessionRow, nowMs: number): RotatedHash[] =>
	(JSON.parse(session.rotated_hashes) as RotatedHash[]).filter(({ at }) => nowMs - at <= REPLAY_GRACE_MS);

const LIFETIME_MS = HOUR_MS;

/**
 * Opens a session in which a superadmin acts as `user`; it lives for an hour and is not prolonged by refreshing.
 * `record` joins its transaction. Answers its secrets, and the one that brings the superadmin's own session back.
 */
export async function openImpersonation(
	deps: AuthDeps,
	{ user, own, client }: { user: UserRow; own: Owned; client: Client },
	record: (trx: Metadata) => Promise<void>,
): Promise<{ readonly secrets: SessionSecrets; readonly returnToken: string }> {
	const now = deps.clock.now();
	const returnToken = randomToken();
	const { row, refreshToken } = newSession(deps, user.id, client, { openedMs: now, expiresAt: now + LIFETIME_MS });
	const impersonation = {
		...row,
		impersonator_id: own.userId,
		impersonator_session_id: own.sessionId,
		return_hash: sha256Hex(returnToken),
	};
	await deps.metadata.transaction().execute(async (trx) => {
		await sessionsTable.insert(trx, impersonation);
		await record(trx);
	});
	const { secrets } = await issueSecrets(deps, user, impersonation, refreshToken);
	return { secrets, returnToken };
}

/** Gives out new secrets of a session that a browser had put aside; undefined when it ended in the meantime. */
export async function resumeSession(deps: AuthDeps, sessionId: string): Promise<SessionSecrets | undefined> {
	const now = deps.clock.now();
	const session = await findSession(deps.metadata, sessionId);
	if (session === undefined || session.expires_at <= now) return undefined;
	const user = await findUser(deps.metadata, session.user_id);
	if (user === undefined || user.is_active !== 1) return undefined;
	return rotate(deps, { session, user }, { remembered: [], expiresAt: sessionEnd(session.created_at, now), now });
}
