import { createHmac, timingSafeEqual } from "node:crypto";
import { LruMap } from "../../../platform/lib/lru-map.ts";

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

/** Tokens last a week and are shared by all who loaded the script in the same hour, so few are alive at a time. */
const TOKENS_KEPT = 20_000;

/** A token is good for one site alone, and has one spelling. */
interface Genuine {
	readonly siteId: string;
	readonly expiry: number;
}

/** Checks the tokens of hits. The result is cached; the expiry is checked each time. */
export class TokenCheck {
	readonly #secrets: readonly string[];
	readonly #genuine = new LruMap<string, Genuine>(TOKENS_KEPT);

	/** Tokens keyed by any of the secrets are genuine, so that those from before a change of the key stay so. */
	constructor(secrets: readonly string[]) {
		this.#secrets = secrets;
	}

	/** True for a token that `/t.js` issued for this site in the last seven days. */
	isValid(siteId: string, token: string, now: number): boolean {
		const known = this.#genuine.get(token);
		if (known !== undefined) return known.siteId === siteId && now < known.expiry;
		const expiry = this.#secrets
			.map((secret) => tokenExpiry(secret, siteId, token))
			.find((found) => found !== undefined);
		// Forged ones are not remembered: they must not push out good ones.
		if (expiry === undefined) return false;
		this.#genuine.set(token, { siteId, expiry });
		return now < expiry;
	}
}
