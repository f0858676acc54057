import type { Generated } from "kysely";

type EventType = "alert.triggered" | "alert.resolved" | "export.completed" | "export.failed" | "goal.reached";

/** Why an attempt to deliver failed. */
type DeliveryErrorType = "http_status" | "redirect" | "timeout" | "dns" | "connection" | "tls" | "blocked_address";

/** Files, mails and webhooks by which people get what a site has found. */
export type DeliveringTables = {
	exports: {
		id: Generated<number>;
		/** UUID. */
		job_id: string;
		site_id: string;
		/** Organization whose plan it counts for. */
		organization_id: string;
		export_type:
			| "pages"
			| "sources"
			| "mediums"
			| "campaigns"
			| "terms"
			| "countries"
			| "devices"
			| "browsers"
			| "os"
			| "conversions"
			| "microconversions"
			| "time_series"
			| "landing_pages";
		format: "csv" | "json" | "parquet";
		/** `YYYY-MM-DD`, as `date_to`. */
		date_from: string;
		date_to: string;
		/** JSON. */
		filters: string;
		status: "pending" | "estimating" | "generating" | "completed" | "failed" | "expired";
		estimated_rows: number;
		actual_rows: number | null;
		file_size_bytes: number | null;
		progress_percent: number;
		/** The file that is being made or was made; another one with each attempt. */
		file_name: string | null;
		download_token_hash: string | null;
		/** Sealed. */
		download_token: string | null;
		download_expires_at: number | null;
		error_message: string | null;
		created_by: number | null;
		/** The key that asked for it; null = a session did. */
		created_by_token: number | null;
		started_at: number | null;
		completed_at: number | null;
		created_at: number;
	};
	webhook_endpoints: {
		/** UUID. */
		id: string;
		site_id: string;
		name: string;
		url: string;
		/** JSON list. */
		event_types: string;
		description: string | null;
		/** JSON object of header values, sealed: many hold a credential of the receiver. */
		sealed_headers: string;
		sealed_secret: string;
		secret_last_4: string;
		secret_version: number;
		sealed_previous_secret: string | null;
		previous_secret_expires_at: number | null;
		is_active: number;
		is_verified: number;
		/** Why the service switched it off; null when its users did. */
		disabled_reason: "gone" | "failing" | null;
		/** The first failure since the last success. */
		failing_since: number | null;
		last_delivery_at: number | null;
		last_success_at: number | null;
		last_failure_at: number | null;
		last_failure_reason: string | null;
		created_by: number | null;
		created_at: number;
		updated_at: number | null;
	};
	webhook_deliveries: {
		id: Generated<number>;
		/** UUID. */
		delivery_id: string;
		endpoint_id: string;
		/** UUID; the same in every delivery of one event. */
		event_id: string;
		/** Once an endpoint and event; null on tests and replays. */
		event_key: string | null;
		event_type: EventType;
		/** The body, byte for byte as it is signed and sent. */
		payload: string;
		payload_size_bytes: number;
		max_attempts: number;
		/** Not tried yet, answered well, given up, or waiting for another attempt. */
		status: "pending" | "success" | "failed" | "retrying";
		/** Attempts made. */
		attempt_number: number;
		first_attempt_at: number | null;
		next_retry_at: number | null;
		response_status_code: number | null;
		/** JSON object. */
		response_headers: string;
		response_body: string | null;
		response_time_ms: number | null;
		error_type: DeliveryErrorType | null;
		error_message: string | null;
		created_at: number;
		completed_at: number | null;
	};
	webhook_attempts: {
		id: Generated<number>;
		/** Row id of the delivery. */
		delivery: number;
		attempt_number: number;
		attempted_at: number;
		request_url: string;
		response_status_code: number | null;
		response_time_ms: number | null;
		error_type: DeliveryErrorType | null;
		error_message: string | null;
	};
	mail_reports: {
		id: Generated<number>;
		site_id: string;
		frequency: "weekly" | "monthly";
		is_active: number;
		/** First day of the period in which the last report went out; days before it are over. */
		sent_period: string;
		last_sent_at: number | null;
		created_by: number | null;
		created_at: number;
		updated_at: number;
	};
	mail_report_recipients: {
		report_id: number;
		email: string;
		/** When it turned out that the address does not exist. */
		bounced_at: number | null;
	};
	/** People who want no reports of a site. */
	mail_report_refusals: { site_id: string; email: string; refused_at: number };
	/** External recipients of a site's mails, and whether they confirmed. */
	mail_recipients: {
		site_id: string;
		email: string;
		/** When the last question was sent. */
		asked_at: number;
		agreed_at: number | null;
		refused_at: number | null;
	};
};

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

export type LensTables = {
	lens_settings: {
		site_id: string;
		is_enabled: number;
		notify_email: number;
		notify_on_red: number;
		notify_on_yellow: number;
		notify_on_green: number;
		/** JSON list of addresses. */
		email_recipients: string;
		analysis_frequency: "daily" | "weekly" | "manual";
		created_at: number;
		updated_at: number;
	};
	/** How far sites were looked at, by days of their own clocks. */
	lens_runs: {
		site_id: string;
		/** The morning of the last run. */
		analysed_day: string;
		/** Monday of the last morning on which a report of the week before was made. */
		week: string;
		/** The same of months. */
		month: string;
	};
	lens_insights: {
		id: string;
		site_id: string;
		rule: string;
		/** The value that it is about; null = the whole site. */
		entity: string | null;
		/** Rule and entity as long as it lasts; one of a site. */
		open_key: string | null;
		severity: "red" | "yellow" | "green";
		/** JSON: values, baseline, intervals. */
		finding: string;
		/** Days that it rests on, the baseline's included; the last one is that of the last run that found it. */
		first_day: string;
		last_day: string;
		created_at: number;
		updated_at: number;
		expires_at: number;
		read_at: number | null;
		dismissed_at: number | null;
	};
	/** Verdicts of users on insights. They outlive the insight, so they name its rule. */
	lens_feedback: {
		insight_id: string;
		site_id: string;
		user_id: number;
		rule: string;
		feedback_type: "helpful" | "not_helpful" | "incorrect" | "already_known";
		comment: string | null;
		created_at: number;
	};
	lens_reports: {
		id: string;
		site_id: string;
		report_type: "weekly" | "monthly";
		period_start: string;
		period_end: string;
		/** First day of the period that it is compared with. */
		compared_from: string;
		status: "pending" | "generating" | "completed" | "failed";
		generation_started_at: number | null;
		generation_completed_at: number | null;
		error_message: string | null;
		/** JSON: the figures; words are added when it is shown. */
		content: string | null;
		view_count: number;
		created_at: number;
		updated_at: number;
	};
};
