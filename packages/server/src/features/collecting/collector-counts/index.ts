/** Counts that collectors keep in memory, stored for other processes. */

export { type CountWriter, forgetCounts, readHitCounts, readScriptRequests, writeCounts } from "./counts.ts";
