import assert from "node:assert/strict";

/** What explodes takes hours; nothing that a busy machine does meanwhile takes so long. */
const AT_ONCE_MS = 20_000;

/** Fails when something that some make endless takes long. Whether it is fast is for `bench/` to say. */
export async function atOnce<T>(what: string, work: () => Promise<T>): Promise<T> {
	const began = performance.now();
	const result = await work();
	const ms = performance.now() - began;
	assert.ok(ms < AT_ONCE_MS, `${what} took ${Math.round(ms)} ms`);
	return result;
}

/**
 * The least milliseconds that this thread computes for a call, of as many tries as it takes to stay under a limit, at most ten. What else
 * the machine does at one moment is not the call's.
 */
export function leastMilliseconds(limit: number, call: () => void): number {
	let least = Number.POSITIVE_INFINITY;
	for (let tries = 0; tries < 10 && least >= limit; tries++) {
		const began = process.threadCpuUsage();
		call();
		const { user, system } = process.threadCpuUsage(began);
		least = Math.min(least, (user + system) / 1000);
	}
	return least;
}
