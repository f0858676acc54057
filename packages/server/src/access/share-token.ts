import { errors, jwtVerify, SignJWT } from "jose";
import { ServiceError } from "../platform/errors/service-error.ts";
import { acceptedKey, CLOCK_SKEW_MS, signingKey } from "./signing-keys.ts";

/** Seconds that a bearer of a shared link lives. */
export const SHARE_TOKEN_SECONDS = 3600;

const PREFIX = "shr_";
const ALGORITHM = "HS256";
const AUDIENCE = "footfall:share";

/** Claims of a shared link's bearer token. */
export interface ShareClaims {
	readonly linkId: string;
	/** That of the link when the bearer was given: each change of the link has a higher one, which ends what was given before. */
	readonly generation: number;
}

/** A bearer with which reports are read by a shared link, for `SHARE_TOKEN_SECONDS`. */
export async function signShareToken(secretKey: string, claims: ShareClaims, nowMs: number): Promise<string> {
	const { id: kid, key } = signingKey(secretKey, nowMs);
	const issuedAt = Math.floor(nowMs / 1000);
	const signed = await new SignJWT({ generation: claims.generation })
		.setProtectedHeader({ alg: ALGORITHM, typ: "JWT", kid })
		.setSubject(claims.linkId)
		.setAudience(AUDIENCE)
		.setIssuedAt(issuedAt)
		.setExpirationTime(issuedAt + SHARE_TOKEN_SECONDS)
		.sign(key);
	return PREFIX + signed;
}

/** True for a bearer value that has the form of a shared link's. */
export const isShareToken = (token: string): boolean => token.startsWith(PREFIX);

/**
 * Claims of a valid bearer token of a shared link, and its end in milliseconds. Throws `token_expired` past its end,
 * and `token_invalid` for a bad signature, format or audience.
 */
export async function readShareToken(
	secretKeys: readonly string[],
	token: string,
	nowMs: number,
): Promise<ShareClaims & { readonly endsAt: number }> {
	try {
		const { payload } = await jwtVerify(token.slice(PREFIX.length), ({ kid }) => keyNamed(secretKeys, kid, nowMs), {
			algorithms: [ALGORITHM],
			typ: "JWT",
			audience: AUDIENCE,
			currentDate: new Date(nowMs),
			requiredClaims: ["exp", "iat", "sub", "generation"],
		});
		const { sub, generation, iat, exp } = payload;
		const isFromFuture = iat === undefined || iat * 1000 > nowMs + CLOCK_SKEW_MS;
		if (sub !== undefined && typeof generation === "number" && exp !== undefined && !isFromFuture) {
			return { linkId: sub, generation, endsAt: exp * 1000 };
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
