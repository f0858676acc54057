import { ServiceError } from "../../../platform/errors/service-error.ts";
import { type Actor, changedFields, recordAudit, removedFields } from "../../auditing/audit-log/index.ts";
import { changeAttributionSettings } from "../attribution-settings/index.ts";
import type { PassthroughDeps } from "./deps.ts";
import { passthroughDomain } from "./passthrough-domain.ts";
import { deleteReferrer, listReferrers, type PassthroughRow, updateReferrer } from "./store.ts";

/** Fields to change; absent ones stay. */
type ReferrerChanges = Partial<Omit<PassthroughRow, "id" | "site_id" | "created_at" | "updated_at">>;

/** The referrer that a change is for, and who changes it. */
interface Target {
	readonly siteId: string;
	readonly actor: Actor;
	readonly id: number;
}

/** What the audit log tells of a referrer. */
export const audited = ({ id: _, site_id: __, created_at: ___, updated_at: ____, ...row }: PassthroughRow) => ({
	...row,
	is_active: row.is_active === 1,
});

/** The answer to an id that the site does not have. */
export const referrerNotFound = () => new ServiceError("not_found", { message: "Passthrough referrer not found" });

/** Changes a referrer; throws `not_found`, 422 for what is not a domain, and `duplicate_entry`. */
export async function changeReferrer(
	deps: PassthroughDeps,
	{ siteId, actor, id }: Target,
	changes: ReferrerChanges,
): Promise<PassthroughRow> {
	const domain = changes.domain === undefined ? undefined : passthroughDomain(changes.domain);
	const now = deps.clock.now();
	const columns = { ...changes, ...(domain !== undefined && { domain }), updated_at: now };
	return changeAttributionSettings(deps, siteId, async (metadata) => {
		const all = await listReferrers(metadata, siteId);
		const before = all.find((row) => row.id === id);
		if (all.some((row) => row.id !== id && row.domain === domain)) {
			throw new ServiceError("duplicate_entry", { message: "The site has this domain already" });
		}
		const row = await updateReferrer(metadata, siteId, id, columns);
		if (before === undefined || row === undefined) throw referrerNotFound();
		const details = changedFields(audited(before), audited(row));
		await recordAudit(metadata, actor, { action: "passthrough.updated", resourceId: id, siteId, details }, now);
		return row;
	});
}

/** Removes a referrer; throws `not_found`. */
export async function removeReferrer(deps: PassthroughDeps, { siteId, actor, id }: Target): Promise<void> {
	await changeAttributionSettings(deps, siteId, async (metadata) => {
		const row = await deleteReferrer(metadata, siteId, id);
		if (row === undefined) throw referrerNotFound();
		const entry = { resourceId: id, siteId, details: removedFields(audited(row)) };
		await recordAudit(metadata, actor, { action: "passthrough.deleted", ...entry }, deps.clock.now());
	});
}
