import { type NewRow, type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { numberedSlug } from "../../../platform/lib/slug.ts";
import { inChunks } from "../../../platform/metadata/in-chunks.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { countSettingChange } from "../../../platform/metadata/setting-versions.ts";
import { siteRecords } from "../site-collections/index.ts";

/** A site as stored. */
export type SiteRow = Row<"sites">;

/** The site with this slug. */
export const findSite = (metadata: Metadata, id: string): Promise<SiteRow | undefined> =>
	tables(metadata).selectFrom("sites").selectAll().where("id", "=", id).executeTakeFirst();

/** Sites by slug, newest first; `ids` null = all of them. */
export async function listSites(
	metadata: Metadata,
	filter: { ids: readonly string[] | null; includeInactive: boolean },
): Promise<SiteRow[]> {
	const { ids, includeInactive } = filter;
	let query = tables(metadata).selectFrom("sites").selectAll();
	if (!includeInactive) query = query.where("is_active", "=", 1);
	const rows = await (ids === null
		? query.execute()
		: inChunks(ids, (some) => query.where("id", "in", some).execute()));
	return rows.sort((a, b) => b.created_at - a.created_at || (a.id < b.id ? -1 : 1));
}

/** Stores a site under the first free slug made from `slugBase`. */
export async function insertSite(
	metadata: Metadata,
	slugBase: string,
	row: Omit<NewRow<"sites">, "id">,
): Promise<SiteRow> {
	const db = tables(metadata);
	for (;;) {
		const similar = await db.selectFrom("sites").select("id").where("id", "like", `${slugBase}%`).execute();
		const inserted = await db
			.insertInto("sites")
			.values({ id: numberedSlug(slugBase, new Set(similar.map(({ id }) => id))), ...row })
			.onConflict((conflict) => conflict.column("id").doNothing())
			.returningAll()
			.executeTakeFirst();
		// Another request took the slug in the meantime: look again.
		if (inserted !== undefined) return inserted;
	}
}

export const updateSite = (
	metadata: Metadata,
	id: string,
	changes: Partial<SiteRow> & { updated_at: number },
): Promise<SiteRow | undefined> =>
	tables(metadata).updateTable("sites").set(changes).where("id", "=", id).returningAll().executeTakeFirst();

/** Enables or disables collection of a site; false if nothing changed. The caller counts the change. */
export async function setSiteActive(
	metadata: Metadata,
	id: string,
	isActive: boolean,
	nowMs: number,
): Promise<boolean> {
	const changed = await tables(metadata)
		.updateTable("sites")
		.set({ is_active: isActive ? 1 : 0, updated_at: nowMs, ...(isActive && { deleted_at: null }) })
		.where("id", "=", id)
		.where("is_active", "=", isActive ? 0 : 1)
		.returning("id")
		.execute();
	return changed.length === 1;
}

/**
 * Deletes all sites of an organization that are not deleted yet; they collect nothing more. The caller counts the
 * change.
 */
export async function deleteSitesOf(metadata: Metadata, organizationId: string, nowMs: number): Promise<void> {
	await tables(metadata)
		.updateTable("sites")
		.set({ is_active: 0, deleted_at: nowMs, updated_at: nowMs })
		.where("organization_id", "=", organizationId)
		.where("deleted_at", "is", null)
		.execute();
}

export async function setForgottenVisits(metadata: Metadata, siteId: string, days: string): Promise<void> {
	await tables(metadata).updateTable("sites").set({ forgotten_visits: days }).where("id", "=", siteId).execute();
}

/** Whether a site is on its way to be gone for good. */
export async function isPurged(metadata: Metadata, siteId: string): Promise<boolean> {
	const purge = await tables(metadata)
		.selectFrom("data_deletions")
		.select("id")
		.where("site_id", "=", siteId)
		.where("reason", "=", "purge")
		.where("status", "in", ["pending", "running"])
		.executeTakeFirst();
	return purge !== undefined;
}

export async function countActiveSites(metadata: Metadata, organizationId: string): Promise<number> {
	const { count } = await tables(metadata)
		.selectFrom("sites")
		.select((query) => query.fn.countAll<number>().as("count"))
		.where("organization_id", "=", organizationId)
		.where("is_active", "=", 1)
		.executeTakeFirstOrThrow();
	return Number(count);
}

export async function membersOfSites(metadata: Metadata, ids: readonly string[]) {
	return inChunks(ids, (some) =>
		tables(metadata)
			.selectFrom("site_members")
			.select(["site_id as siteId", "user_id as userId"])
			.where("site_id", "in", some)
			.execute(),
	);
}

/** Makes other changes that begin with this lock on the site wait until this transaction ends. */
export async function lockSite(metadata: Metadata, siteId: string): Promise<void> {
	await tables(metadata)
		.updateTable("sites")
		.set((query) => ({ updated_at: query.ref("updated_at") }))
		.where("id", "=", siteId)
		.execute();
}

export const SITES_TOPIC = "sites";

/** Counts a change to sites, so that every process reads them again; part of the transaction that makes the change. */
export const countSiteChange = (metadata: Metadata, siteIds: readonly string[]): Promise<void> =>
	countSettingChange(metadata, SITES_TOPIC, siteIds);

export const domains = siteRecords("site_domains");

export type MappingRow = Row<"utm_mappings">;

/** The parameters of a site that fill campaign fields, inactive ones included. */
export const mappings = siteRecords("utm_mappings");

/** The first sites behind one, by slug. */
export async function nextSiteIds(metadata: Metadata, after: string, limit: number): Promise<string[]> {
	const rows = await tables(metadata)
		.selectFrom("sites")
		.select("id")
		.where("id", ">", after)
		.orderBy("id")
		.limit(limit)
		.execute();
	return rows.map(({ id }) => id);
}

/** Sites by slug, each with what its organization decides. */
export const sitesWithPlans = (metadata: Metadata, ids: readonly string[]) =>
	tables(metadata)
		.selectFrom("sites")
		.innerJoin("organizations", "organizations.id", "sites.organization_id")
		.selectAll("sites")
		.select(["organizations.plan_tier", "organizations.is_active as organization_is_active"])
		.where("sites.id", "in", ids)
		.execute();

export const blocks = siteRecords("blocklist_entries");
