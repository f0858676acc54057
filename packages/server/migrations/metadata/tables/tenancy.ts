import type { Generated } from "kysely";

/** Organizations, sites and access to them. */
export type TenancyTables = {
	organizations: {
		/** UUID. */
		id: string;
		slug: string;
		name: string;
		/** 1 = made for a user who created a site without belonging to an organization. */
		is_personal: number;
		is_active: number;
		plan_tier: "free" | "growth" | "scale" | "enterprise";
		created_at: number;
		updated_at: number;
	};
	organization_members: {
		organization_id: string;
		user_id: number;
		role: "owner" | "admin" | "member";
		created_at: number;
	};
	invitations: {
		id: Generated<number>;
		organization_id: string;
		/** Lower-case. */
		email: string;
		role: "owner" | "admin" | "member";
		/** JSON list of site slugs that a member gets. */
		site_ids: string;
		/** The member's role on them. */
		site_role: "owner" | "admin" | "editor" | "viewer";
		invited_by: number | null;
		/** 1 = neither accepted nor revoked; it may have expired. One an address and organization. */
		is_active: number;
		expires_at: number;
		accepted_at: number | null;
		accepted_by: number | null;
		/** SHA-256 of the secret that it was accepted with, so that the used link is told from a made-up one. */
		accepted_token_hash: string | null;
		/** 1 = the account was made by accepting. */
		made_user: number;
		created_at: number;
	};
	sites: {
		/** The slug. */
		id: string;
		organization_id: string;
		name: string;
		/** IANA zone. */
		timezone: string;
		/** ISO 4217 code. */
		currency: string;
		is_active: number;
		/** A hit with a higher suspicion score is left out of reports. */
		bot_threshold: number;
		/** JSON list of events that the script sends without a call. */
		automatic_events: string;
		/** JSON list of pages and events that count as conversions without a call. */
		goals: string;
		/** Rows older than so many months go; null = none ever does. */
		data_retention_months: number | null;
		/** A shorter period that replaces it at `retention_pending_at`; both null = none does. */
		retention_pending_months: number | null;
		retention_pending_at: number | null;
		/** When it was deleted; it is purged 30 days later. Null where it only rests. */
		deleted_at: number | null;
		/** JSON list: days whose running visits the collectors forget; null = none. */
		forgotten_visits: string | null;
		created_by: number | null;
		created_at: number;
		updated_at: number | null;
	};
	/** Deletions of site data and their progress. */
	data_deletions: {
		id: Generated<number>;
		site_id: string;
		/** Somebody asked for it, or the site itself goes. */
		reason: "request" | "purge";
		/** `YYYY-MM-DD`, as `date_to`; null = no bound. */
		date_from: string | null;
		date_to: string | null;
		/** Rows received later are kept. */
		until: number;
		status: "pending" | "running" | "completed" | "failed";
		/** The current step. */
		step: "collectors" | "rows" | "exports" | "files";
		progress_percent: number;
		/** Rows that were found. */
		deleted_rows: number | null;
		/** When the last of them was gone. */
		rows_deleted_at: number | null;
		/** By the event store's clock: files that it replaced until then still hold deleted rows. */
		outdated_until: number | null;
		error_message: string | null;
		created_by: number | null;
		created_at: number;
		completed_at: number | null;
	};
	/** Collectors that have nothing left of what a deletion names. */
	data_deletion_collectors: { deletion_id: number; collector_id: string; forgotten_at: number };
	site_members: {
		site_id: string;
		user_id: number;
		role: "owner" | "admin" | "editor" | "viewer";
		created_at: number;
	};
	site_domains: { id: Generated<number>; site_id: string; domain: string; is_active: number; created_at: number };
	/** Query parameters of a site that fill a campaign field. */
	utm_mappings: {
		id: Generated<number>;
		site_id: string;
		custom_param: string;
		maps_to: "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content";
		is_active: number;
		created_at: number;
	};
	/** Addresses whose hits a site does not count. */
	blocklist_entries: {
		id: Generated<number>;
		site_id: string;
		/** In its one way of being written; once a site, inactive ones included. */
		ip_or_cidr: string;
		reason: string;
		is_active: number;
		created_at: number;
	};
	ip_allowlist_settings: {
		site_id: string;
		is_enabled: number;
		enforce_for_api_tokens: number;
		enforce_for_dashboard: number;
		created_at: number;
		updated_at: number;
	};
	/** Addresses from which a site's reports may be read. */
	ip_allowlist_patterns: {
		id: Generated<number>;
		site_id: string;
		/** In its one way of being written; once a site and type, inactive ones included. */
		pattern: string;
		pattern_type: "ip" | "cidr" | "regex";
		label: string | null;
		description: string | null;
		is_active: number;
		created_by: number | null;
		created_at: number;
		updated_at: number;
	};
	ip_allowlist_attempts: {
		id: Generated<number>;
		site_id: string;
		user_id: number | null;
		ip_address: string;
		auth_type: "jwt" | "api_key" | "oauth" | "share";
		access_granted: number;
		/** The pattern as it was then; it may have been changed or removed since. */
		matched_pattern_id: number | null;
		matched_pattern: string | null;
		user_agent: string | null;
		created_at: number;
	};
	/** Links by which people without an account read a site's report. */
	share_links: {
		id: string;
		site_id: string;
		name: string;
		/** SHA-256 of what the address holds. */
		token_hash: string;
		/** The first characters, by which people tell their links apart. */
		token_prefix: string;
		/** The token of the address, sealed for the site's admins; null for links made before it was kept. */
		sealed_token: string | null;
		/** Null = none is asked for. */
		password_hash: string | null;
		/** Id of the segment that every report stays within; null = all visits. */
		segment_id: string | null;
		/** JSON list of what is shown beside the overview. */
		lists: string;
		may_filter: number;
		/** JSON list of origins whose pages may frame the report. */
		embed_origins: string;
		expires_at: number | null;
		is_active: number;
		/** Grows with each change, which ends the bearers that were given before it. */
		generation: number;
		/** How often it was opened. */
		views: number;
		last_seen_at: number | null;
		created_at: number;
		updated_at: number;
	};
	provision_keys: {
		id: Generated<number>;
		/** Distributor of the key. */
		channel: string;
		/** SHA-256. */
		key_hash: string;
		/** The first characters, by which people tell their keys apart. */
		key_prefix: string;
		created_at: number;
		revoked_at: number | null;
	};
	provisioned_sites: {
		site_id: string;
		user_id: number;
		channel: string;
		/** Source of the installation, as the caller gave it. */
		install_source: string | null;
		created_at: number;
		/** When its 90 days were over and it was seen whether somebody had claimed it. */
		settled_at: number | null;
	};
};

