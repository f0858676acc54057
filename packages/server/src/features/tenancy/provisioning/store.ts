import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export type ProvisionKeyRow = Row<"provision_keys">;

export const insertProvisionKey = (metadata: Metadata, row: Omit<ProvisionKeyRow, "id">): Promise<ProvisionKeyRow> =>
	tables(metadata).insertInto("provision_keys").values(row).returningAll().executeTakeFirstOrThrow();

/** All keys, revoked ones included, oldest first. */
export const listProvisionKeys = (metadata: Metadata): Promise<ProvisionKeyRow[]> =>
	tables(metadata).selectFrom("provision_keys").selectAll().orderBy("id").execute();

/** The key with this hash, unless it is revoked. */
export const selectLiveKey = (metadata: Metadata, hash: string): Promise<ProvisionKeyRow | undefined> =>
	tables(metadata)
		.selectFrom("provision_keys")
		.selectAll()
		.where("key_hash", "=", hash)
		.where("revoked_at", "is", null)
		.executeTakeFirst();

/** Revokes a key; undefined when there is none that is not revoked. */
export const updateKeyRevoked = (metadata: Metadata, id: number, nowMs: number): Promise<ProvisionKeyRow | undefined> =>
	tables(metadata)
		.updateTable("provision_keys")
		.set({ revoked_at: nowMs })
		.where("id", "=", id)
		.where("revoked_at", "is", null)
		.returningAll()
		.executeTakeFirst();

type ProvisionedSiteRow = Row<"provisioned_sites">;

export async function insertProvisionedSite(metadata: Metadata, row: ProvisionedSiteRow): Promise<void> {
	await tables(metadata).insertInto("provisioned_sites").values(row).execute();
}

export const selectProvisionedSite = (metadata: Metadata, userId: number): Promise<ProvisionedSiteRow | undefined> =>
	tables(metadata)
		.selectFrom("provisioned_sites")
		.selectAll()
		.where("user_id", "=", userId)
		.orderBy("created_at")
		.executeTakeFirst();

/** Sites that were set up before a moment and are not settled, oldest first. */
export const selectUnsettledSites = (
	metadata: Metadata,
	beforeMs: number,
	limit: number,
): Promise<ProvisionedSiteRow[]> =>
	tables(metadata)
		.selectFrom("provisioned_sites")
		.selectAll()
		.where("settled_at", "is", null)
		.where("created_at", "<=", beforeMs)
		.orderBy("created_at")
		.orderBy("site_id")
		.limit(limit)
		.execute();

export async function updateSettled(metadata: Metadata, siteId: string, settledAt: number): Promise<void> {
	await tables(metadata)
		.updateTable("provisioned_sites")
		.set({ settled_at: settledAt })
		.where("site_id", "=", siteId)
		.execute();
}
