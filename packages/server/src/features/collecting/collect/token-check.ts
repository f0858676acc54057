import { LruMap } from "../../../platform/lib/lru-map.ts";
import { tokenExpiry } from "./token.ts";

/** Tokens last a week and are shared by all who loaded the script in the same hour, so few are alive at a time. */
const TOKENS_KEPT = 20_000;

/** Checks the tokens of hits; what a token is worth is remembered, its expiry is looked at each time. */
export class TokenCheck {
	readonly #secret: string;
	readonly #expiries = new LruMap<string, number>(TOKENS_KEPT);

	constructor(secret: string) {
		this.#secret = secret;
	}

	/** True for a token that `/t.js` issued for this site in the last seven days. */
	isValid(siteId: string, token: string, now: number): boolean {
		const key = `${siteId}\n${token}`;
		let expiry = this.#expiries.get(key);
		if (expiry === undefined) {
			expiry = tokenExpiry(this.#secret, siteId, token);
			// Forged ones are not remembered: they must not push out good ones.
			if (expiry === undefined) return false;
			this.#expiries.set(key, expiry);
		}
		return now < expiry;
	}
}
