import type { Generated } from "kysely";

/** Shared state of collectors and the attribution settings of sites. */
export type CollectingTables = {
	/** The random salts of visitor ids. */
	visitor_salts: {
		/** UTC, `YYYY-MM-DD`. */
		day: string;
		/** Base64. */
		salt: string;
		created_at: number;
	};
	collector_progress: {
		/** UUID, one for each data directory. */
		id: string;
		seen_at: number;
		/** Hits accepted before are in the event store. */
		stored_until: number;
	};
	/** Hits by what became of them, of the last day, where processes share the accounts. */
	hit_counts: {
		/** Empty for hits that named no active site. */
		site_id: string;
		/** Since the Unix epoch. */
		hour: number;
		/** UUID of the process that counted. */
		run_id: string;
		/** JSON: counts by the minute. */
		counts: string;
	};
	/** How often tracker scripts were asked for, there. */
	script_requests: {
		site_id: string;
		/** UUID of the process that was asked. */
		run_id: string;
		count: number;
		last_at: number;
	};
	channel_rules: {
		id: Generated<number>;
		site_id: string;
		channel_name: string;
		source_pattern: string | null;
		medium_pattern: string | null;
		campaign_pattern: string | null;
		/** The highest is asked first. */
		priority: number;
		/** 0 = a draft. */
		is_active: number;
		created_at: number;
		updated_at: number;
	};
	/** Referrers that do not interrupt a session. */
	passthrough_referrers: {
		id: Generated<number>;
		site_id: string;
		/** Lower-case, punycode, without `www.`; once a site, inactive ones included. */
		domain: string;
		utm_source: string;
		utm_medium: string;
		utm_campaign: string;
		utm_term: string;
		service_name: string;
		is_active: number;
		created_at: number;
		updated_at: number;
	};
	/** The sites' own names for referrers. */
	referrer_mappings: {
		id: Generated<number>;
		site_id: string;
		referrer_pattern: string;
		match_type: "exact" | "contains" | "starts_with" | "ends_with" | "regex";
		utm_source: string;
		utm_medium: string;
		utm_campaign: string;
		utm_term: string;
		utm_content: string;
		label: string | null;
		description: string | null;
		/** The highest is asked first. */
		priority: number;
		is_active: number;
		created_at: number;
		updated_at: number;
	};
	/** Imported files and their state. */
	imports: {
		id: Generated<number>;
		/** UUID; the rows in the event store carry it. */
		import_id: string;
		site_id: string;
		source: "ga4_csv" | "plausible_zip" | "umami_csv" | "matomo_csv" | "access_log" | "legacy_service";
		/** As the user calls it. */
		file_name: string;
		/** As long as the file is kept. */
		stored_name: string | null;
		file_size_bytes: number;
		file_sha256: string;
		/** 1 until its rows are asked for. */
		dry_run: number;
		/** In which the file tells its days. */
		timezone: string;
		/** `YYYY-MM-DD`, as `date_to`; null = no bound. */
		date_from: string | null;
		date_to: string | null;
		/** JSON: the file's names of columns to ours. */
		column_map: string;
		status: "pending" | "validating" | "validated" | "importing" | "completed" | "failed" | "cancelled" | "undone";
		progress_percent: number;
		/** UUID of the run that holds the import; a run with another one stops. */
		attempt: string | null;
		/** JSON: the plan of the rows, fixed when writing begins and kept until it ends. */
		plan: string | null;
		/** Of the visitor ids; gone when the rows are written. */
		salt: string | null;
		/** Batches that are in the event store. */
		batches_done: number;
		/** Months of its rows in the event store, each a partition; noted before the first row of a month is written. */
		partitions: number;
		/** JSON. */
		report: string | null;
		error_message: string | null;
		created_by: number | null;
		created_at: number;
		started_at: number | null;
		completed_at: number | null;
		undone_at: number | null;
	};
	/** Jobs that bring the figures of a site over from the older service. */
	migration_jobs: {
		id: Generated<number>;
		site_id: string;
		/** UUID of the import that its rows are. */
		import_id: string;
		/** The site's name at the older service. */
		v1_account_id: string;
		/** E-mail and password there, as long as the job fetches. */
		sealed_login: string | null;
		date_from: string;
		date_to: string;
		/** JSON list: the kinds of data to migrate. */
		kinds: string;
		/** While its import works, the import says how it is. */
		status: "pending" | "running" | "completed" | "failed" | "cancelled";
		/** JSON: rows that there are and rows that have come, by kind. */
		fetched: string;
		current_step: string | null;
		error_message: string | null;
		created_by: number | null;
		created_at: number;
		started_at: number | null;
		completed_at: number | null;
	};
};
