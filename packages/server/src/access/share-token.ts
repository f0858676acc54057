import { ServiceError } from "../platform/errors/service-error.ts";
import { signToken, verifyToken } from "./signing-keys.ts";

/** Seconds that a bearer of a shared link lives. */
export const SHARE_TOKEN_SECONDS = 3600;

const PREFIX = "shr_";
const AUDIENCE = "footfall:share";

/** Claims of a shared link's bearer token. */
export interface ShareClaims {
	readonly linkId: string;
	/** That of the link when the bearer was given: each change of the link has a higher one, which ends what was given before. */
	readonly generation: number;
}

/** A bearer with which reports are read by a shared link, for `SHARE_TOKEN_SECONDS`. */
export async function signShareToken(secretKey: string, claims: ShareClaims, nowMs: number): Promise<string> {
	const { linkId: subject, generation } = claims;
	const token = { audience: AUDIENCE, subject, seconds: SHARE_TOKEN_SECONDS, claims: { generation } };
	return PREFIX + (await signToken(secretKey, token, nowMs));
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
	const expected = { audience: AUDIENCE, claim: "generation" };
	const { subject, claim, endsAt } = await verifyToken(secretKeys, token.slice(PREFIX.length), expected, nowMs);
	if (typeof claim !== "number") throw new ServiceError("token_invalid");
	return { linkId: subject, generation: claim, endsAt };
}
