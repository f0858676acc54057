import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { ServiceError } from "../platform/errors/service-error.ts";
import { deriveKey, equalConstantTime, hmacHex, sha256Hex } from "../platform/lib/crypto.ts";
import { DAY_MS, MINUTE_MS } from "../platform/lib/durations.ts";
import { LruMap } from "../platform/lib/lru-map.ts";
import { utcDay } from "../platform/lib/timestamp.ts";
import type { BrowserSession } from "./principal.ts";

/** By this much the clocks of two processes may differ. */
const CLOCK_SKEW_MS = MINUTE_MS;
const ID_CHARACTERS = 16;

/** A key that signs access tokens; tokens name it by its id (`kid`). */
interface SigningKey {
	readonly id: string;
	readonly key: Uint8Array;
}

/** The key of a UTC day: derived, so that every process has it and a leaked one is soon worth nothing. */
export function signingKey(secretKey: string, dayMs: number): SigningKey {
	const key = deriveKey(secretKey, `session-token ${utcDay(dayMs)}`);
	return { id: sha256Hex(key.toString("hex")).slice(0, ID_CHARACTERS), key };
}

/** The key with this id, if it is of today or the day before and of one of the server's secrets. */
function acceptedKey(secretKeys: readonly string[], id: string | undefined, nowMs: number): Uint8Array {
	// Another process may have entered the new day already.
	const today = nowMs + CLOCK_SKEW_MS;
	const accepted = secretKeys
		.flatMap((secretKey) => [today, today - DAY_MS].map((day) => signingKey(secretKey, day)))
		.find((key) => key.id === id);
	if (accepted === undefined) throw new errors.JWKSNoMatchingKey();
	return accepted.key;
}

const ALGORITHM = "HS256";

interface SignedToken {
	/** Which tokens of ours it is one of. */
	readonly audience: string;
	readonly subject: string;
	readonly seconds: number;
	readonly claims: JWTPayload;
}

/** A token (JWT, HS256) signed with the key of the day, for some seconds from `nowMs` on. */
export function signToken(secretKey: string, token: SignedToken, nowMs: number): Promise<string> {
	const { id: kid, key } = signingKey(secretKey, nowMs);
	const issuedAt = Math.floor(nowMs / 1000);
	return new SignJWT(token.claims)
		.setProtectedHeader({ alg: ALGORITHM, typ: "JWT", kid })
		.setSubject(token.subject)
		.setAudience(token.audience)
		.setIssuedAt(issuedAt)
		.setExpirationTime(issuedAt + token.seconds)
		.sign(key);
}

/** Content of a genuine token; `claim` is the value of the one that the caller requires. */
interface VerifiedToken {
	readonly subject: string;
	readonly claim: unknown;
	readonly endsAt: number;
}

/** Verifies a token. Throws `token_expired` past its end and `token_invalid` for a bad signature, format or audience. */
export async function verifyToken(
	secretKeys: readonly string[],
	token: string,
	{ audience, claim }: { readonly audience: string; readonly claim: string },
	nowMs: number,
): Promise<VerifiedToken> {
	try {
		const { payload } = await jwtVerify(token, ({ kid }) => acceptedKey(secretKeys, kid, nowMs), {
			algorithms: [ALGORITHM],
			typ: "JWT",
			audience,
			currentDate: new Date(nowMs),
			requiredClaims: ["exp", "iat", "sub", claim],
		});
		const { sub: subject, iat, exp } = payload;
		const isFromFuture = iat === undefined || iat * 1000 > nowMs + CLOCK_SKEW_MS;
		if (subject !== undefined && exp !== undefined && !isFromFuture) {
			return { subject, claim: payload[claim], endsAt: exp * 1000 };
		}
	} catch (cause) {
		if (cause instanceof errors.JWTExpired) throw new ServiceError("token_expired");
		if (!(cause instanceof errors.JOSEError)) throw cause;
	}
	throw new ServiceError("token_invalid");
}

const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);

/** The key of the CSRF tokens, from the server's secret. */
export const csrfKey = (secretKey: string): Uint8Array => deriveKey(secretKey, "csrf");

/** The session's CSRF token: bound to the session, so that a planted cookie pair does not pass. */
export const csrfToken = (key: Uint8Array, sessionId: string): string => hmacHex(key, sessionId);

/** Double-submit check of a request that a cookie signs in, with any of the keys; throws `csrf_failed`. */
export function checkCsrf(
	keys: readonly Uint8Array[],
	sessionId: string,
	request: { method: string; cookie: string | undefined; header: string | undefined },
): void {
	if (SAFE_METHODS.has(request.method)) return;
	const { cookie = "", header = "" } = request;
	const isOurs = keys.some((key) => equalConstantTime(header, csrfToken(key, sessionId)));
	if (!equalConstantTime(cookie, header) || !isOurs) throw new ServiceError("csrf_failed");
}

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

interface SessionClaims
	extends Pick<BrowserSession, "userId" | "sessionId" | "email" | "role" | "scopes" | "impersonatorId"> {
	/** Slugs of the sites in reach; the first ones when they would not fit a cookie. */
	readonly siteIds: readonly string[];
}

/** A signed access token (JWT, HS256) that ends after `ACCESS_TOKEN_SECONDS`; `nowMs` in milliseconds. */
export function signSessionToken(secretKey: string, claims: SessionClaims, nowMs: number): Promise<string> {
	const { userId, sessionId: sid, email, role, scopes, impersonatorId } = claims;
	const impersonation = impersonatorId === null ? {} : { impersonated_by: impersonatorId };
	const shown = { email, account_ids: fitting(claims.siteIds), scopes: [...scopes], sid, role, ...impersonation };
	const token = { audience: AUDIENCE, subject: String(userId), seconds: ACCESS_TOKEN_SECONDS, claims: shown };
	return signToken(secretKey, token, nowMs);
}

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
