import type { Guard } from "../../../access/index.ts";

/** The user alone: neither a key nor a superadmin who acts as the user. */
export const reading: Guard = { kind: "session", scope: "read", impersonation: "refused" };
export const writing: Guard = { kind: "session", scope: "write", impersonation: "refused" };
