import { tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Preferences, usual } from "./schemas.ts";

/** Stored preferences of a user. */
export async function selectChosen(metadata: Metadata, userId: number): Promise<Partial<Preferences>> {
	const row = await tables(metadata)
		.selectFrom("user_preferences")
		.select("chosen")
		.where("user_id", "=", userId)
		.executeTakeFirst();
	return row === undefined ? {} : JSON.parse(row.chosen);
}

/** The language that a user has chosen, or the usual one. */
export const languageOf = async (metadata: Metadata, userId: number): Promise<Preferences["language"]> =>
	(await selectChosen(metadata, userId)).language ?? usual.language;

/** Puts a user's choices in the place of those before. */
export async function upsertChosen(
	metadata: Metadata,
	userId: number,
	chosen: Partial<Preferences>,
	nowMs: number,
): Promise<void> {
	const row = { chosen: JSON.stringify(chosen), updated_at: nowMs };
	await tables(metadata)
		.insertInto("user_preferences")
		.values({ user_id: userId, ...row })
		.onConflict((conflict) => conflict.column("user_id").doUpdateSet(row))
		.execute();
}

/** Drops a user's choices, within a transaction of the caller. */
export async function forgetPreferences(metadata: Metadata, userId: number): Promise<void> {
	await tables(metadata).deleteFrom("user_preferences").where("user_id", "=", userId).execute();
}
