export type { AuditResource } from "./actions.ts";
export {
	type Actor,
	type AuditDetails,
	type AuditEntry,
	actorOf,
	addedFields,
	type Change,
	type ChangeDeps,
	changeAudited,
	changedFields,
	recordAudit,
	removedFields,
	systemActor,
	userActor,
} from "./record-audit.ts";
export { registerAuditLog } from "./routes.ts";
export { dropOldEntries } from "./store.ts";
