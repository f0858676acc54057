import { hash, randomBytes } from "node:crypto";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { parseIpAddress } from "../../../platform/lib/ip-address.ts";

/** Keys counted in a minute; beyond, new ones are let through uncounted rather than memory given away. */
const MAX_KEYS = 500_000;

/** Counts by key in fixed windows of a minute. */
export class MinuteWindow {
	readonly #most: number;
	#minute = 0;
	#counts = new Map<number, number>();

	constructor(most: number) {
		this.#most = most;
	}

	/** Counts one more of a key; false when it is more than the most in this minute. */
	admit(key: number, now: number): boolean {
		const minute = Math.floor(now / MINUTE_MS);
		if (minute !== this.#minute) {
			this.#minute = minute;
			this.#counts = new Map();
		}
		const count = (this.#counts.get(key) ?? 0) + 1;
		if (count > this.#most) return false;
		if (count > 1 || this.#counts.size < MAX_KEYS) this.#counts.set(key, count);
		return true;
	}
}

/** Hexadecimal digits of an address's digest. */
const DIGITS = 13;

/** Counts new visits by address: a client that varies its user agent would take memory for a new visit each time. */
export class NewcomerGuard {
	readonly #most: number;
	/** Addresses are held as digests alone, and no longer than a minute. */
	readonly #key = randomBytes(32).toString("base64");
	readonly #addresses: MinuteWindow;

	/** `most`: visits a minute that may begin at one IPv4 address, or IPv6 network of 64 bits; 0 = no limit. */
	constructor(most: number) {
		this.#most = most;
		this.#addresses = new MinuteWindow(most);
	}

	admit(ip: string, now: number): boolean {
		if (this.#most === 0) return true;
		const digest = hash("sha256", `${this.#key}\n${networkOf(ip)}`, "hex");
		return this.#addresses.admit(Number.parseInt(digest.slice(0, DIGITS), 16), now);
	}
}

/** Network of one subscriber: an IPv4 address, or an IPv6 network of 64 bits. */
function networkOf(ip: string): string {
	if (!ip.includes(":")) return ip;
	const address = parseIpAddress(ip);
	return address?.family === 6 ? String(address.bits >> 64n) : String(address?.bits ?? ip);
}
