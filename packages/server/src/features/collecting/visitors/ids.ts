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

/** 17 bits hold the second of a day. */
const SECONDS_BITS = 17n;
const DAY_S = 86_400;

/** The id of the session that a visitor begins now: 47 bits of the visitor's daily id, then the second of the UTC day. */
export function newSessionId(visitor: number, now: number, previous: string | undefined): string {
	const second = Math.floor(now / 1000) % DAY_S;
	const id = (BigInt(visitor) << SECONDS_BITS) | BigInt(second);
	// Two entrances within one second are two sessions all the same.
	return String(
		previous !== undefined && id <= BigInt(previous) && visitorOf(previous) === visitor ? BigInt(previous) + 1n : id,
	);
}

/** The visitor's daily id within a session id. */
export function visitorOf(session: string): number {
	return Number(BigInt(session) >> SECONDS_BITS);
}

/** Whole seconds from one hit of a visit to the next, at least 0, so that they add up from the first hit to the last. */
export function secondsBetween(earlier: number, later: number): number {
	return Math.max(0, Math.floor(later / 1000) - Math.floor(earlier / 1000));
}
