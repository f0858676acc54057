import { ServiceError } from "../platform/errors/service-error.ts";
import type { Clock } from "../platform/lib/clock.ts";
import { sha256Hex } from "../platform/lib/crypto.ts";
import { MINUTE_MS } from "../platform/lib/durations.ts";
import { randomToken } from "../platform/lib/ids.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { apiTokens, findAccessToken, findKey, findSession, oauthGrants, oneTimeTokens } from "./credential-store.ts";
import { keyScopes, type OAuthAudience, type Principal, sessionScopes } from "./principal.ts";
import type { SessionTokenReader } from "./session-token.ts";
import { authenticateLink, isShareToken, type SharedLinkDeps } from "./shared-link.ts";
import { findSiteFor } from "./site-store.ts";

const FORM = /^oat_[A-Za-z0-9_-]{43}$/;

interface OAuthTokenDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	readonly endLostGrant: (grantId: string) => Promise<void>;
}

/** A new OAuth access token: a random value whose form tells it from every other credential. */
export const newOAuthToken = (): string => `oat_${randomToken()}`;

/**
 * The app that presents an OAuth access token, with the rights its grant still has. Throws `token_invalid` for a token
 * that is unknown, revoked, for another audience, or whose user lost the site, and `token_expired`.
 */
async function authenticateOAuth(
	deps: OAuthTokenDeps,
	token: string,
	audience: OAuthAudience,
): Promise<Extract<Principal, { kind: "oauth" }>> {
	const { metadata } = deps;
	const found = await findAccessToken(metadata, sha256Hex(token));
	if (found === undefined || found.revokedAt !== null) throw new ServiceError("token_invalid");
	const now = deps.clock.now();
	if (found.expiresAt <= now) throw new ServiceError("token_expired");
	if (found.audience !== null && found.audience !== audience) throw new ServiceError("token_invalid");
	const { userId, grantId, clientId, siteId, plan } = found;
	const site = found.isActive === 1 ? await findSiteFor(metadata, siteId, userId) : undefined;
	if (site?.role === undefined) {
		await deps.endLostGrant(grantId);
		throw new ServiceError("token_invalid");
	}
	await noteUse(found.lastUsedAt, now, (used) => oauthGrants.update(metadata, { id: grantId }, used));
	const scopes = found.scopes.split(" ");
	const endsAt = found.expiresAt;
	return { kind: "oauth", userId, grantId, clientId, siteId, siteIds: [siteId], scopes, plan, endsAt };
}

/** Notes the minute of a use. A full disk must not keep anybody from reading, so a failed note is let go. */
async function noteUse(
	before: number | null,
	now: number,
	store: (used: { last_used_at: number }) => Promise<unknown>,
) {
	const last_used_at = now - (now % MINUTE_MS);
	if (before !== last_used_at) await store({ last_used_at }).catch(() => undefined);
}

/** 32 random bytes as base64url: never the form of an access token. */
const ONE_TIME_TOKEN = /^[A-Za-z0-9_-]{43}$/;

interface AuthenticateDeps extends OAuthTokenDeps, SharedLinkDeps {
	readonly readSessionToken: SessionTokenReader;
}

export interface Credentials {
	/** Header `X-API-Key`. */
	readonly apiKey: string | undefined;
	/** Header `Authorization`. */
	readonly authorization: string | undefined;
	/** Cookie `svc_access_token`. */
	readonly accessCookie: string | undefined;
	/** Which OAuth tokens the route takes. */
	readonly audience: OAuthAudience;
}

/**
 * Authenticates a request. The first credential present decides alone: key, bearer, cookie; none gives `anonymous`. A
 * bearer is the token of a session, of an app or of a shared link, by its form. Throws `unauthorized`, `token_expired`,
 * `token_invalid`, or `two_factor_required` for the challenge of a sign-in.
 */
export async function authenticate(deps: AuthenticateDeps, credentials: Credentials): Promise<Principal> {
	const { apiKey, authorization, accessCookie, audience } = credentials;
	if (apiKey !== undefined) return authenticateKey(deps, apiKey);
	if (authorization !== undefined) {
		const token = bearerToken(authorization);
		if (FORM.test(token)) return authenticateOAuth(deps, token, audience);
		// Sessions belong to people: the MCP server takes keys and the tokens of apps.
		if (audience === "mcp") throw new ServiceError("token_invalid");
		if (isShareToken(token)) return authenticateLink(deps, token);
		return authenticateSession(deps, token, false);
	}
	if (audience === "mcp") return { kind: "anonymous" };
	if (accessCookie !== undefined && accessCookie !== "") return authenticateSession(deps, accessCookie, true);
	return { kind: "anonymous" };
}

function bearerToken(authorization: string): string {
	const [scheme = "", token = ""] = authorization.trim().split(/ +/, 2);
	if (scheme.toLowerCase() !== "bearer" || token === "") throw new ServiceError("token_invalid");
	return token;
}

async function authenticateSession(deps: AuthenticateDeps, token: string, viaCookie: boolean): Promise<Principal> {
	const now = deps.clock.now();
	if (ONE_TIME_TOKEN.test(token)) {
		const open = { token_hash: sha256Hex(token), kind: "sign_in_challenge", expires_at: { ">": now } };
		if ((await oneTimeTokens.find(deps.metadata, open)) !== undefined) throw new ServiceError("two_factor_required");
	}
	const { sessionId, expiresAt } = await deps.readSessionToken(token, now);
	const session = await findSession(deps.metadata, sessionId);
	if (session === undefined || session.revokedAt !== null || session.isActive !== 1 || isDisowned(session)) {
		throw new ServiceError("unauthorized", "Session has been revoked");
	}
	if (session.expiresAt <= now) throw new ServiceError("token_expired");
	const { userId, email, role, plan, impersonatorId } = session;
	const boundRequest = session.emailVerifiedAt === null ? session.boundRequest : null;
	const scopes = sessionScopes(role, Boolean(session.ownsOrganization));
	const endsAt = Math.min(expiresAt, session.expiresAt);
	const user = { userId, email, role, scopes, plan };
	return { kind: "session", ...user, sessionId, impersonatorId, boundRequest, viaCookie, endsAt };
}

type FoundSession = NonNullable<Awaited<ReturnType<typeof findSession>>>;

/** An impersonation ends with the session and the rank of the superadmin, and never gives that rank itself. */
const isDisowned = (session: FoundSession): boolean =>
	session.impersonatorId !== null &&
	(session.role === "superadmin" ||
		session.impersonatorRole !== "superadmin" ||
		session.impersonatorIsActive !== 1 ||
		session.ownSessionId === null ||
		session.ownSessionRevokedAt !== null);

async function authenticateKey(deps: AuthenticateDeps, value: string): Promise<Principal> {
	const key = await findKey(deps.metadata, sha256Hex(value));
	if (key === undefined || key.revokedAt !== null || key.ownerIsActive !== 1) {
		throw new ServiceError("unauthorized", "Invalid API key");
	}
	const now = deps.clock.now();
	if (key.expiresAt !== null && key.expiresAt <= now) throw new ServiceError("token_expired");
	await noteUse(key.lastUsedAt, now, (used) => apiTokens.update(deps.metadata, { id: key.id }, used));
	return {
		kind: "key",
		userId: key.userId,
		tokenId: key.id,
		scopes: keyScopes.filter((scope) => parseTexts(key.scopes).includes(scope)),
		plan: key.plan,
		siteIds: key.siteIds === null ? null : parseTexts(key.siteIds),
		endsAt: key.expiresAt,
	};
}

function parseTexts(json: string): string[] {
	const value: unknown = JSON.parse(json);
	return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
