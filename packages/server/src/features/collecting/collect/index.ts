/** Collecting: hits in over HTTP, rows of the event store out. */

export { createCollectHandler, isCollectRequest, refuseHits } from "./collect-http.ts";
export { Collector } from "./collector.ts";
export { type HourCounts, windowOf } from "./hour-counts.ts";
export { goalLines } from "./keep-hit.ts";
export type { RejectionLog } from "./rejection-log.ts";
export { forgetNotes } from "./sessions/durable-session-store.ts";
export { openSessionStore } from "./sessions/open-session-store.ts";
export type { SpoolState } from "./spool/spool.ts";
export { loadSpool, retryAllRefused, spoolOverview } from "./spool/spool-overview.ts";
export { issueToken } from "./token.ts";
