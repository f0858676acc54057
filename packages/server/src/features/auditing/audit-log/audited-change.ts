import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Actor } from "./actor.ts";
import { type AuditEntry, recordAudit } from "./record-audit.ts";

/** Result of a change to a site's data: its answer and its audit entry. */
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
