/** Collecting: hits in over HTTP, rows of the event store out. */

export { botHitColumns, botHitLine } from "./bot-hit.ts";
export { COLLECT_PATH, createCollectHandler, isCollectRequest } from "./collect-http.ts";
export { Collector, type CollectorDeps, type HitFate } from "./collector.ts";
export { eventRows } from "./event-rows.ts";
export type { HitRequest } from "./hit.ts";
export { type Hit, newHit, type SessionChange } from "./hit.ts";
export { openSessionStore } from "./sessions/open-session-store.ts";
export { newSessionId, type SessionState } from "./sessions/session-state.ts";
export { issueToken } from "./token.ts";
