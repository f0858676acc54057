import type { Answer } from "../../api/client.ts";

/** An entry of the audit log. */
export type LogEntry = Answer<"GET /audit/logs">["logs"][number];
