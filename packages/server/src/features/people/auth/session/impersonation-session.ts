import { sha256Hex } from "../../../../platform/lib/crypto.ts";
import { HOUR_MS } from "../../../../platform/lib/durations.ts";
import { randomToken } from "../../../../platform/lib/ids.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { findUser, type UserRow } from "../../users/index.ts";
import type { AuthDeps } from "../deps.ts";
import {
	type Client,
	issueAccessToken,
	newRefreshToken,
	newSession,
	type SessionSecrets,
	sessionEnd,
	sessionSecrets,
} from "./open-session.ts";
import { findSession, insertSession, rotateRefresh } from "./store.ts";

const LIFETIME_MS = HOUR_MS;

interface OwnSession {
	readonly userId: number;
	readonly sessionId: string;
}

/**
 * Opens a session in which a superadmin acts as `user`; it lives for an hour and is not prolonged by refreshing.
 * `record` joins its transaction. Answers its secrets, and the one that brings the superadmin's own session back.
 */
export async function openImpersonation(
	deps: AuthDeps,
	{ user, own, client }: { user: UserRow; own: OwnSession; client: Client },
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
		await insertSession(trx, impersonation);
		await record(trx);
	});
	const { accessToken } = await issueAccessToken(deps, user, impersonation);
	const secrets = sessionSecrets(deps, { id: row.id, accessToken, refreshToken, expiresAt: row.expires_at });
	return { secrets, returnToken };
}

/** Gives out new secrets of a session that a browser had put aside; undefined when it ended in the meantime. */
export async function resumeSession(deps: AuthDeps, sessionId: string): Promise<SessionSecrets | undefined> {
	const now = deps.clock.now();
	const session = await findSession(deps.metadata, sessionId);
	if (session === undefined || session.expires_at <= now) return undefined;
	const user = await findUser(deps.metadata, session.user_id);
	if (user === undefined || user.is_active !== 1) return undefined;
	const refreshToken = newRefreshToken(deps, session.id);
	const expiresAt = sessionEnd(session.created_at, now);
	const rotated = await rotateRefresh(
		deps.metadata,
		{ id: session.id, from: session.refresh_hash },
		{ refresh_hash: sha256Hex(refreshToken), rotated_hashes: "[]", last_used_at: now, expires_at: expiresAt },
	);
	if (!rotated) return undefined;
	const { accessToken } = await issueAccessToken(deps, user, session);
	return sessionSecrets(deps, { id: session.id, accessToken, refreshToken, expiresAt });
}
