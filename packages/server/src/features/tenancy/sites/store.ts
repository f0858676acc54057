import { type NewRow, type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import { numberedSlug } from "../../../platform/lib/slug.ts";
import { inChunks } from "../../../platform/metadata/in-chunks.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { countSettingChange } from "../../../platform/metadata/setting-versions.ts";

/** A site as stored. */
export type SiteRow = Row<"sites">;

export const sites = tableOf("sites");
export const siteMembers = tableOf("site_members");

/** The site with this slug. */
export const findSite = (metadata: Metadata, id: string): Promise<SiteRow | undefined> => sites.find(metadata, { id });

/** All sites of an organization, inactive ones included, by name. */
export const sitesOfOrganization = (metadata: Metadata, organizationId: string): Promise<SiteRow[]> =>
	sites.list(metadata, { organization_id: organizationId }, "name", "id");

/** Sites by slug, newest first; `ids` null = all of them. */
export async function listSites(
	metadata: Metadata,
	filter: { ids: readonly string[] | null; includeInactive: boolean },
): Promise<SiteRow[]> {
	const shown = filter.includeInactive ? {} : { is_active: 1 };
	const rows = await (filter.ids === null
		? sites.list(metadata, shown)
		: inChunks(filter.ids, (id) => sites.list(metadata, { ...shown, id })));
	return rows.sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1));
}

/** Stores a site under the first free slug made from `slugBase`. */
export async function insertSite(
	metadata: Metadata,
	slugBase: string,
	row: Omit<NewRow<"sites">, "id">,
): Promise<SiteRow> {
	const like = tables(metadata).selectFrom("sites").select("id").where("id", "like", `${slugBase}%`);
	for (;;) {
		const id = numberedSlug(slugBase, new Set((await like.execute()).map((site) => site.id)));
		const inserted = await sites.insertUnlessTaken(metadata, { id, ...row }, "id");
		// Another request took the slug in the meantime: look again.
		if (inserted !== undefined) return inserted;
	}
}

/** Enables or disables collection of a site; false if nothing changed. The caller counts the change. */
export async function setSiteActive(
	metadata: Metadata,
	id: string,
	isActive: boolean,
	nowMs: number,
): Promise<boolean> {
	const changes = { is_active: isActive ? 1 : 0, updated_at: nowMs, ...(isActive && { deleted_at: null }) };
	return (await sites.update(metadata, { id, is_active: isActive ? 0 : 1 }, changes)) !== undefined;
}

/** Whether a site is on its way to be gone for good. */
export const isPurged = async (metadata: Metadata, site_id: string): Promise<boolean> =>
	(await tableOf("data_deletions").count(metadata, { site_id, reason: "purge", status: ["pending", "running"] })) > 0;

export const SITES_TOPIC = "sites";

/** Counts a change to sites, so that every process reads them again; part of the transaction that makes the change. */
export const countSiteChange = (metadata: Metadata, siteIds: readonly string[]): Promise<void> =>
	countSettingChange(metadata, SITES_TOPIC, siteIds);

export const domains = tableOf("site_domains");

export type MappingRow = Row<"utm_mappings">;

/** Parameters that fill campaign fields of a site's hits, inactive ones included. */
export const mappings = tableOf("utm_mappings");

/** The first sites behind one, by slug. */
export const nextSiteIds = async (metadata: Metadata, after: string, limit: number): Promise<string[]> =>
	(await sites.first(metadata, limit, { id: { ">": after } }, "id")).map(({ id }) => id);

/** Sites by slug, each with what its organization decides. */
export const sitesWithPlans = (metadata: Metadata, ids: readonly string[]) =>
	tables(metadata)
		.selectFrom("sites")
		.innerJoin("organizations", "organizations.id", "sites.organization_id")
		.selectAll("sites")
		.select(["organizations.plan_tier", "organizations.is_active as organization_is_active"])
		.where("sites.id", "in", ids)
		.execute();

export const blocks = tableOf("blocklist_entries");
