import type { Static } from "typebox";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addedFields, changedFields, recordAudit, removedFields } from "../../auditing/audit-log/index.ts";
import { changeSites } from "./change-sites.ts";
import type { SiteDeps } from "./deps.ts";
import type { ChangeMappingBody, CreateMappingBody } from "./schemas.ts";
import {
	countMappings,
	deleteMapping,
	findMapping,
	insertMapping,
	lockSite,
	type MappingRow,
	updateMapping,
} from "./store.ts";
import type { SiteChange } from "./update-site.ts";

const audited = ({ custom_param, maps_to, is_active }: MappingRow) => ({
	custom_param,
	maps_to,
	is_active: is_active === 1,
});

/** A hit looks at each of them. */
const MOST = 100;

const notFound = () => new ServiceError("not_found", { message: "UTM mapping not found" });

/**
 * Lets a custom query parameter fill a campaign field; throws `duplicate_entry` when the parameter has a target already, and
 * `conflict` when the site has 100 mappings.
 */
export async function addMapping(
	deps: SiteDeps,
	{ siteId, actor }: SiteChange,
	mapping: Static<typeof CreateMappingBody>,
): Promise<MappingRow> {
	const now = deps.clock.now();
	return changeSites(deps, [siteId], async (metadata) => {
		await lockSite(metadata, siteId);
		const { custom_param, maps_to } = mapping;
		const row = await insertMapping(metadata, { site_id: siteId, custom_param, maps_to, created_at: now });
		if (row === undefined) throw new ServiceError("duplicate_entry", { message: "The parameter is already mapped" });
		if ((await countMappings(metadata, siteId)) > MOST) {
			throw new ServiceError("conflict", { message: `A site has at most ${MOST} UTM mappings. Remove one first` });
		}
		const entry = { resourceId: row.id, siteId, details: addedFields(audited(row)) };
		await recordAudit(metadata, actor, { action: "utm_mapping.created", ...entry }, now);
		return row;
	});
}

/** Changes target or activity of a mapping; throws `not_found`. */
export async function changeMapping(
	deps: SiteDeps,
	{ siteId, actor }: SiteChange,
	mappingId: number,
	{ maps_to, is_active }: Static<typeof ChangeMappingBody>,
): Promise<MappingRow> {
	return changeSites(deps, [siteId], async (metadata) => {
		const before = await findMapping(metadata, siteId, mappingId);
		const row = await updateMapping(metadata, siteId, mappingId, {
			...(maps_to !== undefined && { maps_to }),
			...(is_active !== undefined && { is_active: is_active ? 1 : 0 }),
		});
		if (before === undefined || row === undefined) throw notFound();
		const entry = { resourceId: mappingId, siteId, details: changedFields(audited(before), audited(row)) };
		await recordAudit(metadata, actor, { action: "utm_mapping.updated", ...entry }, deps.clock.now());
		return row;
	});
}

/** Removes the mapping of a parameter; throws `not_found`. */
export async function removeMapping(deps: SiteDeps, { siteId, actor }: SiteChange, customParam: string): Promise<void> {
	await changeSites(deps, [siteId], async (metadata) => {
		const row = await deleteMapping(metadata, siteId, customParam);
		if (row === undefined) throw notFound();
		const entry = { resourceId: row.id, siteId, details: removedFields(audited(row)) };
		await recordAudit(metadata, actor, { action: "utm_mapping.deleted", ...entry }, deps.clock.now());
	});
}
