/** Collecting: hits in over HTTP, rows of the event store out. */

export { createCollectHandler, isCollectRequest, refuseHits } from "./collect-http.ts";
export { Collector } from "./collector.ts";
export { goalLines } from "./keep-hit.ts";
export { type HourCounts, type RejectionLog, windowOf } from "./rejection-log.ts";
export { forgetNotes } from "./sessions/durable-session-store.ts";
export { openSessionStore, type SharedSessions } from "./sessions/open-session-store.ts";
export { newSessionId, secondsBetween } from "./sessions/session-state.ts";
export type { SpoolState } from "./spool/spool.ts";
export { loadSpool, retryAllRefused, spoolOverview } from "./spool/spool-overview.ts";
export { scoreAgent } from "./suspicion.ts";
export { issueToken } from "./token.ts";
export { type Agent, describeAgent } from "./user-agent.ts";
export { visitorId } from "./visitor-salts.ts";
