import { LruMap } from "../../../platform/lib/lru-map.ts";
import { tokenExpiry } from "./token.ts";

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

	/** `secrets`: any of them may have keyed a token. */
	constructor(secrets: readonly string[]) {
		this.#secrets = secrets;
	}

	/** True for a token that `/t.js` issued for this site in the last seven days. */
	isValid(siteId: string, token: string, now: number): boolean {
		const known = this.#genuine.get(token);
		if (known !== undefined) return known.siteId === siteId && now < known.expiry;
		const expiry = this.#expiryOf(siteId, token);
		// Forged ones are not remembered: they must not push out good ones.
		if (expiry === undefined) return false;
		this.#genuine.set(token, { siteId, expiry });
		return now < expiry;
	}

	#expiryOf(siteId: string, token: string): number | undefined {
		for (const secret of this.#secrets) {
			const expiry = tokenExpiry(secret, siteId, token);
			if (expiry !== undefined) return expiry;
		}
		return undefined;
	}
}
