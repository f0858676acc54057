import { errors, type JWTPayload, jwtVerify, SignJWT } from "jose";
import { ServiceError } from "../platform/errors/service-error.ts";
import { deriveKey, sha256Hex } from "../platform/lib/crypto.ts";
import { DAY_MS, MINUTE_MS } from "../platform/lib/durations.ts";
import { utcDay } from "../platform/lib/timestamp.ts";

/** By this much the clocks of two processes may differ. */
const CLOCK_SKEW_MS = MINUTE_MS;
const ID_CHARACTERS = 16;

/** A key that signs access tokens; tokens name it by its id (`kid`). */
export interface SigningKey {
	readonly id: string;
	readonly key: Uint8Array;
}

/** The key of a UTC day: derived, so that every process has it and a leaked one is soon worth nothing. */
function keyOfDay(secretKey: string, dayMs: number): SigningKey {
	const key = deriveKey(secretKey, `session-token ${utcDay(dayMs)}`);
	return { id: sha256Hex(key.toString("hex")).slice(0, ID_CHARACTERS), key };
}

/** The key that signs now. */
export const signingKey = (secretKey: string, nowMs: number): SigningKey => keyOfDay(secretKey, nowMs);

/** The key with this id, if it is of today or the day before and of one of the server's secrets. */
function acceptedKey(secretKeys: readonly string[], id: unknown, nowMs: number): SigningKey | undefined {
	// Another process may have entered the new day already.
	const today = nowMs + CLOCK_SKEW_MS;
	return secretKeys
		.flatMap((secretKey) => [today, today - DAY_MS].map((day) => keyOfDay(secretKey, day)))
		.find((accepted) => accepted.id === id);
}

const ALGORITHM = "HS256";

/** Content of a token that this server signs. */
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
	/** Milliseconds since the Unix epoch. */
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
		const { payload } = await jwtVerify(token, ({ kid }) => keyNamed(secretKeys, kid, nowMs), {
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

function keyNamed(secretKeys: readonly string[], kid: string | undefined, nowMs: number): Uint8Array {
	const accepted = acceptedKey(secretKeys, kid, nowMs);
	if (accepted === undefined) throw new errors.JWKSNoMatchingKey();
	return accepted.key;
}
