import type { Clock } from "./clock.ts";

/** Result of a promise, or undefined after `ms` milliseconds; the work continues. Rejects if it fails in time. */
export async function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
	const ended = new AbortController();
	try {
		return await Promise.race([work, clock.sleep(ms, ended.signal).then(() => undefined)]);
	} finally {
		ended.abort();
	}
}
