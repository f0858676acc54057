import { createHmac, timingSafeEqual } from "node:crypto";

/** How long a tracker script may send hits with its token. */
const TOKEN_LIFETIME_S = 7 * 24 * 60 * 60;
/** Ours have 58 characters, and 60 from the year 2286 on. */
const MAX_LENGTH = 64;

const mac = (secret: string, siteId: string, seconds: string) =>
	createHmac("sha256", secret).update(`collect:${siteId}:${seconds}`).digest("hex").slice(0, 32);

/** The token that `/t.js` embeds: base64url of `<unix s>:<32 hex>`, keyed with the server's secret over site and time. */
export function issueToken(secret: string, siteId: string, nowMs: number): string {
	const seconds = String(Math.floor(nowMs / 1000));
	return Buffer.from(`${seconds}:${mac(secret, siteId, seconds)}`).toString("base64url");
}

/** Millisecond at which a genuine token ends; undefined for a forged or malformed one. */
export function tokenExpiry(secret: string, siteId: string, token: string): number | undefined {
	if (token.length > MAX_LENGTH) return undefined;
	const decoded = Buffer.from(token, "base64url");
	// The decoder passes over foreign characters: of the many spellings that it reads as the same token, only ours counts.
	if (decoded.toString("base64url") !== token) return undefined;
	const match = /^(\d{1,12}):([0-9a-f]{32})$/.exec(decoded.toString("latin1"));
	const [, seconds, given] = match ?? [];
	if (seconds === undefined || given === undefined) return undefined;
	if (!timingSafeEqual(Buffer.from(mac(secret, siteId, seconds)), Buffer.from(given))) return undefined;
	return (Number(seconds) + TOKEN_LIFETIME_S) * 1000;
}
