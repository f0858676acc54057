import { ServiceError } from "../platform/errors/service-error.ts";
import { LruMap } from "../platform/lib/lru-map.ts";
import type { SessionScope } from "./principal.ts";
import { signToken, verifyToken } from "./signing-keys.ts";

/** The cookies of a session. */
export const cookieNames = {
	access: "svc_access_token",
	refresh: "svc_refresh_token",
	csrf: "svc_csrf_token",
} as const;

/** Seconds that an access token lives. */
export const ACCESS_TOKEN_SECONDS = 900;

const REMEMBERED_TOKENS = 2000;
const AUDIENCE = "footfall:session";
/** A cookie holds 4,096 bytes; the claim is a hint for clients and never decides access. */
const MAX_SITE_CLAIM_CHARACTERS = 1500;

/** Claims of a session's access token. */
export interface SessionClaims {
	readonly userId: number;
	readonly sessionId: string;
	readonly email: string;
	readonly role: "superadmin" | "user";
	readonly scopes: readonly SessionScope[];
	/** Slugs of the sites in reach; the first ones when they would not fit a cookie. */
	readonly siteIds: readonly string[];
	/** The superadmin who acts as the user. */
	readonly impersonatorId: number | null;
}

/** A signed access token (JWT, HS256) that ends after `ACCESS_TOKEN_SECONDS`; `nowMs` in milliseconds. */
export function signSessionToken(secretKey: string, claims: SessionClaims, nowMs: number): Promise<string> {
	const { userId, sessionId: sid, email, role, scopes, impersonatorId } = claims;
	const impersonation = impersonatorId === null ? {} : { impersonated_by: impersonatorId };
	const shown = { email, account_ids: fitting(claims.siteIds), scopes: [...scopes], sid, role, ...impersonation };
	const token = { audience: AUDIENCE, subject: String(userId), seconds: ACCESS_TOKEN_SECONDS, claims: shown };
	return signToken(secretKey, token, nowMs);
}

/** Claims of an access token. */
interface ReadToken {
	readonly sessionId: string;
	/** Milliseconds since the Unix epoch. */
	readonly expiresAt: number;
}

/** Reads access tokens; answers the session that a token names, and when the token ends. */
export type SessionTokenReader = (token: string, nowMs: number) => Promise<ReadToken>;

/**
 * A reader of access tokens. It remembers genuine tokens, because a browser shows the same one many times
 * and the signature costs more than everything else in a guard; their end is looked at each time.
 * Reading throws `token_expired` past the end and `token_invalid` for a bad signature, format or audience.
 * `secretKeys`: the server's secret, and the one before it while an operator changes it.
 */
export function createSessionTokenReader(secretKeys: readonly string[]): SessionTokenReader {
	const genuine = new LruMap<string, ReadToken>(REMEMBERED_TOKENS);
	return async (token, nowMs) => {
		const known = genuine.get(token) ?? (await readToken(secretKeys, token, nowMs));
		if (known.expiresAt <= nowMs) throw new ServiceError("token_expired");
		genuine.set(token, known);
		return known;
	};
}

async function readToken(secretKeys: readonly string[], token: string, nowMs: number): Promise<ReadToken> {
	const { claim, endsAt } = await verifyToken(secretKeys, token, { audience: AUDIENCE, claim: "sid" }, nowMs);
	if (typeof claim !== "string") throw new ServiceError("token_invalid");
	return { sessionId: claim, expiresAt: endsAt };
}

function fitting(siteIds: readonly string[]): string[] {
	let characters = 0;
	return siteIds.filter((id) => {
		characters += id.length + 3;
		return characters <= MAX_SITE_CLAIM_CHARACTERS;
	});
}
