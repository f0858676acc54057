import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** A provision key as stored. */
export type ProvisionKeyRow = Row<"provision_keys">;

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
