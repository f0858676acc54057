import { hash, randomBytes } from "node:crypto";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { parseIpAddress } from "../../../platform/lib/ip-address.ts";

/** Keys counted in a minute; beyond, new ones are let through uncounted rather than memory given away. */
const MAX_KEYS = 500_000;

/** Counts by key in fixed windows of a minute. */
class MinuteWindow {
	#minute = 0;
	#counts = new Map<number, number>();

	/** Counts one more of a key; false when it is more than `most` in this minute. */
	admit(key: number, most: number, now: number): boolean {
		const minute = Math.floor(now / MINUTE_MS);
		if (minute !== this.#minute) {
			this.#minute = minute;
			this.#counts = new Map();
		}
		const count = (this.#counts.get(key) ?? 0) + 1;
		if (count > most) return false;
		if (count > 1 || this.#counts.size < MAX_KEYS) this.#counts.set(key, count);
		return true;
	}
}

/** Hits a minute that one visitor may send. */
const HITS_A_MINUTE = 300;

export class FloodGuard {
	readonly #visitors = new MinuteWindow();

	/** Counts a hit; false when it is one too many in this minute. */
	admit(visitor: number, now: number): boolean {
		return this.#visitors.admit(visitor, HITS_A_MINUTE, now);
	}
}

/** Hexadecimal digits of an address's digest. */
const DIGITS = 13;

/**
 * Counts new visits by address. A client that varies its user agent is a new visitor each time, and each visit takes memory until it
 * expires.
 */
export class NewcomerGuard {
	readonly #most: number;
	/** Addresses are held as digests alone, and no longer than a minute. */
	readonly #key = randomBytes(32).toString("base64");
	readonly #addresses = new MinuteWindow();

	/** `most`: visits a minute that may begin at one IPv4 address, or IPv6 network of 64 bits; 0 = no limit. */
	constructor(most: number) {
		this.#most = most;
	}

	/** Counts a visit that begins; false when it is one too many in this minute. */
	admit(ip: string, now: number): boolean {
		if (this.#most === 0) return true;
		const digest = hash("sha256", `${this.#key}\n${networkOf(ip)}`, "hex");
		return this.#addresses.admit(Number.parseInt(digest.slice(0, DIGITS), 16), this.#most, now);
	}
}

/** Network of one subscriber: an IPv4 address, or an IPv6 network of 64 bits. */
function networkOf(ip: string): string {
	if (!ip.includes(":")) return ip;
	const address = parseIpAddress(ip);
	return address?.family === 6 ? String(address.bits >> 64n) : String(address?.bits ?? ip);
}
