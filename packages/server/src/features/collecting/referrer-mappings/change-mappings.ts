import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addedFields, changedFields, removedFields } from "../../auditing/audit-log/index.ts";
import { siteIsFull } from "../../tenancy/organizations/index.ts";
import {
	type AttributionChange,
	type AttributionChangeDeps,
	changeAttributionSettings,
} from "../attribution-settings/index.ts";
import { checkPattern } from "./check-pattern.ts";
import { countMappings, deleteMapping, findMapping, insertMapping, type MappingRow, updateMapping } from "./store.ts";

/** A site is served from memory, and a new referrer is compared with all of its mappings. */
const MAX_MAPPINGS = 1000;

/** Input of a mapping. */
type MappingInput = Omit<MappingRow, "id" | "site_id" | "created_at" | "updated_at">;

/** Audited fields of a mapping. */
const audited = ({ id: _, site_id: __, created_at: ___, updated_at: ____, ...row }: MappingRow) => ({
	...row,
	is_active: row.is_active === 1,
});

/** The answer to an id that the site does not have. */
export const mappingNotFound = () => new ServiceError("not_found", { message: "Referrer mapping not found" });

/** Adds a mapping; 422 for an expression that cannot be compiled, and `conflict` beyond the most that a site may have. */
export function addMapping(
	deps: AttributionChangeDeps,
	by: AttributionChange,
	input: MappingInput,
): Promise<MappingRow> {
	checkPattern(input);
	return changeAttributionSettings(deps, by, async (trx, now) => {
		if ((await countMappings(trx, by.siteId)) >= MAX_MAPPINGS) throw siteIsFull(MAX_MAPPINGS, "referrer mappings");
		const row = await insertMapping(trx, { ...input, site_id: by.siteId, created_at: now, updated_at: now });
		const details = addedFields(audited(row));
		return { answer: row, entry: { action: "referrer_mapping.created", resourceId: row.id, details } };
	});
}

/** Changes the fields given; throws `not_found`, and 422 when the outcome is an expression that cannot be compiled. */
export function changeMapping(
	deps: AttributionChangeDeps,
	by: AttributionChange,
	id: number,
	changes: Partial<MappingInput>,
): Promise<MappingRow> {
	return changeAttributionSettings(deps, by, async (trx, now) => {
		const before = await findMapping(trx, by.siteId, id);
		if (before === undefined) throw mappingNotFound();
		checkPattern({ ...before, ...changes });
		const row = (await updateMapping(trx, by.siteId, id, { ...changes, updated_at: now })) ?? before;
		const details = changedFields(audited(before), audited(row));
		return { answer: row, entry: { action: "referrer_mapping.updated", resourceId: id, details } };
	});
}

/** Removes a mapping; throws `not_found`. */
export function removeMapping(deps: AttributionChangeDeps, by: AttributionChange, id: number): Promise<void> {
	return changeAttributionSettings(deps, by, async (trx) => {
		const row = await deleteMapping(trx, by.siteId, id);
		if (row === undefined) throw mappingNotFound();
		const details = removedFields(audited(row));
		return { answer: undefined, entry: { action: "referrer_mapping.deleted", resourceId: id, details } };
	});
}
