import { createHmac, type KeyObject } from "node:crypto";

const BYTES_READ = 6;

/** HMAC-SHA-256 over site, IP address and user agent, keyed with the day's salt; its first 47 bits. */
export function visitorId(salt: KeyObject, siteId: string, ip: string, userAgent: string): number {
	const digest = createHmac("sha256", salt).update(`${siteId}\n${ip}\n${userAgent}`).digest();
	return Math.floor(digest.readUIntBE(0, BYTES_READ) / 2);
}
