import type { PageAddress } from "./page-address.ts";

/**
 * A 53-bit number for the exact address (without fragment) and referrer of a hit: enough to recognize a reload
 * within one session without keeping the texts. Not a cryptographic hash; never stored, never compared across sessions.
 */
export function entranceFingerprint(page: PageAddress, referrer: PageAddress | undefined): number {
	const text = `${page.text}\n${referrer?.text ?? ""}`;
	// cyrb53 (public domain): two 32-bit multiply-xor lanes.
	let low = 0xdeadbeef;
	let high = 0x41c6ce57;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		low = Math.imul(low ^ code, 2654435761);
		high = Math.imul(high ^ code, 1597334677);
	}
	low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
	high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
	return 4294967296 * (2097151 & high) + (low >>> 0);
}
