/** What collectors count in memory, kept for processes that are no collectors. */

export { forgetCounts } from "./forget-counts.ts";
export { readHitCounts, readScriptRequests } from "./read-counts.ts";
export { type CountWriter, writeCounts } from "./write-counts.ts";
