/** Data of a site to sync. */
export const dataTypes = [
	"traffic",
	"traffic_hourly",
	"conversions",
	"microconversions",
	"pages",
	"landing_pages",
	"accounts",
] as const;

/** A kind of data that is chosen as one. */
export type DataType = (typeof dataTypes)[number];

/** Those of an integration that says nothing of them. */
export const usualDataTypes: readonly DataType[] = [
	"traffic",
	"conversions",
	"microconversions",
	"pages",
	"landing_pages",
];

/** Where a dataset may lie. */
export const locations = ["EU", "US", "europe-west1", "us-central1", "us-east1"] as const;

/** How often a site is synced by itself. */
export const frequencies = ["hourly", "daily", "manual"] as const;

/** Types of syncs. */
export const syncTypes = ["initial", "incremental", "backfill", "retry"] as const;

/** How a sync ends. */
export const endStatuses = ["success", "failed", "partial", "cancelled"] as const;

/** The states of a sync. */
export const syncStatuses = ["running", ...endStatuses] as const;

/** How a sync ended. */
export type EndStatus = (typeof endStatuses)[number];

/** Days of one sync, one backfill, one beginning. */
export const MAX_DAYS = 365;
