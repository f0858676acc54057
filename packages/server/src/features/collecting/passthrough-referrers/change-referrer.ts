import { ServiceError } from "../../../platform/errors/service-error.ts";
import { changedFields, removedFields } from "../../auditing/audit-log/index.ts";
import {
	type AttributionChange,
	type AttributionChangeDeps,
	changeAttributionSettings,
} from "../attribution-settings/index.ts";
import { passthroughDomain } from "./passthrough-domain.ts";
import { deleteReferrer, listReferrers, type PassthroughRow, updateReferrer } from "./store.ts";

/** Fields to change; absent ones stay. */
type ReferrerChanges = Partial<Omit<PassthroughRow, "id" | "site_id" | "created_at" | "updated_at">>;

/** The changed referrer and the author of the change. */
interface Target extends AttributionChange {
	readonly id: number;
}

/** Audited fields of a referrer. */
export const audited = ({ id: _, site_id: __, created_at: ___, updated_at: ____, ...row }: PassthroughRow) => ({
	...row,
	is_active: row.is_active === 1,
});

/** The answer to an id that the site does not have. */
export const referrerNotFound = () => new ServiceError("not_found", { message: "Passthrough referrer not found" });

/** Changes a referrer; throws `not_found`, 422 for what is not a domain, and `duplicate_entry`. */
export function changeReferrer(
	deps: AttributionChangeDeps,
	target: Target,
	changes: ReferrerChanges,
): Promise<PassthroughRow> {
	const domain = changes.domain === undefined ? undefined : passthroughDomain(changes.domain);
	const { siteId, id } = target;
	return changeAttributionSettings(deps, target, async (trx, now) => {
		const all = await listReferrers(trx, siteId);
		const before = all.find((row) => row.id === id);
		if (all.some((row) => row.id !== id && row.domain === domain)) {
			throw new ServiceError("duplicate_entry", { message: "The site has this domain already" });
		}
		const columns = { ...changes, ...(domain !== undefined && { domain }), updated_at: now };
		const row = await updateReferrer(trx, siteId, id, columns);
		if (before === undefined || row === undefined) throw referrerNotFound();
		const details = changedFields(audited(before), audited(row));
		return { answer: row, entry: { action: "passthrough.updated", resourceId: id, details } };
	});
}

/** Removes a referrer; throws `not_found`. */
export function removeReferrer(deps: AttributionChangeDeps, target: Target): Promise<void> {
	return changeAttributionSettings(deps, target, async (trx) => {
		const row = await deleteReferrer(trx, target.siteId, target.id);
		if (row === undefined) throw referrerNotFound();
		const details = removedFields(audited(row));
		return { answer: undefined, entry: { action: "passthrough.deleted", resourceId: target.id, details } };
	});
}
