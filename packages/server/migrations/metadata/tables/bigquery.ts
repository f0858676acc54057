import type { Generated } from "kysely";

/** Figures of sites in BigQuery. */
export type BigqueryTables = {
	bigquery_integrations: {
		id: Generated<number>;
		site_id: string;
		gcp_project_id: string;
		dataset_id: string;
		location: "EU" | "US" | "europe-west1" | "us-central1" | "us-east1";
		service_account_email: string;
		/** The service account's key as JSON, sealed. */
		sealed_key: string;
		sync_frequency: "hourly" | "daily" | "manual";
		/** JSON list. */
		data_types: string;
		backfill_days: number;
		/** `YYYY-MM-DD`, both or none. */
		initial_date_from: string | null;
		initial_date_to: string | null;
		is_active: number;
		/** JSON list: the tables that are there. */
		tables_created: string;
		setup_completed_at: number | null;
		/** Last day up to which everything is there, without a gap; null before the first sync has ended well. */
		synced_through: string | null;
		/** Null where nothing happens by itself. */
		next_sync_at: number | null;
		last_sync_at: number | null;
		last_sync_status: "success" | "failed" | "partial" | "cancelled" | null;
		last_error: string | null;
		created_by: number | null;
		created_at: number;
		updated_at: number;
	};
	bigquery_syncs: {
		id: Generated<number>;
		/** UUID. */
		sync_id: string;
		site_id: string;
		/** The site while the sync runs: no site has two. */
		running_site_id: string | null;
		sync_type: "initial" | "incremental" | "backfill" | "retry";
		date_from: string;
		date_to: string;
		/** JSON list. */
		data_types: string;
		/** JSON list of the first and last days of its parts. */
		chunks: string;
		/** How many of them are behind it. */
		chunks_done: number;
		/** JSON list of those that failed, with the reason. */
		failed_chunks: string;
		/** JSON object of rows and bytes by table. */
		tables_synced: string;
		status: "running" | "success" | "failed" | "partial" | "cancelled";
		error_message: string | null;
		started_at: number;
		completed_at: number | null;
	};
};
