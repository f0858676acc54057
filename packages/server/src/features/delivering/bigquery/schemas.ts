import { Type } from "typebox";
import { account } from "../../../access/index.ts";
import { Id, limitAndOffset, Nullable, OneOf, optionalBody, Timestamp } from "../../../platform/http/schemas.ts";

const dataTypes = [
	"traffic",
	"traffic_hourly",
	"conversions",
	"microconversions",
	"pages",
	"landing_pages",
	"accounts",
] as const;

export type DataType = (typeof dataTypes)[number];

const usualDataTypes: readonly DataType[] = ["traffic", "conversions", "microconversions", "pages", "landing_pages"];

const locations = ["EU", "US", "europe-west1", "us-central1", "us-east1"] as const;

const frequencies = ["hourly", "daily", "manual"] as const;

const syncTypes = ["initial", "incremental", "backfill", "retry"] as const;

const endStatuses = ["success", "failed", "partial", "cancelled"] as const;

const syncStatuses = ["running", ...endStatuses] as const;

export type EndStatus = (typeof endStatuses)[number];

export const MAX_DAYS = 365;

const day = (description: string) => Type.String({ format: "date", description });
const types = (options: object = {}) =>
	Type.Array(OneOf(dataTypes), {
		minItems: 1,
		uniqueItems: true,
		description: "Kinds of data to sync",
		...options,
	});
const backfillDays = (options: object = {}) =>
	Type.Integer({ minimum: 0, maximum: 365, description: "Number of days before today to start with", ...options });

export const KEY_FILE = "service_account_file";

export const ConnectBody = Type.Object({
	service_account: Type.Object(
		{},
		{
			additionalProperties: true,
			// A key has line breaks; the stored parts are checked.
			"x-characters": "any",
			description: "Content of the service account's key file; stored encrypted, never shown",
			"x-form-file": KEY_FILE,
		},
	),
	gcp_project_id: Type.String({ pattern: "^[a-z][a-z0-9-]{4,28}[a-z0-9]$", description: "Google Cloud project" }),
	dataset_id: Type.String({
		pattern: "^[A-Za-z0-9_]{1,1024}$",
		default: "footfall",
		description: "Created when missing",
	}),
	location: OneOf(locations, { default: "EU" }),
	sync_frequency: OneOf(frequencies, { default: "daily" }),
	data_types: types({ default: [...usualDataTypes] }),
	backfill_days: backfillDays({ default: 30 }),
	initial_date_from: Type.Optional(Nullable(day("Instead of `backfill_days`: first day of the first sync"))),
	initial_date_to: Type.Optional(Nullable(day("Last day of the first sync"))),
});

export const ChangeBody = Type.Object({
	sync_frequency: Type.Optional(OneOf(frequencies)),
	data_types: Type.Optional(types()),
	is_active: Type.Optional(Type.Boolean({ description: "`false` pauses it" })),
	backfill_days: Type.Optional(backfillDays()),
});

export const SyncBody = Type.Object(
	{
		date_from: Type.Optional(day("First day; default: two days before the last sync")),
		date_to: Type.Optional(day("Last day; default: today")),
	},
	optionalBody,
);

export const BackfillBody = Type.Object({
	date_from: day("First day, in the site's time zone"),
	date_to: day("Last day"),
	chunk_days: Type.Integer({ minimum: 1, maximum: 30, default: 7, description: "Days per part" }),
});

export const LogsQuery = Type.Object({ ...account, ...limitAndOffset({ limit: 20, max: 100 }) });
export const LogParams = Type.Object({ log_id: Id() });

