export type { AuditResource } from "./actions.ts";
export { type Actor, actorOf, systemActor, userActor } from "./actor.ts";
export { type Change, changeAudited } from "./audited-change.ts";
export { type AuditDetails, addedFields, changedFields, removedFields } from "./changed-fields.ts";
export { recordAudit } from "./record-audit.ts";
export { dropOldEntries } from "./retention.ts";
export { registerAuditLog } from "./routes.ts";
