export const dataTypes = [
	"traffic",
	"traffic_hourly",
	"conversions",
	"microconversions",
	"pages",
	"landing_pages",
	"accounts",
] as const;

export type DataType = (typeof dataTypes)[number];

/** Those of an integration that says nothing of them. */
export const usualDataTypes: readonly DataType[] = [
	"traffic",
	"conversions",
	"microconversions",
	"pages",
	"landing_pages",
];

export const locations = ["EU", "US", "europe-west1", "us-central1", "us-east1"] as const;

export const frequencies = ["hourly", "daily", "manual"] as const;

export const syncTypes = ["initial", "incremental", "backfill", "retry"] as const;

export const endStatuses = ["success", "failed", "partial", "cancelled"] as const;

export const syncStatuses = ["running", ...endStatuses] as const;

export type EndStatus = (typeof endStatuses)[number];

/** Days of one sync, one backfill, one beginning. */
export const MAX_DAYS = 365;
