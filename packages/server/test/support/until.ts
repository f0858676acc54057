import { setTimeout as delay } from "node:timers/promises";

/** Resolves once a condition holds; looks again every few milliseconds. The test's own time limit ends it. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
	while (!(await condition())) await delay(5);
}