export const Integration = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	gcp_project_id: Type.String(),
	dataset_id: Type.String(),
	location: OneOf(locations),
	service_account_email: Type.String({ description: "Owner of the permissions in Google Cloud" }),
	sync_frequency: OneOf(frequencies),
	data_types: types(),
	backfill_days: Type.Integer(),
	initial_date_from: Nullable(Type.String({ format: "date" })),
	initial_date_to: Nullable(Type.String({ format: "date" })),
	is_active: Type.Boolean(),
	setup_completed: Type.Boolean(),
	setup_completed_at: Nullable(Timestamp()),
	tables_created: Nullable(Type.Array(Type.String())),
	next_sync_at: Nullable(Timestamp()),
	last_sync_at: Nullable(Timestamp()),
	last_sync_status: Nullable(OneOf(endStatuses)),
	last_error: Nullable(Type.String()),
	created_at: Timestamp(),
	updated_at: Timestamp(),
	created_by: Nullable(Type.Integer()),
});

export const MaybeIntegration = Nullable(Integration, { description: "null: BigQuery is not connected" });

const tablesCreated = Type.Array(Type.String());

export const Connected = Type.Object({
	integration: Integration,
	dataset_ref: Type.String({ description: "`project.dataset`" }),
	tables_created: tablesCreated,
	message: Type.String(),
});

export const SetUp = Type.Object({
	status: OneOf(["completed"]),
	dataset_ref: Type.String(),
	tables_created: tablesCreated,
	location: OneOf(locations),
	message: Type.String(),
});

const amounts = Type.Record(Type.String(), Type.Object({ rows: Type.Integer(), bytes: Type.Integer() }));
const failedChunks = Type.Array(
	Type.Object({
		date_from: Type.String({ format: "date" }),
		date_to: Type.String({ format: "date" }),
		error: Type.String(),
	}),
);
const status = OneOf(syncStatuses, { description: "`running`: the sync takes longer than the response waits" });

const syncFields = {
	status,
	log_id: Type.Integer(),
	sync_id: Type.String({ format: "uuid" }),
	sync_type: OneOf(syncTypes),
	date_from: Type.String({ format: "date" }),
	date_to: Type.String({ format: "date" }),
	tables: amounts,
	total_rows: Type.Integer(),
	total_bytes: Type.Integer(),
	duration_seconds: Nullable(Type.Integer()),
	message: Type.String(),
};

export const Sync = Type.Object(syncFields);
export const Backfill = Type.Object({ ...syncFields, total_chunks: Type.Integer(), failed_chunks: failedChunks });
export const Retry = Type.Object({
	status,
	original_log_id: Type.Integer(),
	new_sync_id: syncFields.sync_id,
	sync_type: syncFields.sync_type,
	total_rows: Type.Integer(),
	message: Type.String(),
});

export const Log = Type.Object({
	id: Type.Integer(),
	sync_id: Type.String({ format: "uuid" }),
	sync_type: OneOf(syncTypes),
	sync_started_at: Timestamp(),
	sync_completed_at: Nullable(Timestamp()),
	date_from: Type.String({ format: "date" }),
	date_to: Type.String({ format: "date" }),
	tables_synced: Nullable(amounts),
	total_rows_synced: Type.Integer(),
	total_bytes_synced: Type.Integer(),
	total_chunks: Type.Integer(),
	completed_chunks: Type.Integer({ description: "Completed parts, including failed ones" }),
	failed_chunks: failedChunks,
	status: OneOf(syncStatuses),
	error_message: Nullable(Type.String(), { description: "While it runs: why it is retried" }),
	duration_seconds: Nullable(Type.Integer()),
});
export const LogList = Type.Object({ logs: Type.Array(Log), total: Type.Integer() });

export const WarehouseSchema = Type.Object({
	tables: Type.Record(
		Type.String(),
		Type.Object({
			description: Type.String(),
			data_type: Nullable(OneOf(dataTypes), {
				description: "Dimension by which rows are selected; null: always present",
			}),
			schema: Type.Array(
				Type.Object({
					name: Type.String(),
					type: Type.String(),
					mode: OneOf(["REQUIRED", "NULLABLE"]),
				}),
			),
			partition_field: Nullable(Type.String()),
			clustering_fields: Type.Array(Type.String()),
			partition_expiration_days: Nullable(Type.Integer()),
		}),
	),
});
