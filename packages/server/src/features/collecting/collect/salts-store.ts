import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export type Salt = Row<"visitor_salts">;

export async function deleteSalts(metadata: Metadata, madeUntil: number): Promise<void> {
	await tables(metadata).deleteFrom("visitor_salts").where("created_at", "<=", madeUntil).execute();
}

/** Stores a salt, unless its day has one. */
export async function insertSalt(metadata: Metadata, salt: Salt): Promise<void> {
	await tables(metadata)
		.insertInto("visitor_salts")
		.values(salt)
		.onConflict((conflict) => conflict.column("day").doNothing())
		.execute();
}

export const listSalts = (metadata: Metadata): Promise<Salt[]> =>
	tables(metadata).selectFrom("visitor_salts").select(["day", "salt", "created_at"]).execute();
