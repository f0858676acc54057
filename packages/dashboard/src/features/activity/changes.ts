/** One changed field of a log entry: its old and new values, or a single fact. */
export type Told =
	| { readonly field: string; readonly kind: "change"; readonly before: unknown; readonly after: unknown }
	| { readonly field: string; readonly kind: "fact"; readonly value: unknown };

/** Fields whose value is a list, and no pair. */
const lists: readonly string[] = ["scopes", "site_ids", "account_ids"];
/** Told elsewhere in the entry. */
const hidden: readonly string[] = ["impersonated_by"];

/** The details of an entry, in the order in which they were noted. */
export const changesOf = (details: Readonly<Record<string, unknown>>): readonly Told[] =>
	Object.entries(details)
		.filter(([field]) => !hidden.includes(field))
		.map(([field, value]) => {
			if (!Array.isArray(value) || value.length !== 2 || lists.includes(field)) return { field, kind: "fact", value };
			return { field, kind: "change", before: value[0], after: value[1] };
		});

/** True where nothing stood before or nothing stands after. */
export const isNothing = (value: unknown): boolean =>
	value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);
