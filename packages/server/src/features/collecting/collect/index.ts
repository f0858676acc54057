/** Collecting: hits in over HTTP, rows of the event store out. */

export { botHitColumns, botHitLine } from "./bot-hit.ts";
export { createCollectHandler, isCollectRequest } from "./collect-http.ts";
export { Collector } from "./collector.ts";
export { eventRows } from "./event-rows.ts";
export { type Hit, newHit, type SessionChange } from "./hit.ts";
export { openSessionStore } from "./sessions/open-session-store.ts";
export { newSessionId, type SessionState } from "./sessions/session-state.ts";
export type { SpoolState } from "./spool/spool.ts";
export { retryAllRefused, spoolOverview } from "./spool/spool-overview.ts";
export { issueToken } from "./token.ts";
