import { tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** Uses a backup code up; false when it is unknown or used. */
export async function takeBackupCode(metadata: Metadata, userId: number, codeHash: string): Promise<boolean> {
	const rows = await tables(metadata)
		.deleteFrom("backup_codes")
		.where("user_id", "=", userId)
		.where("code_hash", "=", codeHash)
		.returning("user_id")
		.execute();
	return rows.length === 1;
}

/** Puts new backup codes in the place of the old ones; false when the second factor is off. */
export async function replaceBackupCodes(
	metadata: Metadata,
	userId: number,
	codeHashes: readonly string[],
	nowMs: number,
): Promise<boolean> {
	const db = tables(metadata);
	const rows = await db
		.updateTable("two_factor")
		.set({ backup_codes_at: nowMs })
		.where("user_id", "=", userId)
		.where("enabled_at", "is not", null)
		.returning("user_id")
		.execute();
	if (rows.length === 0) return false;
	await db.deleteFrom("backup_codes").where("user_id", "=", userId).execute();
	await db
		.insertInto("backup_codes")
		.values(codeHashes.map((hash) => ({ user_id: userId, code_hash: hash })))
		.execute();
	return true;
}

export async function countBackupCodes(metadata: Metadata, userId: number): Promise<number> {
	const { count } = await tables(metadata)
		.selectFrom("backup_codes")
		.select((query) => query.fn.countAll<number>().as("count"))
		.where("user_id", "=", userId)
		.executeTakeFirstOrThrow();
	return Number(count);
}
