import { randomBytes } from "node:crypto";
import {
	ACCESS_TOKEN_SECONDS,
	csrfKey,
	csrfToken,
	leadsSome,
	reachableSites,
	sessionScopes,
	signSessionToken,
} from "../../../../access/index.ts";
import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { deriveKey, equalConstantTime, hmacHex, sha256Hex } from "../../../../platform/lib/crypto.ts";
import { DAY_MS } from "../../../../platform/lib/durations.ts";
import { uuid } from "../../../../platform/lib/ids.ts";
import { recordAudit, userActor } from "../../../auditing/audit-log/index.ts";
import { noteSignIn, presentUser, type UserRow } from "../../users/index.ts";
import type { AuthDeps } from "../deps.ts";
import { forgetEndedSessions, type SessionRow, sessionsTable } from "../store.ts";

/** A session lives this long after its last refresh … */
const IDLE_DAYS = 30;
/** … and no longer than this after sign-in. */
const MAX_DAYS = 90;

const MAX_USER_AGENT = 300;

export interface Client {
	readonly ip: string;
	readonly userAgent: string | undefined;
}

export const clientOf = (request: { ip: string; headers: { "user-agent"?: string | undefined } }): Client => ({
	ip: request.ip,
	userAgent: request.headers["user-agent"],
});

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

/**
 * Signs a user in: stores a session and answers its secrets with the user's record.
 * With `boundRequest` the session may only decide on that request of an app until the address is confirmed.
 * Throws `invalid_credentials` when the user was deactivated, or got another password or second factor, since `user` was read.
 */
export async function openSession(
	deps: AuthDeps,
	user: UserRow,
	client: Client,
	{ boundRequest = null }: { readonly boundRequest?: string | null } = {},
) {
	const now = deps.clock.now();
	const opened = newSession(deps, user.id, client, { openedMs: now, expiresAt: sessionEnd(now, now) });
	const { refreshToken } = opened;
	const row = { ...opened.row, bound_request: boundRequest };
	await deps.metadata.transaction().execute(async (metadata) => {
		// First: the row's lock makes a password change wait, which then ends this session too.
		if (!(await noteSignIn(metadata, user, now))) throw new ServiceError("invalid_credentials");
		await forgetEndedSessions(metadata, user.id, now);
		await sessionsTable.insert(metadata, row);
		await recordAudit(metadata, userActor(user.id, client.ip), { action: "user.login", resourceId: user.id }, now);
	});
	const { secrets, siteIds } = await issueSecrets(deps, user, row, refreshToken);
	return { secrets, user: presentUser({ ...user, last_login_at: now }, siteIds) };
}

/** The row of a new session, and the refresh token of which the row holds a hash. */
export function newSession(
	deps: Pick<AuthDeps, "secretKey">,
	userId: number,
	client: Client,
	life: { openedMs: number; expiresAt: number },
) {
	const id = uuid();
	const refreshToken = newRefreshToken(deps, id);
	const row: SessionRow = {
		id,
		user_id: userId,
		refresh_hash: sha256Hex(refreshToken),
		rotated_hashes: "[]",
		user_agent: client.userAgent?.slice(0, MAX_USER_AGENT) ?? null,
		ip_address: client.ip,
		created_at: life.openedMs,
		last_used_at: life.openedMs,
		expires_at: life.expiresAt,
		revoked_at: null,
		impersonator_id: null,
		impersonator_session_id: null,
		return_hash: null,
		bound_request: null,
	};
	return { row, refreshToken };
}

/** The secrets of a session, with a fresh access token, in the form that the cookies take; and the sites that its user reaches. */
export async function issueSecrets(
	deps: AuthDeps,
	user: UserRow,
	session: Pick<SessionRow, "id" | "impersonator_id" | "expires_at">,
	refreshToken: string,
): Promise<{ readonly secrets: SessionSecrets; readonly siteIds: readonly string[] }> {
	const siteIds = (await reachableSites(deps.metadata, user.id)).map((site) => site.id);
	const scopes = sessionScopes(user.role, await leadsSome(deps.metadata, user.id, "owner"));
	const { id: userId, email, role } = user;
	const claims = {
		userId,
		email,
		role,
		scopes,
		siteIds,
		sessionId: session.id,
		impersonatorId: session.impersonator_id,
	};
	const secrets = {
		accessToken: await signSessionToken(deps.secretKey, claims, deps.clock.now()),
		refreshToken,
		csrfToken: csrfToken(csrfKey(deps.secretKey), session.id),
		// Up: the moment that opening took is no second less.
		secondsLeft: Math.ceil((session.expires_at - deps.clock.now()) / 1000),
	};
	return { secrets, siteIds };
}

export const presentAccessToken = (accessToken: string) => ({
	access_token: accessToken,
	token_type: "bearer" as const,
	expires_in: ACCESS_TOKEN_SECONDS,
});

const RANDOM_BYTES = 16;
const MARK_BYTES = 16;

/**
 * A new refresh token of a session. It names the session and carries a mark of this service, so that the reuse of an old one
 * is told from a guess: anybody who has seen an access token knows the session's name.
 */
export function newRefreshToken(deps: Pick<AuthDeps, "secretKey">, sessionId: string): string {
	const random = randomBytes(RANDOM_BYTES);
	return `${sessionId}.${Buffer.concat([random, markOf(deps, sessionId, random)]).toString("base64url")}`;
}

/** True for a token that this service gave out for the session, under its present secret. */
export function isGenuineRefreshToken(deps: Pick<AuthDeps, "secretKey">, sessionId: string, token: string): boolean {
	const bytes = Buffer.from(token.slice(sessionId.length + 1), "base64url");
	const mark = markOf(deps, sessionId, bytes.subarray(0, RANDOM_BYTES));
	return equalConstantTime(bytes.subarray(RANDOM_BYTES).toString("hex"), mark.toString("hex"));
}

function markOf({ secretKey }: Pick<AuthDeps, "secretKey">, sessionId: string, random: Uint8Array): Buffer {
	const key = deriveKey(secretKey, "refresh-token");
	const text = `${sessionId}.${Buffer.from(random).toString("base64url")}`;
	return Buffer.from(hmacHex(key, text), "hex").subarray(0, MARK_BYTES);
}
