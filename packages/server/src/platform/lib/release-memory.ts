import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects all garbage at once and gives the memory back to the system. For the moment after a start, whose garbage
 * would otherwise stay until there is much more of it; takes some 20 ms, during which nothing else runs.
 */
export function releaseMemory(): void {
	setFlagsFromString("--expose-gc");
	const collect: unknown = runInNewContext("gc");
	if (typeof collect === "function") collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
