import {
	ACCESS_TOKEN_SECONDS,
	csrfKey,
	csrfToken,
	ownsOrganization,
	reachableSites,
	sessionScopes,
	sessionTokenKey,
	signSessionToken,
} from "../../../access/index.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import { randomToken, uuid } from "../../../platform/lib/ids.ts";
import { presentUser, type UserRow, updateUser } from "../users/index.ts";
import type { AuthDeps } from "./deps.ts";
import { forgetEndedSessions, insertSession } from "./store.ts";

const DAY_MS = 86_400_000;
/** A session lives this long after its last refresh … */
const IDLE_DAYS = 30;
/** … and no longer than this after sign-in. */
const MAX_DAYS = 90;

const MAX_USER_AGENT = 300;

/** Where a session is used from. */
export interface Client {
	readonly ip: string;
	readonly userAgent: string | undefined;
}

/** What a browser gets to keep a session. */
export interface SessionSecrets {
	readonly accessToken: string;
	readonly refreshToken: string;
	readonly csrfToken: string;
	/** Seconds until the session ends without a refresh. */
	readonly secondsLeft: number;
}

/** Millisecond at which a session ends that was opened and refreshed at these times. */
export const sessionEnd = (openedMs: number, refreshedMs: number): number =>
	Math.min(refreshedMs + IDLE_DAYS * DAY_MS, openedMs + MAX_DAYS * DAY_MS);

/** A new refresh token of a session; it names the session, so that its reuse can be told. */
export const newRefreshToken = (sessionId: string): string => `${sessionId}.${randomToken()}`;

/** Signs a user in: stores a session and answers its secrets with the user's record. */
export async function openSession(deps: AuthDeps, user: UserRow, client: Client) {
	const now = deps.clock.now();
	const id = uuid();
	const refreshToken = newRefreshToken(id);
	const expiresAt = sessionEnd(now, now);
	await deps.metadata.transaction().execute(async (metadata) => {
		await forgetEndedSessions(metadata, user.id, now);
		await insertSession(metadata, {
			id,
			user_id: user.id,
			refresh_hash: sha256Hex(refreshToken),
			rotated_hashes: "[]",
			user_agent: client.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
			ip_address: client.ip,
			created_at: now,
			last_used_at: now,
			expires_at: expiresAt,
			revoked_at: null,
		});
		await updateUser(metadata, user.id, { last_login_at: now });
	});
	const { accessToken, siteIds } = await issueAccessToken(deps, user, id);
	return {
		secrets: sessionSecrets(deps, { id, accessToken, refreshToken, expiresAt }),
		user: presentUser({ ...user, last_login_at: now }, siteIds),
	};
}

/** A fresh access token of a session, with the sites that its user reaches. */
export async function issueAccessToken(deps: AuthDeps, user: UserRow, sessionId: string) {
	const siteIds = (await reachableSites(deps.metadata, user.id)).map((site) => site.id);
	const scopes = sessionScopes(user.role, await ownsOrganization(deps.metadata, user.id));
	const claims = { userId: user.id, sessionId, email: user.email, role: user.role, scopes, siteIds };
	const accessToken = await signSessionToken(sessionTokenKey(deps.secretKey), claims, deps.clock.now());
	return { accessToken, siteIds };
}

/** The secrets of a session in the form that the cookies take. */
export function sessionSecrets(
	deps: AuthDeps,
	session: { id: string; accessToken: string; refreshToken: string; expiresAt: number },
): SessionSecrets {
	return {
		accessToken: session.accessToken,
		refreshToken: session.refreshToken,
		csrfToken: csrfToken(csrfKey(deps.secretKey), session.id),
		secondsLeft: Math.floor((session.expiresAt - deps.clock.now()) / 1000),
	};
}

/** The answer's part that every way of signing in shares. */
export const presentAccessToken = (accessToken: string) => ({
	access_token: accessToken,
	token_type: "bearer" as const,
	expires_in: ACCESS_TOKEN_SECONDS,
});
