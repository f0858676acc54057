import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { AuditAction } from "./actions.ts";
import type { Actor } from "./actor.ts";
import type { AuditDetails } from "./changed-fields.ts";
import { insertEntry } from "./store.ts";

/** A change to record. */
export interface AuditEntry {
	readonly action: AuditAction;
	/** Id of what was changed. */
	readonly resourceId?: string | number;
	readonly siteId?: string;
	readonly organizationId?: string;
	readonly details?: AuditDetails;
}

const MAX_TEXT = 1000;

const cutLongText = (_name: string, value: unknown): unknown =>
	typeof value === "string" && value.length > MAX_TEXT ? `${value.slice(0, MAX_TEXT).toWellFormed()}…` : value;

/** Records a change. `metadata` must be the transaction that makes it, so that neither exists without the other. */
export async function recordAudit(metadata: Metadata, actor: Actor, entry: AuditEntry, nowMs: number): Promise<void> {
	const [resourceType = ""] = entry.action.split(".");
	await insertEntry(metadata, {
		user_id: actor.userId,
		impersonator_id: actor.impersonatorId,
		action: entry.action,
		resource_type: resourceType,
		resource_id: entry.resourceId === undefined ? null : String(entry.resourceId),
		site_id: entry.siteId ?? null,
		organization_id: entry.organizationId ?? null,
		details: JSON.stringify(entry.details ?? {}, cutLongText),
		ip_address: actor.ip,
		created_at: nowMs,
	});
}
