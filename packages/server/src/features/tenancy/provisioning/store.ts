import type { Generated, Selectable } from "kysely";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** The table of this slice; times in milliseconds. */
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
};

/** A provision key as stored. */
export type ProvisionKeyRow = Selectable<ProvisioningTables["provision_keys"]>;

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
