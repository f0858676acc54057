/**
 * What a promise answers, or undefined when that takes longer than `ms` milliseconds: the work goes on, and how it ends
 * concerns nobody any more. Rejects when the work fails in time.
 */
export async function within<T>(ms: number, work: Promise<T>): Promise<T | undefined> {
	const { promise: late, resolve } = Promise.withResolvers<undefined>();
	const timer = setTimeout(resolve, ms, undefined);
	try {
		return await Promise.race([work, late]);
	} finally {
		clearTimeout(timer);
	}
}