/** Usage of plans and subscriptions of organizations. Days are `YYYY-MM-DD`, the end of a period is exclusive. */
export type BillingTables = {
	billing_accounts: {
		organization_id: string;
		/** Where the payment provider sends invoices; null = to the owner who paid. */
		accounting_email: string | null;
		/** The payment provider's id of the organization. */
		customer_id: string | null;
		/** The checkout that was begun last: it is closed when another one begins. */
		checkout_id: string | null;
		/** When its events were last counted. */
		counted_at: number | null;
		/** Day until which periods were judged; null = none was, and none that is over will be. */
		judged_until: string | null;
	};
	/** Subscriptions as the payment provider last told of them, ended ones too. */
	billing_subscriptions: {
		/** The provider's. */
		id: string;
		organization_id: string;
		status: "trialing" | "active" | "past_due" | "canceled";
		plan_tier: "growth" | "scale";
		billing_interval: "monthly" | "yearly";
		current_period_start: number;
		current_period_end: number;
		/** From here its months are counted. */
		anchor_at: number;
		cancel_at_period_end: number;
		trial_end: number | null;
		started_at: number;
		ended_at: number | null;
		past_due_since: number | null;
		updated_at: number;
	};
	/** Changes of subscriptions. */
	billing_history: {
		id: Generated<number>;
		organization_id: string;
		subscription_id: string | null;
		user_id: number | null;
		action: string;
		source: "user" | "provider" | "system";
		/** JSON; null = there was none. */
		previous_state: string | null;
		new_state: string | null;
		success: number;
		error_message: string | null;
		error_code: string | null;
		ip_address: string | null;
		created_at: number;
	};
	/** Events of the payment provider that were handled. */
	billing_events: { id: string; type: string; received_at: number };
	/** Events of an organization's sites by local day. Deletions do not reduce them. */
	usage_days: {
		organization_id: string;
		day: string;
		/** The most that the event store ever had of the day. */
		human_events: number;
		agent_events: number;
		/** Events taken by collectors under a plan with a lifetime limit; exceeds `human_events` after data of the day were deleted. */
		collected_events: Generated<number>;
		/** Stored conversions of goals that were counted later: they are no usage. */
		earlier_events: Generated<number>;
	};
	/** Changes of plans. */
	plan_changes: {
		organization_id: string;
		changed_at: number;
		plan_before: "free" | "growth" | "scale" | "enterprise";
	};
	/** Ended periods and their consequences. */
	usage_periods: {
		organization_id: string;
		period_start: string;
		period_end: string;
		plan_tier: "free" | "growth" | "scale" | "enterprise";
		event_limit: number;
		total_events: number;
		is_forgiven: number;
		action_taken: "none" | "forgiven" | "notified" | "upgraded";
		judged_at: number;
	};
	/** Shares of a plan that its owners were told of, or that were passed together with a higher one. */
	usage_notices: {
		organization_id: string;
		/** Empty for a limit that has no periods. */
		period_start: string;
		plan_tier: "free" | "growth" | "scale" | "enterprise";
		percent: number;
		noted_at: number;
	};
};
