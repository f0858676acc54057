import type { Generated } from "kysely";

/** What the collectors share, and how sites have their visits attributed. */
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
};
