import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { equalConstantTime, sha256Hex } from "../../../../platform/lib/crypto.ts";
import { userActor } from "../../../auditing/audit-log/index.ts";
import { findUser, type UserRow } from "../../users/index.ts";
import type { AuthDeps } from "../deps.ts";
import { revokeSession } from "./end-sessions.ts";
import {
	isGenuineRefreshToken,
	issueAccessToken,
	newRefreshToken,
	type SessionSecrets,
	sessionEnd,
	sessionSecrets,
} from "./open-session.ts";
import { findSession, rotateRefresh, type SessionRow } from "./store.ts";

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
	const next = newRefreshToken(deps, session.id);
	const isImpersonation = session.impersonator_id !== null;
	const expiresAt = isImpersonation ? session.expires_at : sessionEnd(session.created_at, now);
	const remembered = [...justRotated(session, now), { hash: given, at: now }].slice(-MAX_REMEMBERED);
	const rotated = await rotateRefresh(
		deps.metadata,
		{ id: session.id, from: given },
		{
			refresh_hash: sha256Hex(next),
			rotated_hashes: JSON.stringify(remembered),
			last_used_at: now,
			expires_at: expiresAt,
		},
	);
	if (!rotated) throw new ServiceError("token_invalid");
	const { accessToken } = await issueAccessToken(deps, user, session);
	return sessionSecrets(deps, { id: session.id, accessToken, refreshToken: next, expiresAt });
}

const revoked = () => new ServiceError("unauthorized", { message: "Session has been revoked" });

async function usableSession(deps: AuthDeps, token: string): Promise<{ session: SessionRow; user: UserRow }> {
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
	const owned = { userId: session.user_id, sessionId: session.id, reason: "a refresh token was used again" };
	await revokeSession(deps, owned, userActor(session.user_id, ip));
	throw revoked();
}

const justRotated = (session: SessionRow, nowMs: number): RotatedHash[] =>
	(JSON.parse(session.rotated_hashes) as RotatedHash[]).filter(({ at }) => nowMs - at <= REPLAY_GRACE_MS);
