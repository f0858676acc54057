import type { Clock } from "./clock.ts";

/**
 * What a promise answers, or undefined when that takes longer than `ms` milliseconds: the work goes on, and how it ends
 * concerns nobody any more. Rejects when the work fails in time.
 */
export async function within<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T | undefined> {
	const ended = new AbortController();
	try {
		return await Promise.race([work, clock.sleep(ms, ended.signal).then(() => undefined)]);
	} finally {
		ended.abort();
	}
}
