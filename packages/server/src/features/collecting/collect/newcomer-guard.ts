import { hash, randomBytes } from "node:crypto";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { parseIpAddress } from "../../../platform/lib/ip-address.ts";

/** Addresses counted in a minute; beyond, newcomers are let through uncounted rather than memory given away. */
const MAX_ADDRESSES = 500_000;
const DIGITS = 13;

/**
 * Counts new visits by address, in fixed windows of a minute. A client that varies its user agent is a new visitor each
 * time, and each visit takes memory until it expires.
 */
export class NewcomerGuard {
	readonly #most: number;
	/** Addresses are held as digests alone, and no longer than a minute. */
	readonly #key = randomBytes(32).toString("base64");
	#minute = 0;
	#counts = new Map<number, number>();

	/** `most`: visits a minute that may begin at one IPv4 address, or IPv6 network of 64 bits; 0 = no limit. */
	constructor(most: number) {
		this.#most = most;
	}

	/** Counts a visit that begins; false when it is one too many in this minute. */
	admit(ip: string, now: number): boolean {
		if (this.#most === 0) return true;
		const minute = Math.floor(now / MINUTE_MS);
		if (minute !== this.#minute) {
			this.#minute = minute;
			this.#counts = new Map();
		}
		const address = Number.parseInt(hash("sha256", `${this.#key}\n${networkOf(ip)}`, "hex").slice(0, DIGITS), 16);
		const count = (this.#counts.get(address) ?? 0) + 1;
		if (count > this.#most) return false;
		if (count > 1 || this.#counts.size < MAX_ADDRESSES) this.#counts.set(address, count);
		return true;
	}
}

/** Network of one subscriber: an IPv4 address, or an IPv6 network of 64 bits. */
function networkOf(ip: string): string {
	if (!ip.includes(":")) return ip;
	const address = parseIpAddress(ip);
	return address?.family === 6 ? String(address.bits >> 64n) : String(address?.bits ?? ip);
}
