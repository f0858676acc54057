import type { Guard } from "../../../access/index.ts";

const owning = { kind: "session", billing: true, impersonation: "refused" } as const;

/** Reads of who pays. */
export const readingBilling: Guard = { ...owning, scope: "read" };

/** Writes of who pays. */
export const writingBilling: Guard = { ...owning, scope: "write" };
