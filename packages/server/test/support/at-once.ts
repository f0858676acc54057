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
