import { HOUR_MS, MINUTE_MS } from "../../../../platform/lib/durations.ts";

/** When attempts are made, counted from the first. */
const offsets = [0, MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS] as const;
/** Each comes later by a random part of up to this much, so that a receiver that comes back is not run over. */
const SPREAD = 0.2;
/** An attempt that came late, or was put off by the receiver, does not bring the next ones on its heels. */
const LEAST_GAP_MS = MINUTE_MS;
const MOST_PUT_OFF_MS = 2 * HOUR_MS;

export const MAX_ATTEMPTS = offsets.length;

/** When to try again after the n-th attempt; undefined when that was the last. */
export function nextAttemptAt(
	attempt: number,
	times: { readonly firstAt: number; readonly lastAt: number; readonly putOffMs: number },
): number | undefined {
	const offset = offsets[attempt];
	if (offset === undefined) return undefined;
	const planned = times.firstAt + Math.round(offset * (1 + SPREAD * Math.random()));
	return Math.max(planned, times.lastAt + LEAST_GAP_MS, times.lastAt + times.putOffMs);
}

/** Milliseconds that a receiver asks to wait (`Retry-After`, RFC 9110, 10.2.3), 2 hours at most; 0 for what is none. */
export function putOffMs(retryAfter: string | undefined, nowMs: number): number {
	if (retryAfter === undefined) return 0;
	const seconds = /^\d{1,9}$/.test(retryAfter) ? Number(retryAfter) * 1000 : Date.parse(retryAfter) - nowMs;
	return Number.isNaN(seconds) ? 0 : Math.min(Math.max(seconds, 0), MOST_PUT_OFF_MS);
}
