import { type Static, Type } from "typebox";
import { languages } from "../../../platform/http/pages/languages.ts";
import { Nullable, OneOf } from "../../../platform/http/schemas.ts";

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

/** How a user wants the pages. */
export const Preferences = Type.Object(fields);
export type Preferences = Static<typeof Preferences>;

/** Absent fields keep their value. */
export const PreferencesBody = Type.Partial(Type.Object(fields), { minProperties: 1 });

/** Default preferences. */
export const usual: Preferences = {
	language: "en",
	theme: "system",
	week_start: "monday",
	density: "comfortable",
	default_site: null,
	pinned_sites: [],
	shortcuts: true,
};
