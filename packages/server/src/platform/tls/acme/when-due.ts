import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../lib/durations.ts";
import type { CertificatePair } from "../certificate-pair.ts";
import type { KeptAttempts } from "./acme-files.ts";

const RENEW_BEFORE = 30 * DAY_MS;
/** Certificates that live for less than three months are renewed when a third of their life is left. */
const LIFE_LEFT = 1 / 3;
/** How long a failure is waited after, by the number of failures in a row. Authorities refuse who tries more than five times an hour. */
const BACKOFF = [MINUTE_MS, 15 * MINUTE_MS, HOUR_MS, 4 * HOUR_MS, 12 * HOUR_MS];
/** An operator who has mended something starts again, and a service that falls over and over must not ask each time. */
const AFTER_START = 5 * MINUTE_MS;

/** The moment from which a certificate should be renewed; 0 where there is none for these names. */
export function renewalAt(pair: CertificatePair | undefined, names: readonly string[]): number {
	if (pair === undefined || !names.every((name) => pair.names.includes(name))) return 0;
	return pair.endsAt - Math.min(RENEW_BEFORE, (pair.endsAt - pair.beginsAt) * LIFE_LEFT);
}

/** Record of a failure: the time of the next attempt, not before the authority allows it. */
export function afterFailure(failures: number, now: number, retryAfterS = 0): KeptAttempts {
	const pause = BACKOFF[Math.min(failures, BACKOFF.length - 1)] ?? 0;
	return { failures: failures + 1, lastAt: now, nextAt: now + Math.max(pause, retryAfterS * 1000) };
}

/** Remains of earlier attempts after a restart. */
export const atStart = (kept: KeptAttempts): KeptAttempts => ({
	...kept,
	nextAt: Math.min(kept.nextAt, kept.lastAt + AFTER_START),
});
