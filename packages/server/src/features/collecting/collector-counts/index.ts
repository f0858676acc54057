/** Counts that collectors keep in memory, stored for other processes. */

export { forgetCounts } from "./forget-counts.ts";
export { readHitCounts, readScriptRequests } from "./read-counts.ts";
export { type CountWriter, writeCounts } from "./write-counts.ts";
