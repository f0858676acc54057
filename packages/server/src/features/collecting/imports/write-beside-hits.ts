import type { ImportDeps } from "./deps.ts";

/** With the bound below, measured to keep the 99th percentile of hits below twice its value (`bench:imports:beside`). */
const REST_MS_PER_HIT = 4;
/** Times that the write took. */
const MOST_REST = 7;

/** Writes rows, then leaves disk and processors to the hits: the longer, the more of them arrived meanwhile. */
export async function writeBesideHits(
	{ clock, hitsTaken = () => 0 }: Pick<ImportDeps, "clock" | "hitsTaken">,
	write: () => Promise<void>,
): Promise<void> {
	const [began, taken] = [clock.monotonic(), hitsTaken()];
	await write();
	const rest = Math.min(REST_MS_PER_HIT * (hitsTaken() - taken), MOST_REST * (clock.monotonic() - began));
	if (rest > 0) await clock.sleep(rest);
}
