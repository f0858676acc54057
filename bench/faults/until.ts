import { setTimeout as pause } from "node:timers/promises";

/** Longer than anything takes on a machine that does ten other things: then the drill fails, instead of staying for ever. */
const LIMIT_MS = 400_000;
const LOOK_EVERY_MS = 20;

/** Resolves once a condition holds. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
	const end = performance.now() + LIMIT_MS;
	while (!(await condition())) {
		if (performance.now() > end) throw new Error(`Waited in vain for ${condition}`);
		await pause(LOOK_EVERY_MS);
	}
}
