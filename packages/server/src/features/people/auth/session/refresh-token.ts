import { randomBytes } from "node:crypto";
import { deriveKey, equalConstantTime, hmacHex } from "../../../../platform/lib/crypto.ts";
import type { AuthDeps } from "../deps.ts";

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
