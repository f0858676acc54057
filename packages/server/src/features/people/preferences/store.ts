import { type Static, Type } from "typebox";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import { languages } from "../../../platform/http/pages/languages.ts";
import { Nullable, OneOf } from "../../../platform/http/schemas.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

const Slug = Type.String({ minLength: 3, maxLength: 64 });

const fields = {
	language: OneOf(languages),
	theme: OneOf(["system", "light", "dark"]),
	week_start: OneOf(["monday", "sunday", "saturday"]),
	density: OneOf(["comfortable", "compact"]),
	default_site: Nullable(Slug),
	pinned_sites: Type.Array(Slug, { maxItems: 50, uniqueItems: true }),
	shortcuts: Type.Boolean({ description: "Whether single-key shortcuts are on" }),
};

export const Preferences = Type.Object(fields);
export type Preferences = Static<typeof Preferences>;

/** Absent fields keep their value. */
export const PreferencesBody = Type.Partial(Type.Object(fields), { minProperties: 1 });

export const usual: Preferences = {
	language: "en",
	theme: "system",
	week_start: "monday",
	density: "comfortable",
	default_site: null,
	pinned_sites: [],
	shortcuts: true,
};

export async function selectChosen(metadata: Metadata, userId: number): Promise<Partial<Preferences>> {
	const row = await tableOf("user_preferences").find(metadata, { user_id: userId });
	return row === undefined ? {} : JSON.parse(row.chosen);
}

/** The language that a user has chosen, or the usual one. */
export const languageOf = async (metadata: Metadata, userId: number): Promise<Preferences["language"]> =>
	(await selectChosen(metadata, userId)).language ?? usual.language;

export async function upsertChosen(metadata: Metadata, user_id: number, chosen: Partial<Preferences>, nowMs: number) {
	const row = { chosen: JSON.stringify(chosen), updated_at: nowMs };
	await tableOf("user_preferences").upsert(metadata, { user_id, ...row }, ["user_id"], row);
}

export async function forgetPreferences(metadata: Metadata, userId: number): Promise<void> {
	await tableOf("user_preferences").delete(metadata, { user_id: userId });
}
