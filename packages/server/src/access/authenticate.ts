import { ApiError } from "../platform/http/api-error.ts";
import type { Clock } from "../platform/lib/clock.ts";
import { sha256Hex } from "../platform/lib/crypto.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { findKey, findSession, touchKey } from "./credential-store.ts";
import { keyScopes, type Principal } from "./principal.ts";
import { sessionScopes } from "./roles.ts";
import type { SessionTokenReader } from "./session-token.ts";

const MINUTE_MS = 60_000;

interface AuthenticateDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly readSessionToken: SessionTokenReader;
}

/** What a request shows of itself. */
export interface Credentials {
	/** Header `X-API-Key`. */
	readonly apiKey: string | undefined;
	/** Header `Authorization`. */
	readonly authorization: string | undefined;
	/** Cookie `svc_access_token`. */
	readonly accessCookie: string | undefined;
}

/**
 * Who is asking. The first credential present decides alone: key, bearer, cookie; none gives `anonymous`.
 * Throws `unauthorized`, `token_expired` or `token_invalid`.
 */
export async function authenticate(deps: AuthenticateDeps, credentials: Credentials): Promise<Principal> {
	const { apiKey, authorization, accessCookie } = credentials;
	if (apiKey !== undefined) return authenticateKey(deps, apiKey);
	if (authorization !== undefined) return authenticateSession(deps, bearerToken(authorization), false);
	if (accessCookie !== undefined && accessCookie !== "") return authenticateSession(deps, accessCookie, true);
	return { kind: "anonymous" };
}

function bearerToken(authorization: string): string {
	const [scheme = "", token = ""] = authorization.trim().split(/ +/, 2);
	if (scheme.toLowerCase() !== "bearer" || token === "") throw new ApiError("token_invalid");
	return token;
}

async function authenticateSession(deps: AuthenticateDeps, token: string, viaCookie: boolean): Promise<Principal> {
	const sessionId = await deps.readSessionToken(token, deps.clock.now());
	const session = await findSession(deps.metadata, sessionId);
	if (session === undefined || session.revokedAt !== null || session.isActive !== 1) {
		throw new ApiError("unauthorized", { message: "Session has been revoked" });
	}
	const { userId, email, role } = session;
	const scopes = sessionScopes(role, Boolean(session.ownsOrganization));
	return { kind: "session", userId, sessionId, email, role, scopes, viaCookie };
}

async function authenticateKey(deps: AuthenticateDeps, value: string): Promise<Principal> {
	const key = await findKey(deps.metadata, sha256Hex(value));
	if (key === undefined || key.revokedAt !== null || key.ownerIsActive !== 1) {
		throw new ApiError("unauthorized", { message: "Invalid API key" });
	}
	const now = deps.clock.now();
	if (key.expiresAt !== null && key.expiresAt <= now) throw new ApiError("token_expired");
	const minute = now - (now % MINUTE_MS);
	// A full disk must not keep a key from reading, so a failed note of the use is let go.
	if (key.lastUsedAt !== minute) await touchKey(deps.metadata, key.id, minute).catch(() => undefined);
	return {
		kind: "key",
		userId: key.userId,
		tokenId: key.id,
		scopes: keyScopes.filter((scope) => parseTexts(key.scopes).includes(scope)),
		siteIds: key.siteIds === null ? null : parseTexts(key.siteIds),
	};
}

function parseTexts(json: string): string[] {
	const value: unknown = JSON.parse(json);
	return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
