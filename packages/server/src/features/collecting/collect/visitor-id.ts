import { hash } from "node:crypto";

/** 48 bits of the digest are read, 47 of them kept. */
const DIGITS = 12;

/**
 * SHA-256 over the day's salt, site, IP address and user agent; its first 47 bits. The salt is of fixed length and stands
 * first, and so little of the digest leaves this function that nothing can be computed on from it: the shorter way to a keyed
 * hash is as good as an HMAC here, at a third of its time.
 */
export function visitorId(salt: string, siteId: string, ip: string, userAgent: string): number {
	const digest = hash("sha256", `${salt}\n${siteId}\n${ip}\n${userAgent}`, "hex");
	return Math.floor(Number.parseInt(digest.slice(0, DIGITS), 16) / 2);
}
