import { ServiceError } from "../../../platform/errors/service-error.ts";
import { type Actor, addedFields, changedFields, recordAudit, removedFields } from "../../auditing/audit-log/index.ts";
import { changeAttributionSettings } from "../attribution-settings/index.ts";
import { checkPattern } from "./check-pattern.ts";
import type { MappingDeps } from "./deps.ts";
import { countMappings, deleteMapping, findMapping, insertMapping, type MappingRow, updateMapping } from "./store.ts";

/** A site is served from memory, and a new referrer is compared with all of its mappings. */
const MAX_MAPPINGS = 1000;

/** What a caller says of a mapping. */
type MappingInput = Omit<MappingRow, "id" | "site_id" | "created_at" | "updated_at">;

/** Whose change it is, and at which site. */
interface Change {
	readonly siteId: string;
	readonly actor: Actor;
}

/** What the audit log tells of a mapping. */
const audited = ({ id: _, site_id: __, created_at: ___, updated_at: ____, ...row }: MappingRow) => ({
	...row,
	is_active: row.is_active === 1,
});

/** The answer to an id that the site does not have. */
export const mappingNotFound = () => new ServiceError("not_found", { message: "Referrer mapping not found" });

/** Adds a mapping; 422 for an expression that cannot be compiled, and `conflict` beyond the most that a site may have. */
export async function addMapping(
	deps: MappingDeps,
	{ siteId, actor }: Change,
	input: MappingInput,
): Promise<MappingRow> {
	checkPattern(input);
	const now = deps.clock.now();
	return changeAttributionSettings(deps, siteId, async (metadata) => {
		if ((await countMappings(metadata, siteId)) >= MAX_MAPPINGS) {
			throw new ServiceError("conflict", { message: `A site has at most ${MAX_MAPPINGS} referrer mappings` });
		}
		const row = await insertMapping(metadata, { ...input, site_id: siteId, created_at: now, updated_at: now });
		const entry = { resourceId: row.id, siteId, details: addedFields(audited(row)) };
		await recordAudit(metadata, actor, { action: "referrer_mapping.created", ...entry }, now);
		return row;
	});
}

/** Changes the fields given; throws `not_found`, and 422 when the outcome is an expression that cannot be compiled. */
export async function changeMapping(
	deps: MappingDeps,
	{ siteId, actor }: Change,
	id: number,
	changes: Partial<MappingInput>,
): Promise<MappingRow> {
	const now = deps.clock.now();
	return changeAttributionSettings(deps, siteId, async (metadata) => {
		const before = await findMapping(metadata, siteId, id);
		if (before === undefined) throw mappingNotFound();
		checkPattern({ ...before, ...changes });
		const row = (await updateMapping(metadata, siteId, id, { ...changes, updated_at: now })) ?? before;
		const details = changedFields(audited(before), audited(row));
		await recordAudit(metadata, actor, { action: "referrer_mapping.updated", resourceId: id, siteId, details }, now);
		return row;
	});
}

/** Removes a mapping; throws `not_found`. */
export async function removeMapping(deps: MappingDeps, { siteId, actor }: Change, id: number): Promise<void> {
	await changeAttributionSettings(deps, siteId, async (metadata) => {
		const row = await deleteMapping(metadata, siteId, id);
		if (row === undefined) throw mappingNotFound();
		const entry = { resourceId: id, siteId, details: removedFields(audited(row)) };
		await recordAudit(metadata, actor, { action: "referrer_mapping.deleted", ...entry }, deps.clock.now());
	});
}
