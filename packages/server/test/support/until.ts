import { setTimeout as delay } from "node:timers/promises";

/** Longer than any condition takes on a busy machine: then the test fails, instead of keeping its process for ever. */
const LIMIT_MS = 100_000;

/** Resolves once a condition holds; looks again every few milliseconds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
	const end = performance.now() + LIMIT_MS;
	while (!(await condition())) {
		if (performance.now() > end) throw new Error(`Waited in vain for ${condition}`);
		await delay(5);
	}
}
