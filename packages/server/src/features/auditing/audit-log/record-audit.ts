import type { Caller } from "../../../access/index.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { AuditAction } from "./actions.ts";
import { insertEntry } from "./store.ts";

export interface Actor {
	/** Null = no signed-in user: the operator's command line or a schedule. */
	readonly userId: number | null;
	/** The superadmin who acts as this user. */
	readonly impersonatorId: number | null;
	/** Client address; null when the change comes from this machine. */
	readonly ip: string | null;
}

/** The actor of changes that no request asks for. */
export const systemActor: Actor = { userId: null, impersonatorId: null, ip: null };

export const actorOf = (request: { readonly caller: Caller; readonly ip: string }): Actor => ({
	userId: request.caller.userId,
	impersonatorId: request.caller.kind === "session" ? request.caller.impersonatorId : null,
	ip: request.ip,
});

/** A user who is not signed in yet, such as one who opens a link of a mail. */
export const userActor = (userId: number, ip: string): Actor => ({ userId, impersonatorId: null, ip });

type AuditValue = string | number | boolean | null | readonly AuditValue[];

type AuditFields = Readonly<Record<string, AuditValue>>;

/** Details of an entry: changed fields as `[old, new]`, or single facts. Never a secret. */
export type AuditDetails = AuditFields;

/** The fields of `after` that differ from `before`, each as `[old, new]`. */
export function changedFields<Fields extends AuditFields>(before: Fields, after: Partial<Fields>): AuditDetails {
	const changes = Object.entries<AuditValue | undefined>(after).flatMap(([field, value]): [string, AuditValue][] => {
		const old = before[field] ?? null;
		return value === undefined || JSON.stringify(old) === JSON.stringify(value) ? [] : [[field, [old, value]]];
	});
	return Object.fromEntries(changes);
}

/** The fields of something new, each as `[null, value]`; empty ones are left out. */
export const addedFields = (fields: AuditFields): AuditDetails => fromEntries(fields, (value) => [null, value]);

/** The fields of something that is removed, each as `[value, null]`; empty ones are left out. */
export const removedFields = (fields: AuditFields): AuditDetails => fromEntries(fields, (value) => [value, null]);

const fromEntries = (fields: AuditFields, shown: (value: AuditValue) => AuditValue): AuditDetails =>
	Object.fromEntries(
		Object.entries(fields).flatMap(([field, value]) => (value === null || value === "" ? [] : [[field, shown(value)]])),
	);

export interface AuditEntry {
	readonly action: AuditAction;
	readonly resourceId?: string | number;
	readonly siteId?: string;
	readonly organizationId?: string;
	readonly details?: AuditDetails;
}

/** Store and time of changes that are recorded. */
export interface ChangeDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
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

interface AuditedChange<T> {
	readonly answer: T;
	readonly entry: Omit<AuditEntry, "siteId">;
}

/** Makes a change in a transaction that has begun, and records it there; answers what came of it. */
export type Change<T> = (trx: Metadata, nowMs: number) => Promise<AuditedChange<T>>;

/** Makes a change and records it; `trx` is the transaction of both. */
export async function changeAudited<T>(
	trx: Metadata,
	{ siteId, actor, nowMs }: { readonly siteId: string; readonly actor: Actor; readonly nowMs: number },
	change: Change<T>,
): Promise<T> {
	const { answer, entry } = await change(trx, nowMs);
	await recordAudit(trx, actor, { ...entry, siteId }, nowMs);
	return answer;
}
