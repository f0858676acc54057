/** Kinds of data that a migration job brings, in its order. */
export const migrationKinds = ["conversions", "microconversions", "pageviews"] as const;
export type MigrationKind = (typeof migrationKinds)[number];

/** Rows that there are of a kind, and those that have come. */
export interface Fetched {
	readonly total: number;
	readonly migrated: number;
}
export type FetchedByKind = Readonly<Record<MigrationKind, Fetched>>;

export const nothingFetched: FetchedByKind = {
	conversions: { total: 0, migrated: 0 },
	microconversions: { total: 0, migrated: 0 },
	pageviews: { total: 0, migrated: 0 },
};
