/** Counts that collectors keep in memory, stored for other processes. */

export { readHitCounts, readScriptRequests } from "./read-counts.ts";
export { type CountWriter, forgetCounts, writeCounts } from "./write-counts.ts";
