import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

/**
 * Collects all garbage at once and gives the memory back to the system: a quarter of what a process has after its start, whose
 * garbage would otherwise stay until there is much more of it. Takes some 200 ms, during which nothing else runs.
 */
export function releaseMemory(): void {
	setFlagsFromString("--expose-gc");
	const collect: unknown = runInNewContext("gc");
	if (typeof collect === "function") collect({ type: "major", execution: "sync", flavor: "last-resort" });
}
