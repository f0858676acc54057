/** Counts that collectors keep in memory, stored for other processes. */

export { forgetCounts, readHitCounts, readScriptRequests, writeCounts } from "./counts.ts";
