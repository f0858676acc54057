import type { Generated, Selectable } from "kysely";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** The tables of this slice; times in milliseconds. */
type ProvisioningTables = {
	provision_keys: {
		id: Generated<number>;
		/** Who hands the key out. */
		channel: string;
		/** SHA-256. */
		key_hash: string;
		/** The first characters, by which people tell their keys apart. */
		key_prefix: string;
		created_at: number;
		revoked_at: number | null;
	};
	provisioned_sites: {
		site_id: string;
		user_id: number;
		channel: string;
		/** What the caller said it was installed from. */
		install_source: string | null;
		created_at: number;
		/** When its 90 days were over and it was seen whether somebody had claimed it. */
		settled_at: number | null;
	};
};

/** A provision key as stored. */
export type ProvisionKeyRow = Selectable<ProvisioningTables["provision_keys"]>;
/** Where a site came from. */
export type ProvisionedSiteRow = Selectable<ProvisioningTables["provisioned_sites"]>;

const tables = (metadata: Metadata) => metadata.withTables<ProvisioningTables>();

export const insertProvisionKey = (metadata: Metadata, row: Omit<ProvisionKeyRow, "id">): Promise<ProvisionKeyRow> =>
	tables(metadata).insertInto("provision_keys").values(row).returningAll().executeTakeFirstOrThrow();

/** All keys, revoked ones included, oldest first. */
export const selectProvisionKeys = (metadata: Metadata): Promise<ProvisionKeyRow[]> =>
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

export async function insertProvisionedSite(metadata: Metadata, row: ProvisionedSiteRow): Promise<void> {
	await tables(metadata).insertInto("provisioned_sites").values(row).execute();
}

/** The site that was set up for a user. */
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
