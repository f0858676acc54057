// Written from docs/openapi.json by packages/dashboard/scripts/generate-api.ts. Do not edit.
type Nothing = Readonly<Record<never, never>>;

type DeleteChannelGroupsRuleIdQuery = {
	/** Slug of the site */
	readonly account_id: string;
	/** Refuse to change a live rule: `rule_is_live` */
	readonly only_if_inactive?: boolean | undefined;
};

type DeleteSitesIdDataAnswer = {
	readonly id: number;
	readonly account_id: string;
	readonly reason: "request" | "purge";
	readonly from: string | null;
	readonly to: string | null;
	/** `completed`: removed from all reports, files and caches */
	readonly status: "pending" | "running" | "completed" | "failed";
	/** The running step of the deletion */
	readonly step: "collectors" | "rows" | "exports" | "files";
	readonly progress_percent: number;
	readonly deleted_rows: number | null;
	readonly error_message: string | null;
	readonly created_by: number | null;
	readonly created_at: string;
	readonly completed_at: string | null;
};

type GetAdminJobsAnswerJobs = {
	readonly id: number;
	/** Such as `mail`, or the name of a schedule */
	readonly kind: string;
	/** `pending`: waiting, also for another attempt; `failed`: all attempts failed */
	readonly status: "pending" | "running" | "done" | "failed";
	/** So far */
	readonly attempts: number;
	/** For a waiting job */
	readonly next_run_at: string | null;
	/** Error of the last attempt; without personal data */
	readonly last_error: string | null;
	readonly created_at: string;
	/** When the job completed or failed */
	readonly finished_at: string | null;
};

type GetAdminSystemAnswerWarnings = {
	readonly code: "untrusted_proxy" | "https_unseen" | "shared_addresses" | "no_mail_server" | "no_backups" | "no_backup_yet" | "backup_failed" | "backup_late" | "disk_nearly_full" | "unreadable_amounts";
	readonly level: "fault" | "warning" | "note";
	/** In English */
	readonly message: string;
	/** How to mend it, in English */
	readonly fix: string;
	/** The number that the message names */
	readonly count?: number;
};

type GetAlertsHistoryAnswerAlerts = {
	/** `alert_id` in events */
	readonly id: number;
	/** May refer to a deleted rule */
	readonly rule_id: number;
	readonly rule_name: string;
	readonly account_id: string;
	readonly alert_type: "traffic_spike" | "traffic_drop" | "conversion_change" | "error_rate" | "source_change" | "goal_reached" | "custom";
	readonly metric: "pageviews" | "sessions" | "visitors" | "entrances" | "bounce_rate" | "conversions" | "conversion_rate" | "custom";
	readonly severity: "info" | "warning" | "critical";
	readonly current_value: number;
	readonly baseline_value: number | null;
	readonly change_percentage: number | null;
	readonly triggered_at: string;
	readonly resolved_at: string | null;
	readonly period_start: string;
	readonly period_end: string;
	/** The rule's `custom_condition` at the time */
	readonly context: Readonly<Record<string, unknown>> | null;
	readonly notification_sent: boolean;
	readonly notification_channels: readonly ("email" | "slack" | "webhook")[];
	readonly notification_error: string | null;
	readonly acknowledged_at: string | null;
	readonly acknowledged_by: number | null;
	readonly notes: string | null;
	readonly status: "active" | "acknowledged" | "resolved" | "false_positive";
};

type GetAlertsHistoryQuery = {
	/** Site slug */
	readonly account_id: string;
	readonly limit?: number | undefined;
	readonly offset?: number | undefined;
};

type GetAlertsRulesAnswerRules = {
	readonly id: number;
	readonly account_id: string;
	readonly name: string;
	readonly description: string | null;
	readonly alert_type: "traffic_spike" | "traffic_drop" | "conversion_change" | "error_rate" | "source_change" | "goal_reached" | "custom";
	/** Sessions and visitors are measured as entrances */
	readonly metric: "pageviews" | "sessions" | "visitors" | "entrances" | "bounce_rate" | "conversions" | "conversion_rate" | "custom";
	readonly condition_type: "percentage_change" | "absolute_threshold" | "std_deviation" | "rate_of_change";
	readonly threshold_value: number;
	readonly threshold_direction: "increase" | "decrease" | "both";
	readonly baseline_period: "24h" | "7d" | "30d" | "90d";
	readonly comparison_window: "15m" | "1h" | "6h" | "24h";
	readonly notify_email: boolean;
	readonly notify_slack: boolean;
	/** Applies to `custom_webhook_url` only */
	readonly notify_webhook: boolean;
	/** Empty: the owners of the organization. Recipients who are not users of the site must confirm by mail first */
	readonly email_recipients: readonly string[];
	readonly cooldown_minutes: number;
	readonly custom_condition: GetAlertsRulesAnswerRulesCustomCondition | null;
	/** Truncated after the host. Sent back unchanged, it keeps its value */
	readonly slack_webhook_url: string | null;
	/** Truncated after the host for users who may not change the rule */
	readonly custom_webhook_url: string | null;
	readonly is_active: boolean;
	/** `firing`: the condition is met, or an incident is open */
	readonly state: "ok" | "firing" | "insufficient_data" | "error";
	readonly last_evaluated_at: string | null;
	readonly trigger_count: number;
	readonly last_triggered_at: string | null;
	readonly created_by: number | null;
	readonly created_at: string;
	readonly updated_at: string | null;
	/** Value of a goal in its current period; only with `include_progress` */
	readonly progress?: number;
};

type GetAlertsRulesAnswerRulesCustomCondition = {
	/** Required with `metric` `custom` */
	readonly metric?: "page_views" | "entrances" | "engaged_entrances" | "microconversions" | "conversions" | "revenue";
	readonly conversion_type?: string;
	/** Required with `source_change` */
	readonly utm_source?: string;
	/** Advanced filters */
	readonly filters?: string;
	/** Required with `goal_reached` */
	readonly period?: "day" | "week" | "month";
	readonly goal_name?: string;
};

type GetAnnotationsAnswer = {
	readonly id: number;
	readonly account_id: string;
	readonly date: string;
	/** Time of day at the site; null: the whole day */
	readonly hour: number | null;
	readonly text: string;
	readonly kind: "note" | "release" | "campaign";
	readonly created_by: number | null;
	readonly created_by_name: string | null;
	readonly created_at: string;
};

type GetApiTokensAnswerTokens = {
	readonly id: number;
	readonly name: string;
	readonly token_prefix: string;
	readonly scopes: readonly ("stats:read" | "sites:read" | "accounts:read")[];
	/** Slugs of the sites that the key can read now */
	readonly account_ids: readonly string[];
	readonly all_sites: boolean;
	readonly expires_at: string | null;
	/** Accurate to the minute */
	readonly last_used_at: string | null;
	readonly is_active: boolean;
	readonly revoked_at: string | null;
	readonly created_at: string;
};

type GetBillingOverviewAnswerSubscription = {
	readonly id: string;
	readonly status: "trialing" | "active" | "past_due" | "canceled";
	readonly plan_tier: "growth" | "scale";
	readonly billing_interval: "monthly" | "yearly";
	readonly current_period_start: string;
	readonly current_period_end: string;
	readonly cancel_at_period_end: boolean;
	readonly trial_end: string | null;
};

type GetBlocklistIpsAnswerEntries = {
	readonly id: number;
	readonly account_id: string;
	readonly ip_or_cidr: string;
	readonly reason: string;
	readonly is_active: boolean;
	readonly created_at: string;
};

type GetChannelGroupsAnswerRules = {
	readonly id: number;
	/** null for default rules */
	readonly account_id: string | null;
	readonly channel_name: string;
	readonly source_pattern: string | null;
	readonly medium_pattern: string | null;
	readonly campaign_pattern: string | null;
	readonly priority: number;
	readonly is_active: boolean;
	readonly is_default: boolean;
	readonly created_at: string;
	readonly updated_at: string;
};

type GetChannelGroupsStatsChannelsQuery = {
	/** First day, in the site's time zone */
	readonly start_date?: string | undefined;
	/** Last day */
	readonly end_date?: string | undefined;
	/** Alias of `start_date` */
	readonly date_from?: string | undefined;
	/** Alias of `end_date` */
	readonly date_to?: string | undefined;
};

type GetImportsAnswerImports = {
	readonly import_id: string;
	readonly account_id: string;
	/** `legacy_service`: created by a migration job */
	readonly source: "ga4_csv" | "plausible_zip" | "umami_csv" | "matomo_csv" | "access_log" | "legacy_service";
	readonly file_name: string;
	readonly file_size_bytes: number;
	readonly file_sha256: string;
	/** `false` once the import was run */
	readonly dry_run: boolean;
	readonly status: "pending" | "validating" | "validated" | "importing" | "completed" | "failed" | "cancelled" | "undone";
	/** Progress within the current status */
	readonly progress_percent: number;
	readonly report: GetImportsAnswerImportsReport | null;
	readonly error_message: string | null;
	/** User */
	readonly created_by: number | null;
	readonly created_at: string;
	readonly started_at: string | null;
	readonly completed_at: string | null;
	readonly undone_at: string | null;
};

type GetImportsAnswerImportsReport = {
	readonly rows_read: number;
	readonly rows_accepted: number;
	readonly rows_skipped: number;
	readonly skip_reasons: readonly GetImportsAnswerImportsReportSkipReasons[];
	readonly date_from: string | null;
	readonly date_to: string | null;
	readonly totals: GetImportsAnswerImportsReportTotals;
	readonly by_day: readonly {
		readonly date: string;
		readonly entrances: number;
		readonly page_views: number;
	}[];
	readonly dimensions_filled: readonly ("path" | "content_grouping" | "landing_page" | "landing_content_grouping" | "referrer_domain" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "country" | "device_type" | "browser" | "os" | "conversion_type" | "hour")[];
	readonly warnings: readonly string[];
};

type GetImportsAnswerImportsReportSkipReasons = {
	readonly reason: "malformed" | "out_of_range" | "overlap" | "unknown_metric" | "bot" | "other_host" | "not_a_page" | "repeated";
	readonly count: number;
	/** Numbers of the first such lines */
	readonly sample_lines: readonly number[];
	/** Member, line and error of the first such lines, where known */
	readonly samples: readonly string[];
};

type GetImportsAnswerImportsReportTotals = {
	readonly entrances: number;
	readonly engaged_entrances: number;
	readonly page_views: number;
	readonly microconversions: number;
	readonly conversions: number;
	readonly revenue: number;
};

type GetIntegrationsBigqueryAnswer = {
	readonly id: number;
	readonly account_id: string;
	readonly gcp_project_id: string;
	readonly dataset_id: string;
	readonly location: "EU" | "US" | "europe-west1" | "us-central1" | "us-east1";
	/** Owner of the permissions in Google Cloud */
	readonly service_account_email: string;
	readonly sync_frequency: "hourly" | "daily" | "manual";
	/** Kinds of data to sync */
	readonly data_types: readonly ("traffic" | "traffic_hourly" | "conversions" | "microconversions" | "pages" | "landing_pages" | "accounts")[];
	readonly backfill_days: number;
	readonly initial_date_from: string | null;
	readonly initial_date_to: string | null;
	readonly is_active: boolean;
	readonly setup_completed: boolean;
	readonly setup_completed_at: string | null;
	readonly tables_created: readonly string[] | null;
	readonly next_sync_at: string | null;
	readonly last_sync_at: string | null;
	readonly last_sync_status: "success" | "failed" | "partial" | "cancelled" | null;
	readonly last_error: string | null;
	readonly created_at: string;
	readonly updated_at: string;
	readonly created_by: number | null;
};

type GetIntegrationsBigqueryLogsAnswerLogs = {
	readonly id: number;
	readonly sync_id: string;
	readonly sync_type: "initial" | "incremental" | "backfill" | "retry";
	readonly sync_started_at: string;
	readonly sync_completed_at: string | null;
	readonly date_from: string;
	readonly date_to: string;
	readonly tables_synced: Readonly<Record<string, {
		readonly rows: number;
		readonly bytes: number;
	}>> | null;
	readonly total_rows_synced: number;
	readonly total_bytes_synced: number;
	readonly total_chunks: number;
	/** Completed parts, including failed ones */
	readonly completed_chunks: number;
	readonly failed_chunks: readonly {
		readonly date_from: string;
		readonly date_to: string;
		readonly error: string;
	}[];
	readonly status: "running" | "success" | "failed" | "partial" | "cancelled";
	/** While it runs: why it is retried */
	readonly error_message: string | null;
	readonly duration_seconds: number | null;
};

type GetIpAllowlistSettingsAnswer = {
	readonly account_id: string;
	readonly is_enabled: boolean;
	readonly enforce_for_api_tokens: boolean;
	readonly enforce_for_dashboard: boolean;
	readonly active_patterns_count: number;
	readonly created_at: string;
	readonly updated_at: string;
};

type GetLensInsightsAnswerInsights = {
	readonly id: string;
	readonly account_id: string;
	readonly insight_type: "anomaly" | "opportunity" | "trend" | "alert" | "health";
	readonly severity: "red" | "yellow" | "green";
	readonly category: string | null;
	readonly title: string;
	readonly description: string | null;
	readonly recommendation: string | null;
	/** Money per week, negative for a loss */
	readonly economic_impact: number | null;
	readonly source_tool: string | null;
	readonly source_rule: "tracking_broken" | "traffic_drop" | "traffic_spike" | "conversion_drop" | "conversion_spike" | "revenue_drop" | "revenue_spike" | "bounce_rate_rise" | "channel_drop" | "campaign_drop" | "country_shift" | "device_gap" | "landing_page_bounce" | "concentration_risk" | "data_health" | "bot_share" | null;
	readonly related_entity: string | null;
	/** Path of the dashboard */
	readonly deep_link: string | null;
	readonly metadata: Readonly<Record<string, unknown>>;
	readonly created_at: string;
	readonly expires_at: string | null;
	readonly read_at: string | null;
	readonly dismissed_at: string | null;
	readonly is_read: boolean;
	readonly is_dismissed: boolean;
	readonly is_locked: boolean;
	readonly locked_tier: string | null;
	readonly evidence: GetLensInsightsAnswerInsightsEvidence | null;
};

type GetLensInsightsAnswerInsightsEvidence = {
	readonly unit: "count" | "percent" | "currency";
	readonly current_value: number;
	/** 95 % interval */
	readonly current_interval: {
		readonly low: number;
		readonly high: number;
	} | null;
	readonly baseline_value: number | null;
	/** 95 % interval */
	readonly baseline_interval: {
		readonly low: number;
		readonly high: number;
	} | null;
	readonly change_percentage: number | null;
	/** Smallest change that counts; without a baseline the smallest value */
	readonly threshold: number;
	readonly confidence: "high" | "medium" | "low";
	readonly days_with_data: number;
	readonly events: number;
	readonly conversions: number | null;
	/** The value that the baseline belongs to, where it is not an earlier week */
	readonly compared_with: string | null;
	readonly period: {
		readonly start: string;
		readonly end: string;
	};
	readonly baseline_period: {
		readonly start: string;
		readonly end: string;
	};
};

type GetLensSettingsAnswer = {
	readonly account_id: string;
	/** Whether insights are on */
	readonly is_enabled: boolean;
	/** Whether mails are on */
	readonly notify_email: boolean;
	readonly notify_on_red: boolean;
	readonly notify_on_yellow: boolean;
	readonly notify_on_green: boolean;
	/** Empty for users who may not change them */
	readonly email_recipients: readonly string[];
	/** At 6:00 in the site's time zone, every day or on Mondays; `manual`: only on request */
	readonly analysis_frequency: "daily" | "weekly" | "manual";
	/** Null until first changed */
	readonly created_at: string | null;
	readonly updated_at: string | null;
};

type GetMailReportsAnswerReports = {
	readonly id: number;
	readonly account_id: string;
	readonly frequency: "weekly" | "monthly";
	readonly recipients: readonly {
		readonly email: string;
		/** Only `active` recipients get mails. `unconfirmed`: was asked and may still agree. `no_access`: cannot open the site, and did not agree in time */
		readonly status: "active" | "unsubscribed" | "bounced" | "deactivated" | "unconfirmed" | "no_access";
	}[];
	readonly is_active: boolean;
	readonly last_sent_at: string | null;
	readonly created_by: number | null;
	readonly created_at: string;
	readonly updated_at: string;
};

type GetMigrationAccountsIdJobsAnswerJobs = {
	readonly id: number;
	readonly account_id: string;
	readonly v1_account_id: string;
	readonly date_from: string;
	readonly date_to: string;
	readonly migrate_conversions: boolean;
	readonly migrate_microconversions: boolean;
	readonly migrate_pageviews: boolean;
	readonly status: "pending" | "running" | "completed" | "failed" | "cancelled";
	readonly progress: number;
	/** The import that holds the rows; undo it there */
	readonly import_id: string;
	readonly created_at: string;
	readonly started_at: string | null;
	readonly completed_at: string | null;
};

type GetPassthroughReferrersAnswerReferrers = {
	readonly id: number;
	readonly account_id: string;
	readonly domain: string;
	readonly utm_source: string;
	readonly utm_medium: string;
	readonly utm_campaign: string;
	readonly utm_term: string;
	readonly service_name: string;
	readonly is_active: boolean;
	readonly created_at: string;
	readonly updated_at: string;
};

type GetReferrerMappingsAnswerMappings = {
	readonly id: number;
	readonly account_id: string;
	readonly referrer_pattern: string;
	readonly match_type: "exact" | "contains" | "starts_with" | "ends_with" | "regex";
	readonly utm_source: string;
	readonly utm_medium: string;
	readonly utm_campaign: string;
	readonly utm_term: string;
	readonly utm_content: string;
	readonly label: string | null;
	readonly description: string | null;
	readonly priority: number;
	readonly is_active: boolean;
	readonly created_at: string;
	readonly updated_at: string;
};

type GetSavedViewsAnswer = {
	readonly id: number;
	readonly account_id: string;
	/** Screen of the view: a funnel, a query, or a report */
	readonly kind: "funnel" | "query" | "report";
	readonly name: string;
	/** The saved query, in a format defined by its screen; at most 16 KB */
	readonly definition: Readonly<Record<string, unknown>>;
	readonly is_shared: boolean;
	readonly created_by: number | null;
	readonly created_by_name: string | null;
	readonly created_at: string;
	readonly updated_at: string;
};

type GetSitesAnswerSitesGoals = {
	/** Given by the service; rows that the goal counted carry it as the property `goal_id` */
	readonly id: string;
	readonly name: string;
	/** `page`: a page view by its path; `event`: a micro-conversion by its type */
	readonly kind: "page" | "event";
	/** Path of the page, or type of the micro-conversion, as a whole: `*` stands for any characters but `/`, `**` for any characters */
	readonly pattern: string;
	/** Events count as conversions only */
	readonly counts_as: "conversion" | "microconversion";
	readonly conversion_type: string;
	/** Of each conversion, in the site's currency */
	readonly amount: number;
};

type GetSitesIdDomainsAnswerDomains = {
	readonly id: number;
	readonly domain: string;
	readonly is_active: boolean;
	readonly created_at: string;
};

type GetSitesIdShareLinksAnswer = {
	readonly id: string;
	readonly name: string;
	/** The URL to share; null where it cannot be decrypted any more and has to be renewed */
	readonly url: string | null;
	/** Beginning of the URL's last part */
	readonly token_prefix: string;
	readonly has_password: boolean;
	readonly segment_id: string | null;
	readonly lists: readonly ("channels" | "sources" | "mediums" | "campaigns" | "terms" | "contents" | "referrers" | "pages" | "landing_pages" | "exit_pages" | "content_groups" | "countries" | "devices" | "browsers" | "systems" | "conversions" | "microconversions" | "properties" | "hours")[];
	readonly may_filter: boolean;
	readonly embed_origins: readonly string[];
	readonly expires_at: string | null;
	/** Number of times the link was opened */
	readonly views: number;
	readonly last_seen_at: string | null;
	readonly is_active: boolean;
	/** Only `open` links show anything */
	readonly state: "open" | "off" | "expired" | "segment_gone";
	readonly created_at: string;
	readonly updated_at: string;
};

type GetSitesIdUsersAnswerUsers = {
	readonly user_id: number;
	readonly email: string;
	readonly name: string;
	readonly role: "viewer" | "editor" | "admin" | "owner";
	/** `organization`: the role comes from being an owner or admin of the organization, and is changed there */
	readonly via: "organization" | "site";
	readonly created_at: string;
};

type GetSitesIdUtmMappingsAnswerMappings = {
	readonly id: number;
	readonly custom_param: string;
	readonly maps_to: "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content";
	readonly is_active: boolean;
	readonly created_at: string;
};

type GetStatsAggregateConversionsQuery = {
	/** Source; repeat it to allow several values */
	readonly utm_source?: readonly string[] | undefined;
	/** Medium; repeat it to allow several values */
	readonly utm_medium?: readonly string[] | undefined;
	/** Campaign; repeat it to allow several values */
	readonly utm_campaign?: readonly string[] | undefined;
	/** Term; repeat it to allow several values */
	readonly utm_term?: readonly string[] | undefined;
	/** Content; repeat it to allow several values */
	readonly utm_content?: readonly string[] | undefined;
	/** `desktop`, `mobile`, `tablet`, or `unknown` for imported rows; repeat it to allow several values */
	readonly device_type?: readonly string[] | undefined;
	/** Browser; repeat it to allow several values */
	readonly browser?: readonly string[] | undefined;
	/** Operating system; repeat it to allow several values */
	readonly os?: readonly string[] | undefined;
	/** Channel; repeat it to allow several values */
	readonly channel_group?: readonly string[] | undefined;
};

type GetStatsAggregateGeoCountriesQuery = {
	/** Slugs of two or more sites; repeat it. Dates are in the time zone of the first one */
	readonly account_ids: readonly string[];
	/** Relative range; overrides the dates */
	readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
	/** Id or name of a saved segment */
	readonly segment?: string | undefined;
	/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
	readonly segment_filters?: string | undefined;
	/** `field:operator:value` entries separated by commas */
	readonly filters?: string | undefined;
	/** `exclude` omits imported rows */
	readonly imports?: "include" | "exclude" | undefined;
	/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
	readonly country?: readonly string[] | undefined;
	readonly page?: number | undefined;
	readonly page_size?: number | undefined;
	readonly sort_by?: "entrances" | "engaged_entrances" | "page_views" | "microconversions" | "conversions" | "revenue" | "bounce_rate" | undefined;
	readonly sort_order?: "asc" | "desc" | undefined;
};

type GetStatsAggregateOverviewAnswerConversions = {
	readonly conversions: number;
	readonly revenue: number;
	readonly microconversions: number;
	readonly conversion_rate: number;
	readonly average_order_value: number;
};

type GetStatsAggregateOverviewAnswerEntrancesSeries = {
	readonly metric: string;
	readonly points: readonly {
		readonly date: string;
		readonly value: number;
	}[];
	readonly total: number;
};

type GetStatsBrowsersAnswerComparison = {
	readonly entrances: number;
	readonly engaged_entrances: number;
	readonly page_views: number;
	readonly microconversions: number;
	readonly conversions: number;
	readonly revenue: number;
	readonly bounce_rate: number;
	/** Only with `include` */
	readonly visitors?: number;
	/** Only with `include` */
	readonly visit_duration?: number;
};

type GetStatsBrowsersAnswerMeta = {
	/** Only with `compare`, where the comparison period starts before it: the site's first day with data */
	readonly baseline_start?: string;
	/** The SQL statements with placeholders for values; several are separated by a semicolon and an empty line */
	readonly sql?: string;
	/** Milliseconds of the engine; 0 for a cached result */
	readonly engine_ms?: number;
};

type GetStatsBrowsersQuery = {
	/** Slug of the site; required, unless `account_id` is given */
	readonly site_id?: string | undefined;
	/** Alias of `site_id` */
	readonly account_id?: string | undefined;
	/** Relative range; overrides the dates */
	readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
	/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
	readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
	/** First day of `compare=custom` */
	readonly compare_start?: string | undefined;
	/** Last day of `compare=custom` */
	readonly compare_end?: string | undefined;
	/** A range that includes today is compared with the same part of the other one, to the hour */
	readonly compare_align?: "elapsed" | undefined;
	/** Id or name of a saved segment */
	readonly segment?: string | undefined;
	/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
	readonly segment_filters?: string | undefined;
	/** `field:operator:value` entries separated by commas */
	readonly filters?: string | undefined;
	/** `exclude` omits imported rows */
	readonly imports?: "include" | "exclude" | undefined;
	/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
	readonly country?: readonly string[] | undefined;
	readonly page?: number | undefined;
	readonly page_size?: number | undefined;
	readonly sort_by?: "entrances" | "engaged_entrances" | "page_views" | "conversions" | "revenue" | undefined;
	readonly sort_order?: "asc" | "desc" | undefined;
	/** Columns and metrics to add; some reports add metrics only */
	readonly include?: readonly ("device" | "browser" | "os" | "channel_group" | "visitors" | "visit_duration")[] | undefined;
	/** Add the SQL and the engine's time to `meta` */
	readonly explain?: boolean | undefined;
};

type GetStatsCampaignsAnswerComparison = {
	readonly entrances: number;
	readonly page_views: number;
	readonly engaged_entrances: number;
	readonly bounce_rate: number;
	readonly conversions: number;
	readonly revenue: number;
	/** Only with `include` */
	readonly visitors?: number;
	/** Only with `include` */
	readonly visit_duration?: number;
};

type GetStatsCampaignsAnswerData = {
	readonly utm_campaign: string;
	readonly entrances: number;
	readonly page_views: number;
	readonly engaged_entrances: number;
	readonly bounce_rate: number;
	readonly conversions: number;
	readonly revenue: number;
	/** Only with `include` */
	readonly visitors?: number;
	/** Only with `include` */
	readonly visit_duration?: number;
	/** Only with `compare` */
	readonly entrances_prev?: number;
	/** Only with `compare` */
	readonly page_views_prev?: number;
	/** Only with `compare` */
	readonly engaged_entrances_prev?: number;
	/** Only with `compare` */
	readonly bounce_rate_prev?: number;
	/** Only with `compare` */
	readonly conversions_prev?: number;
	/** Only with `compare` */
	readonly revenue_prev?: number;
	/** Only with `compare` */
	readonly visitors_prev?: number;
	/** Only with `compare` */
	readonly visit_duration_prev?: number;
};

type GetStatsCampaignsQuery = {
	/** Slug of the site; required, unless `account_id` is given */
	readonly site_id?: string | undefined;
	/** Alias of `site_id` */
	readonly account_id?: string | undefined;
	/** Relative range; overrides the dates */
	readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
	/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
	readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
	/** First day of `compare=custom` */
	readonly compare_start?: string | undefined;
	/** Last day of `compare=custom` */
	readonly compare_end?: string | undefined;
	/** A range that includes today is compared with the same part of the other one, to the hour */
	readonly compare_align?: "elapsed" | undefined;
	/** Id or name of a saved segment */
	readonly segment?: string | undefined;
	/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
	readonly segment_filters?: string | undefined;
	/** `field:operator:value` entries separated by commas */
	readonly filters?: string | undefined;
	/** `exclude` omits imported rows */
	readonly imports?: "include" | "exclude" | undefined;
	/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
	readonly country?: readonly string[] | undefined;
	readonly page?: number | undefined;
	readonly page_size?: number | undefined;
	readonly sort_by?: "entrances" | "engaged_entrances" | "page_views" | "conversions" | "revenue" | undefined;
	readonly sort_order?: "asc" | "desc" | undefined;
	/** Text that the row's key contains, case-insensitive */
	readonly search?: string | undefined;
	/** Add totals over all pages */
	readonly include_totals?: boolean | undefined;
	/** Columns and metrics to add; some reports add metrics only */
	readonly include?: readonly ("device" | "browser" | "os" | "channel_group" | "visitors" | "visit_duration")[] | undefined;
	/** Add the SQL and the engine's time to `meta` */
	readonly explain?: boolean | undefined;
};

type GetStatsCampaignsTopQuery = {
	/** Slug of the site; required, unless `account_id` is given */
	readonly site_id?: string | undefined;
	/** Alias of `site_id` */
	readonly account_id?: string | undefined;
	/** Relative range; overrides the dates */
	readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
	/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
	readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
	/** First day of `compare=custom` */
	readonly compare_start?: string | undefined;
	/** Last day of `compare=custom` */
	readonly compare_end?: string | undefined;
	/** A range that includes today is compared with the same part of the other one, to the hour */
	readonly compare_align?: "elapsed" | undefined;
	/** Id or name of a saved segment */
	readonly segment?: string | undefined;
	/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
	readonly segment_filters?: string | undefined;
	/** `field:operator:value` entries separated by commas */
	readonly filters?: string | undefined;
	/** `exclude` omits imported rows */
	readonly imports?: "include" | "exclude" | undefined;
	/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
	readonly country?: readonly string[] | undefined;
	readonly sort_by?: "entrances" | "engaged_entrances" | "page_views" | "conversions" | "revenue" | undefined;
	readonly sort_order?: "asc" | "desc" | undefined;
	/** Columns and metrics to add; some reports add metrics only */
	readonly include?: readonly ("device" | "browser" | "os" | "channel_group" | "visitors" | "visit_duration")[] | undefined;
	readonly limit?: number | undefined;
	/** Add the SQL and the engine's time to `meta` */
	readonly explain?: boolean | undefined;
};

type GetStatsChannelsAnswerComparison = {
	readonly bounces: number;
	readonly conversion_rate: number;
	readonly entrances: number;
	readonly engaged_entrances: number;
	readonly page_views: number;
	readonly microconversions: number;
	readonly conversions: number;
	readonly revenue: number;
	readonly bounce_rate: number;
	/** Only with `include` */
	readonly visitors?: number;
	/** Only with `include` */
	readonly visit_duration?: number;
};

type GetStatsChannelsAnswerData = {
	readonly channel: string;
	readonly bounces: number;
	readonly conversion_rate: number;
	readonly entrances: number;
	readonly engaged_entrances: number;
	readonly page_views: number;
	readonly microconversions: number;
	readonly conversions: number;
	readonly revenue: number;
	readonly bounce_rate: number;
	/** Only with `include` */
	readonly visitors?: number;
	/** Only with `include` */
	readonly visit_duration?: number;
	/** Only with `compare` */
	readonly bounces_prev?: number;
	/** Only with `compare` */
	readonly conversion_rate_prev?: number;
	/** Only with `compare` */
	readonly entrances_prev?: number;
	/** Only with `compare` */
	readonly engaged_entrances_prev?: number;
	/** Only with `compare` */
	readonly page_views_prev?: number;
	/** Only with `compare` */
	readonly microconversions_prev?: number;
	/** Only with `compare` */
	readonly conversions_prev?: number;
	/** Only with `compare` */
	readonly revenue_prev?: number;
	/** Only with `compare` */
	readonly bounce_rate_prev?: number;
	/** Only with `compare` */
	readonly visitors_prev?: number;
	/** Only with `compare` */
	readonly visit_duration_prev?: number;
};

type GetStatsContentsAnswerData = {
	readonly utm_content: string;
	readonly entrances: number;
	readonly page_views: number;
	readonly engaged_entrances: number;
	readonly bounce_rate: number;
	readonly conversions: number;
	readonly revenue: number;
	/** Only with `include` */
	readonly visitors?: number;
	/** Only with `include` */
	readonly visit_duration?: number;
	/** Only with `compare` */
	readonly entrances_prev?: number;
	/** Only with `compare` */
	readonly page_views_prev?: number;
	/** Only with `compare` */
	readonly engaged_entrances_prev?: number;
	/** Only with `compare` */
	readonly bounce_rate_prev?: number;
	/** Only with `compare` */
	readonly conversions_prev?: number;
	/** Only with `compare` */
	readonly revenue_prev?: number;
	/** Only with `compare` */
	readonly visitors_prev?: number;
	/** Only with `compare` */
	readonly visit_duration_prev?: number;
};

type GetStatsConversionItemsRawQuery = {
	/** Slug of the site; required, unless `account_id` is given */
	readonly site_id?: string | undefined;
	/** Alias of `site_id` */
	readonly account_id?: string | undefined;
	/** Relative range; overrides the dates */
	readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
	/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
	readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
	/** First day of `compare=custom` */
	readonly compare_start?: string | undefined;
	/** Last day of `compare=custom` */
	readonly compare_end?: string | undefined;
	/** A range that includes today is compared with the same part of the other one, to the hour */
	readonly compare_align?: "elapsed" | undefined;
	/** Id or name of a saved segment */
	readonly segment?: string | undefined;
	/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
	readonly segment_filters?: string | undefined;
	/** `field:operator:value` entries separated by commas */
	readonly filters?: string | undefined;
	/** `exclude` omits imported rows */
	readonly imports?: "include" | "exclude" | undefined;
	/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
	readonly country?: readonly string[] | undefined;
	/** Type of the event; repeat it to allow several values */
	readonly conversion_type?: readonly string[] | undefined;
	/** Landing page; repeat it to allow several values */
	readonly landing_page?: readonly string[] | undefined;
	readonly page?: number | undefined;
	readonly page_size?: number | undefined;
	/** Alias of `page_size`; takes precedence */
	readonly limit?: number | undefined;
	/** Newest rows first; `sort_by` and `sort_order` are ignored */
	readonly newest_first?: boolean | undefined;
	/** Click id; repeat it to allow several values */
	readonly clid?: readonly string[] | undefined;
};

type GetStatsDevicesAnswerByBrowser = {
	readonly browser: string;
	readonly entrances: number;
	readonly engaged_entrances: number;
	readonly page_views: number;
	readonly microconversions: number;
	readonly conversions: number;
	readonly revenue: number;
	readonly bounce_rate: number;
	/** Share of all entrances */
	readonly percentage: number;
};

type GetStatsDevicesAnswerByDevice = {
	readonly device: string;
	readonly entrances: number;
	readonly engaged_entrances: number;
	readonly page_views: number;
	readonly microconversions: number;
	readonly conversions: number;
	readonly revenue: number;
	readonly bounce_rate: number;
	/** Share of all entrances */
	readonly percentage: number;
};

type GetStatsDevicesAnswerByOs = {
	readonly os: string;
	readonly entrances: number;
	readonly engaged_entrances: number;
	readonly page_views: number;
	readonly microconversions: number;
	readonly conversions: number;
	readonly revenue: number;
	readonly bounce_rate: number;
	/** Share of all entrances */
	readonly percentage: number;
};

type GetStatsDevicesQuery = {
	/** Slug of the site; required, unless `account_id` is given */
	readonly site_id?: string | undefined;
	/** Alias of `site_id` */
	readonly account_id?: string | undefined;
	/** Relative range; overrides the dates */
	readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
	/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
	readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
	/** First day of `compare=custom` */
	readonly compare_start?: string | undefined;
	/** Last day of `compare=custom` */
	readonly compare_end?: string | undefined;
	/** A range that includes today is compared with the same part of the other one, to the hour */
	readonly compare_align?: "elapsed" | undefined;
	/** Id or name of a saved segment */
	readonly segment?: string | undefined;
	/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
	readonly segment_filters?: string | undefined;
	/** `field:operator:value` entries separated by commas */
	readonly filters?: string | undefined;
	/** `exclude` omits imported rows */
	readonly imports?: "include" | "exclude" | undefined;
	/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
	readonly country?: readonly string[] | undefined;
};

type GetStatsExitPagesAnswerComparison = {
	/** Visits whose last page view this was */
	readonly exits: number;
	/** Exits as a share of the page views, 0-100 */
	readonly exit_rate: number;
	/** Page views of visits */
	readonly page_views: number;
};

type GetStatsLandingPagesAnswerComparison = {
	readonly entrances: number;
	readonly engaged_entrances: number;
	readonly bounce_rate: number;
	readonly microconversions: number;
	readonly conversions: number;
	readonly conversion_rate: number;
	readonly revenue: number;
	/** Only with `include` */
	readonly visitors?: number;
	/** Only with `include` */
	readonly visit_duration?: number;
};

type GetStatsLiveQuery = {
	/** Slug of the site; required, unless `account_id` is given */
	readonly site_id?: string | undefined;
	/** Alias of `site_id` */
	readonly account_id?: string | undefined;
	/** Id or name of a saved segment */
	readonly segment?: string | undefined;
	/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
	readonly segment_filters?: string | undefined;
	/** `field:operator:value` entries separated by commas */
	readonly filters?: string | undefined;
	/** `exclude` omits imported rows */
	readonly imports?: "include" | "exclude" | undefined;
	/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
	readonly country?: readonly string[] | undefined;
};

type GetStatsOverviewAnswerEntrancesSeries = {
	readonly metric: "entrances" | "engaged_entrances" | "page_views" | "microconversions" | "conversions" | "revenue" | "visitors" | "bounce_rate" | "conversion_rate";
	readonly points: readonly GetStatsOverviewAnswerEntrancesSeriesPoints[];
	/** For the whole range; hourly visitors add up to more */
	readonly total: number;
	/** Per point, rounded to 2 decimals */
	readonly average: number;
};

type GetStatsOverviewAnswerEntrancesSeriesPoints = {
	/** For weeks and months: the first day within the range */
	readonly date: string;
	readonly hour?: number;
	/** 1 Monday to 7 Sunday */
	readonly day_of_week?: number;
	readonly value: number;
};

type GetStatsOverviewAnswerTraffic = {
	readonly entrances: number;
	readonly engaged_entrances: number;
	readonly page_views: number;
	readonly microconversions: number;
	readonly conversions: number;
	readonly revenue: number;
	readonly bounce_rate: number;
	readonly pages_per_session: number;
	readonly visitors: number;
	readonly visit_duration: number;
};

type GetStatsReferrersAnswerData = {
	readonly referrer_domain: string;
	readonly referrer: string;
	readonly entrances: number;
	readonly page_views: number;
	readonly engaged_entrances: number;
	readonly bounce_rate: number;
	readonly conversions: number;
	readonly revenue: number;
	/** Only with `include` */
	readonly visitors?: number;
	/** Only with `include` */
	readonly visit_duration?: number;
	/** Only with `compare` */
	readonly entrances_prev?: number;
	/** Only with `compare` */
	readonly page_views_prev?: number;
	/** Only with `compare` */
	readonly engaged_entrances_prev?: number;
	/** Only with `compare` */
	readonly bounce_rate_prev?: number;
	/** Only with `compare` */
	readonly conversions_prev?: number;
	/** Only with `compare` */
	readonly revenue_prev?: number;
	/** Only with `compare` */
	readonly visitors_prev?: number;
	/** Only with `compare` */
	readonly visit_duration_prev?: number;
};

type GetStatsSourcesAnswerData = {
	readonly utm_source: string;
	readonly entrances: number;
	readonly page_views: number;
	readonly engaged_entrances: number;
	readonly bounce_rate: number;
	readonly conversions: number;
	readonly revenue: number;
	/** Only with `include` */
	readonly visitors?: number;
	/** Only with `include` */
	readonly visit_duration?: number;
	/** Only with `compare` */
	readonly entrances_prev?: number;
	/** Only with `compare` */
	readonly page_views_prev?: number;
	/** Only with `compare` */
	readonly engaged_entrances_prev?: number;
	/** Only with `compare` */
	readonly bounce_rate_prev?: number;
	/** Only with `compare` */
	readonly conversions_prev?: number;
	/** Only with `compare` */
	readonly revenue_prev?: number;
	/** Only with `compare` */
	readonly visitors_prev?: number;
	/** Only with `compare` */
	readonly visit_duration_prev?: number;
};

type GetStatsTermsAnswerData = {
	readonly utm_term: string;
	readonly entrances: number;
	readonly page_views: number;
	readonly engaged_entrances: number;
	readonly bounce_rate: number;
	readonly conversions: number;
	readonly revenue: number;
	/** Only with `include` */
	readonly visitors?: number;
	/** Only with `include` */
	readonly visit_duration?: number;
	/** Only with `compare` */
	readonly entrances_prev?: number;
	/** Only with `compare` */
	readonly page_views_prev?: number;
	/** Only with `compare` */
	readonly engaged_entrances_prev?: number;
	/** Only with `compare` */
	readonly bounce_rate_prev?: number;
	/** Only with `compare` */
	readonly conversions_prev?: number;
	/** Only with `compare` */
	readonly revenue_prev?: number;
	/** Only with `compare` */
	readonly visitors_prev?: number;
	/** Only with `compare` */
	readonly visit_duration_prev?: number;
};

type GetUsersMeEmailAnswerPendingChange = {
	readonly new_email: string;
	readonly is_confirmed_by_current: boolean;
	readonly is_confirmed_by_new: boolean;
	readonly requested_at: string;
	readonly expires_at: string;
};

type GetUsersMePreferencesAnswer = {
	readonly language: "en" | "es";
	readonly theme: "system" | "light" | "dark";
	readonly week_start: "monday" | "sunday" | "saturday";
	readonly density: "comfortable" | "compact";
	readonly default_site: string | null;
	readonly pinned_sites: readonly string[];
	/** Whether single-key shortcuts are on */
	readonly shortcuts: boolean;
};

type GetWebhooksAnswerEndpoints = {
	readonly id: string;
	readonly account_id: string;
	readonly name: string;
	/** Complete for users who may change it; others see `[hidden]` in place of the query */
	readonly url: string;
	readonly event_types: readonly string[];
	/** Values are shown to users who may change them, others see `[hidden]` */
	readonly headers: Readonly<Record<string, string>>;
	readonly description: string | null;
	readonly secret_last_4: string;
	readonly secret_version: number;
	/** Until then deliveries are also signed with the previous secret */
	readonly previous_secret_expires_at: string | null;
	readonly is_active: boolean;
	/** A test has succeeded; events are sent in any case */
	readonly is_verified: boolean;
	/** Why the service disabled it: the receiver answered 410, or failed for 3 days */
	readonly disabled_reason: "gone" | "failing" | null;
	readonly created_by: number | null;
	readonly created_at: string;
	readonly updated_at: string | null;
	readonly last_delivery_at: string | null;
	readonly last_success_at: string | null;
	readonly last_failure_at: string | null;
	readonly last_failure_reason: string | null;
};

type PatchAdminOrganizationsSlugPlanAnswer = {
	readonly id: string;
	readonly name: string;
	readonly slug: string;
	readonly is_active: boolean;
	readonly member_count: number;
	/** Active sites */
	readonly site_count: number;
	readonly user_role: "member" | "admin" | "owner" | null;
	readonly plan_tier: "free" | "growth" | "scale" | "enterprise";
	/** Null: no limit */
	readonly plan_limits: PatchAdminOrganizationsSlugPlanAnswerPlanLimits;
	/** Plan features that not every plan has */
	readonly plan_features: readonly string[];
	readonly created_at: string;
	readonly updated_at: string;
};

type PatchAdminOrganizationsSlugPlanAnswerPlanLimits = {
	readonly seats: number | null;
	readonly sites: number | null;
	readonly monthly_events: number | null;
	readonly lifetime_events: number | null;
	/** Per user or key */
	readonly requests_per_minute: number;
};

type PatchSegmentsIdBody = {
	readonly display_name?: string;
	readonly description?: string | null;
	readonly color?: string | null;
	readonly filters?: PostSegmentsBodyFilters;
};

type Post2faSetupVerifyAnswer = {
	readonly enabled: true;
	/** Shown once; each code works once */
	readonly backup_codes: readonly string[];
	readonly message: string;
};

type Post2faVerifyLoginAnswer = {
	readonly requires_2fa: true;
	/** For `POST /2fa/verify-login` */
	readonly challenge_token: string;
	/** Seconds */
	readonly expires_in: number;
	readonly message: string;
};

type Post2faVerifyLoginAnswer2 = {
	readonly access_token: string;
	readonly token_type: "bearer";
	/** Seconds */
	readonly expires_in: number;
	readonly user: Post2faVerifyLoginAnswerUser;
	/** Sites that the caller's address may not open */
	readonly ip_filtered_accounts: readonly string[];
	readonly client_ip: string;
};

type Post2faVerifyLoginAnswerUser = {
	readonly id: number;
	readonly email: string;
	readonly name: string;
	readonly role: "superadmin" | "user";
	/** Slugs of the sites that the caller can access */
	readonly account_ids: readonly string[];
	readonly is_active: boolean;
	readonly email_verified_at: string | null;
	readonly last_login_at: string | null;
	readonly created_at: string;
	readonly two_factor_enabled: boolean;
	readonly two_factor_enabled_at: string | null;
};

type PostAssistantChatAnswer = {
	/** Text of the model: plain, or with simple Markdown. Do not render HTML, links or images in it */
	readonly response: string;
	readonly conversation_id: string;
	readonly tools_used: readonly PostAssistantChatAnswerToolsUsed[];
	/** Created by the service from the answers of the tools */
	readonly charts: readonly PostAssistantChatAnswerCharts[];
	/** Created by the service from the answers of the tools */
	readonly tables: readonly {
		readonly title: string;
		readonly columns: readonly string[];
		readonly rows: readonly (readonly (string | number | boolean | null)[])[];
	}[];
	/** Of all rounds; an estimate where the endpoint does not report it */
	readonly input_tokens: number;
	readonly output_tokens: number;
};

type PostAssistantChatAnswerCharts = {
	readonly type: "line" | "bar";
	readonly title: string;
	readonly data: readonly Readonly<Record<string, string | number | boolean | null>>[];
	/** Field of `data` along the axis */
	readonly x_key: string;
	/** Field of `data` to draw */
	readonly y_key: string;
	/** Unit; null = a count */
	readonly y_label: string | null;
};

type PostAssistantChatAnswerToolsUsed = {
	readonly tool_name: string;
	readonly success: boolean;
	readonly duration_ms: number;
	/** As given by the model, without the site */
	readonly arguments: Readonly<Record<string, unknown>>;
};

type PostAssistantChatBody = {
	/** The question */
	readonly message: string;
	/** Site slug */
	readonly account_id?: string;
	/** Continues a conversation; null starts one */
	readonly conversation_id?: string | null;
	/** Language of the answer, as `en` or `pt-BR` */
	readonly language?: string;
};

type PostAuthRegisterAnswer = {
	/** Always 0: only the mail says whether an account was created */
	readonly user_id: number;
	readonly email: string;
	readonly name: string;
	/** Empty: the session starts when the address is confirmed */
	readonly access_token: string;
	readonly token_type: "bearer";
	readonly expires_in: number;
	readonly requires_email_verification: boolean;
	readonly requires_subscription: boolean;
	readonly session_created: boolean;
	readonly email_sent: boolean;
	readonly message: string;
};

type PostBatchBodyOptions = {
	/** Start no more queries after an error */
	readonly fail_fast?: boolean;
	/** Validate without running */
	readonly dry_run?: boolean;
	readonly include_timing?: boolean;
	readonly parallel_limit?: number;
};

type PostBatchBodyQueries = {
	/** Key of the result in `results` */
	readonly id: string;
	/** Path of a GET route below `/stats`, or `/stats/query`, `/stats/explain`, or `/stats/funnel` with `steps`; no routes with raw rows or aggregates */
	readonly endpoint: string;
	/** Query parameters, including `site_id`; for `/stats/query`, `/stats/explain` and the steps of `/stats/funnel` also the body */
	readonly params?: Readonly<Record<string, unknown>>;
	/** Queries that must succeed first */
	readonly depends_on?: readonly string[];
};

type PostEmailVerifyAnswer = {
	readonly access_token: string;
	readonly token_type: "bearer";
	/** Seconds */
	readonly expires_in: number;
	readonly user: Post2faVerifyLoginAnswerUser;
	readonly message: string;
	readonly verified: true;
};

type PostExportsAnswerEstimate = {
	readonly estimated_rows: number;
	readonly estimated_size_bytes: number;
	readonly estimated_size_human: string;
	readonly recommended_format: "csv" | "json" | "parquet";
	readonly will_use_background_job: boolean;
	readonly estimated_duration_seconds: number;
};

type PostExportsAnswerJob = {
	readonly id: number;
	readonly job_id: string;
	readonly site_id: string;
	readonly export_type: "pages" | "sources" | "mediums" | "campaigns" | "terms" | "countries" | "devices" | "browsers" | "os" | "conversions" | "microconversions" | "time_series" | "landing_pages";
	readonly format: "csv" | "json" | "parquet";
	readonly date_from: string;
	readonly date_to: string;
	readonly status: "pending" | "estimating" | "generating" | "completed" | "failed" | "expired";
	readonly estimated_rows: number;
	readonly actual_rows: number | null;
	readonly file_size_bytes: number | null;
	readonly file_size_human: string | null;
	readonly progress_percent: number;
	/** While the status is `completed`; works without credentials */
	readonly download_url: string | null;
	readonly download_expires_at: string | null;
	readonly started_at: string | null;
	/** When the file was ready, or the export failed */
	readonly completed_at: string | null;
	readonly created_at: string;
	readonly error_message: string | null;
	/** User */
	readonly created_by: number | null;
	/** All conditions must match */
	readonly filters: PostExportsBodyFilters;
};

type PostExportsBody = {
	/** Kind of the rows */
	readonly export_type: "pages" | "sources" | "mediums" | "campaigns" | "terms" | "countries" | "devices" | "browsers" | "os" | "conversions" | "microconversions" | "time_series" | "landing_pages";
	/** First day, in the site's time zone */
	readonly date_from: string;
	/** Last day */
	readonly date_to: string;
	/** All conditions must match */
	readonly filters?: PostExportsBodyFilters;
	readonly format?: "csv" | "json" | "parquet";
};

type PostExportsBodyFilters = {
	/** Source */
	readonly utm_source?: string;
	/** Medium */
	readonly utm_medium?: string;
	/** Campaign */
	readonly utm_campaign?: string;
	/** Term */
	readonly utm_term?: string;
	/** Content */
	readonly utm_content?: string;
	/** ISO 3166-1 alpha-2 code or `Unknown` */
	readonly country?: string;
	/** `desktop`, `mobile`, `tablet`, or `unknown` for imported rows */
	readonly device_type?: string;
	/** Browser */
	readonly browser?: string;
	/** Operating system */
	readonly os?: string;
	/** Content group of the page; of the landing page for all types except `pages` */
	readonly content_grouping?: string;
	/** Type of conversion or microconversion */
	readonly conversion_type?: string;
	/** `field:operator:value` entries separated by commas */
	readonly advanced_filters?: string;
	/** `exclude` omits imported rows */
	readonly imports?: "include" | "exclude";
};

type PostIpAllowlistCheckAnswer = {
	readonly ip_address: string;
	readonly is_allowed: boolean;
	readonly matched_pattern: PostIpAllowlistCheckAnswerMatchedPattern | null;
	readonly allowlist_enabled: boolean;
};

type PostIpAllowlistCheckAnswerMatchedPattern = {
	readonly id: number;
	readonly account_id: string;
	readonly pattern: string;
	readonly pattern_type: "ip" | "cidr" | "regex";
	readonly label: string | null;
	readonly description: string | null;
	readonly is_active: boolean;
	readonly created_by: number | null;
	readonly created_at: string;
	readonly updated_at: string;
};

type PostIpAllowlistImportAnswer = {
	readonly success_count: number;
	readonly error_count: number;
	readonly errors: readonly {
		/** Index of the row or line, from 0 */
		readonly index: number;
		readonly message: string;
	}[];
};

type PostIpAllowlistPatternsBody = {
	/** An address, a range such as 203.0.113.0/24, or an RE2 expression for the whole canonical address */
	readonly pattern: string;
	readonly pattern_type?: "ip" | "cidr" | "regex";
	readonly label?: string | null;
	readonly description?: string | null;
	readonly is_active?: boolean;
};

type PostLensReportsGenerateAnswer = {
	readonly id: string;
	readonly report_type: "weekly" | "monthly";
	readonly period_start: string;
	readonly period_end: string;
	readonly period_label: string;
	readonly status: "pending" | "generating" | "completed" | "failed";
	readonly created_at: string;
	readonly view_count: number;
	readonly account_id: string;
	readonly generation_started_at: string | null;
	readonly generation_completed_at: string | null;
	readonly error_message: string | null;
	readonly executive_summary: string | null;
	readonly key_takeaways: readonly string[];
	readonly key_metrics: PostLensReportsGenerateAnswerKeyMetrics | null;
	readonly channel_performance: PostLensReportsGenerateAnswerChannelPerformance | null;
	readonly funnel_health: PostLensReportsGenerateAnswerFunnelHealth | null;
	readonly audience_insights: PostLensReportsGenerateAnswerAudienceInsights | null;
	readonly top_insights: PostLensReportsGenerateAnswerTopInsights | null;
	readonly action_items: readonly PostLensReportsGenerateAnswerActionItems[];
	readonly updated_at: string;
};

type PostLensReportsGenerateAnswerActionItems = {
	readonly title: string;
	readonly description: string;
	readonly priority: "high" | "medium";
	readonly owner: string;
	readonly category: string;
	readonly related_insight: string | null;
	/** Money per week */
	readonly expected_impact: number | null;
};

type PostLensReportsGenerateAnswerAudienceInsights = {
	readonly devices: readonly PostLensReportsGenerateAnswerAudienceInsightsDevices[];
	readonly countries: readonly PostLensReportsGenerateAnswerAudienceInsightsDevices[];
	readonly browsers: readonly PostLensReportsGenerateAnswerAudienceInsightsDevices[];
	readonly shifts: readonly {
		readonly dimension: string;
		readonly description: string;
		readonly impact: string;
	}[];
};

type PostLensReportsGenerateAnswerAudienceInsightsDevices = {
	readonly value: string;
	/** Of the visits, in percent */
	readonly share: number;
	/** In points */
	readonly change: number | null;
};

type PostLensReportsGenerateAnswerChannelPerformance = {
	readonly channels: readonly PostLensReportsGenerateAnswerChannelPerformanceChannels[];
	readonly top_performer: string | null;
	readonly biggest_decline: string | null;
	readonly total_revenue: number;
};

type PostLensReportsGenerateAnswerChannelPerformanceChannels = {
	readonly channel: string;
	readonly revenue: number;
	readonly conversions: number;
	readonly entrances: number;
	readonly conversion_rate: number;
	readonly revenue_share: number;
	/** Of its visits */
	readonly change_pct: number | null;
	readonly trend: "up" | "down" | "flat" | null;
	readonly recommendation: string | null;
};

type PostLensReportsGenerateAnswerFunnelHealth = {
	readonly steps: readonly PostLensReportsGenerateAnswerFunnelHealthSteps[];
	readonly overall_conversion_rate: number;
	/** In points */
	readonly vs_previous: number | null;
	readonly biggest_leak: string | null;
	readonly recommendation: string | null;
};

type PostLensReportsGenerateAnswerFunnelHealthSteps = {
	readonly name: string;
	readonly count: number;
	/** Of the step before */
	readonly drop_off_pct: number;
	/** In points */
	readonly vs_previous: number | null;
};

type PostLensReportsGenerateAnswerKeyMetrics = {
	readonly revenue: PostLensReportsGenerateAnswerKeyMetricsRevenue;
	readonly conversions: PostLensReportsGenerateAnswerKeyMetricsRevenue;
	readonly entrances: PostLensReportsGenerateAnswerKeyMetricsRevenue;
	readonly pageviews: PostLensReportsGenerateAnswerKeyMetricsRevenue;
	readonly conversion_rate: PostLensReportsGenerateAnswerKeyMetricsRevenue;
	readonly bounce_rate: PostLensReportsGenerateAnswerKeyMetricsRevenue;
	readonly aov: PostLensReportsGenerateAnswerKeyMetricsRevenue;
};

type PostLensReportsGenerateAnswerKeyMetricsRevenue = {
	readonly current: number;
	readonly previous: number | null;
	readonly change_pct: number | null;
	readonly change_abs: number | null;
	readonly trend: "up" | "down" | "flat" | null;
	readonly unit: "currency" | "count" | "percent";
};

type PostLensReportsGenerateAnswerTopInsights = {
	readonly red: readonly PostLensReportsGenerateAnswerTopInsightsRed[];
	readonly yellow: readonly PostLensReportsGenerateAnswerTopInsightsRed[];
	readonly green: readonly PostLensReportsGenerateAnswerTopInsightsRed[];
	readonly total_economic_impact: number | null;
	readonly insight_count: number;
};

type PostLensReportsGenerateAnswerTopInsightsRed = {
	readonly title: string;
	readonly description: string | null;
	readonly severity: "red" | "yellow" | "green";
	readonly economic_impact: number | null;
	readonly category: string | null;
};

type PostSegmentsAnswer = {
	readonly id: string;
	readonly name: string;
	readonly display_name: string;
	readonly description: string | null;
	readonly color: string | null;
	readonly is_system: boolean;
	/** Number of conditions */
	readonly filter_count: number;
	readonly account_id: string;
	readonly filters: PostSegmentsAnswerFilters;
	readonly created_by: number | null;
	/** null for system segments */
	readonly created_at: string | null;
	/** null for system segments */
	readonly updated_at: string | null;
};

type PostSegmentsAnswerFilters = {
	/** All conditions must match */
	readonly conditions: readonly PostSegmentsAnswerFiltersConditions[];
	/** At least one of the groups must match in all conditions */
	readonly groups: readonly {
		readonly conditions: readonly PostSegmentsAnswerFiltersConditions[];
	}[];
	/** None of the groups may match in all conditions */
	readonly not_groups: readonly {
		readonly conditions: readonly PostSegmentsAnswerFiltersConditions[];
	}[];
};

type PostSegmentsAnswerFiltersConditions = {
	readonly field: "path" | "content_grouping" | "landing_page" | "referrer" | "referrer_domain" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "country" | "device_type" | "browser" | "os" | "channel" | "channel_group" | "conversion_type" | "hour" | "day_of_week" | `property.${string}`;
	readonly operator: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "regex" | "not_regex" | "in" | "not_in";
	/** A list for `in` and `not_in`, a text for the others */
	readonly value: string | readonly string[];
};

type PostSegmentsBodyFilters = {
	/** All conditions must match */
	readonly conditions?: readonly PostSegmentsBodyFiltersConditions[];
	/** At least one of the groups must match in all conditions */
	readonly groups?: readonly {
		readonly conditions?: readonly PostSegmentsBodyFiltersConditions[];
	}[];
	/** None of the groups may match in all conditions */
	readonly not_groups?: readonly {
		readonly conditions?: readonly PostSegmentsBodyFiltersConditions[];
	}[];
};

type PostSegmentsBodyFiltersConditions = {
	readonly field: "path" | "content_grouping" | "landing_page" | "referrer" | "referrer_domain" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "country" | "device_type" | "browser" | "os" | "channel" | "channel_group" | "conversion_type" | "hour" | "day_of_week" | `property.${string}`;
	readonly operator?: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "regex" | "not_regex" | "in" | "not_in";
	/** A list for `in` and `not_in`, a text for the others */
	readonly value: string | readonly string[];
};

type PostSitesAnswer = {
	readonly id: string;
	readonly name: string;
	readonly domains: readonly string[];
	readonly timezone: string;
	readonly currency: string;
	readonly is_active: boolean;
	readonly bot_threshold: number;
	/** Events that the script sends without a call; browsers load a changed script within an hour */
	readonly automatic_events: readonly ("outbound" | "download" | "form" | "not_found" | "scroll")[];
	/** Pages and events that count as a conversion without a call, once a visit, from now on */
	readonly goals: readonly GetSitesAnswerSitesGoals[];
	readonly data_retention_months: number | null;
	/** A shorter retention that was set and is not in effect yet */
	readonly data_retention_pending: {
		readonly months: number;
		readonly applies_at: string;
	} | null;
	/** When a deleted site is purged with all its data; null = not deleted */
	readonly purge_at: string | null;
	readonly lens_tier: "guard";
	readonly created_at: string;
	readonly updated_at: string | null;
	readonly created_by: number | null;
	readonly user_count: number;
};

type PostStatsExplainBodyFilters = {
	readonly path?: string | readonly string[] | null;
	readonly path_not?: string | readonly string[] | null;
	readonly content_grouping?: string | readonly string[] | null;
	readonly content_grouping_not?: string | readonly string[] | null;
	readonly landing_page?: string | readonly string[] | null;
	readonly landing_page_not?: string | readonly string[] | null;
	readonly referrer?: string | readonly string[] | null;
	readonly referrer_not?: string | readonly string[] | null;
	readonly referrer_domain?: string | readonly string[] | null;
	readonly referrer_domain_not?: string | readonly string[] | null;
	readonly utm_source?: string | readonly string[] | null;
	readonly utm_source_not?: string | readonly string[] | null;
	readonly utm_medium?: string | readonly string[] | null;
	readonly utm_medium_not?: string | readonly string[] | null;
	readonly utm_campaign?: string | readonly string[] | null;
	readonly utm_campaign_not?: string | readonly string[] | null;
	readonly utm_term?: string | readonly string[] | null;
	readonly utm_term_not?: string | readonly string[] | null;
	readonly utm_content?: string | readonly string[] | null;
	readonly utm_content_not?: string | readonly string[] | null;
	readonly country?: string | readonly string[] | null;
	readonly country_not?: string | readonly string[] | null;
	readonly device_type?: string | readonly string[] | null;
	readonly device_type_not?: string | readonly string[] | null;
	readonly browser?: string | readonly string[] | null;
	readonly browser_not?: string | readonly string[] | null;
	readonly os?: string | readonly string[] | null;
	readonly os_not?: string | readonly string[] | null;
	readonly channel?: string | readonly string[] | null;
	readonly channel_not?: string | readonly string[] | null;
	readonly channel_group?: string | readonly string[] | null;
	readonly channel_group_not?: string | readonly string[] | null;
	readonly conversion_type?: string | readonly string[] | null;
	readonly conversion_type_not?: string | readonly string[] | null;
	readonly hour?: number | readonly number[] | null;
	readonly day_of_week?: number | readonly number[] | null;
};

type PostStatsQueryAnswerData = {
	readonly date?: string;
	readonly hour?: number | null;
	readonly day_of_week?: number;
	readonly country?: string;
	readonly utm_source?: string;
	readonly utm_medium?: string;
	readonly utm_campaign?: string;
	readonly utm_term?: string;
	readonly utm_content?: string;
	readonly device_type?: string;
	readonly browser?: string;
	readonly os?: string;
	readonly channel_group?: string;
	readonly path?: string;
	readonly content_grouping?: string;
	readonly landing_page?: string;
	readonly referrer_domain?: string;
	readonly conversion_type?: string;
	readonly entrances?: number;
	readonly engaged_entrances?: number;
	readonly page_views?: number;
	readonly microconversions?: number;
	readonly conversions?: number;
	readonly revenue?: number;
	readonly visitors?: number;
	readonly visit_duration?: number;
	readonly average_order_value?: number;
	readonly bounce_rate?: number;
	readonly entrances_prev?: number;
	readonly engaged_entrances_prev?: number;
	readonly page_views_prev?: number;
	readonly microconversions_prev?: number;
	readonly conversions_prev?: number;
	readonly revenue_prev?: number;
	readonly visitors_prev?: number;
	readonly visit_duration_prev?: number;
	readonly average_order_value_prev?: number;
	readonly bounce_rate_prev?: number;
};

type PostStatsQueryBody = {
	/** First day, in the site's time zone */
	readonly date_from: string;
	/** Last day */
	readonly date_to: string;
	readonly granularity?: "total" | "daily" | "hourly" | null;
	readonly dimensions?: readonly string[] | null;
	readonly metrics?: readonly string[] | null;
	readonly filters?: PostStatsExplainBodyFilters | null;
	readonly order_by?: readonly {
		/** A dimension or metric of the response */
		readonly field: string;
		readonly direction?: "asc" | "desc" | null;
	}[] | null;
	readonly limit?: number | null;
	readonly offset?: number | null;
	readonly compare?: string | null;
	readonly compare_start?: string | null;
	readonly compare_end?: string | null;
	readonly compare_rows?: "joined" | null;
	readonly compare_align?: "elapsed" | null;
};

/**
 * What each operation takes and answers: the `data` of the envelope where there is one, and the `Response` itself where
 * the answer is no JSON.
 */
export interface Routes {
	/** Number of unused backup codes. Requires a signed-in user. Refused while impersonating. */
	"GET /2fa/backup-codes": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly remaining: number;
			readonly generated_at: string;
		};
	};
	/** Create new backup codes; the old ones stop working. Requires a signed-in user. Refused while impersonating. */
	"POST /2fa/backup-codes/regenerate": {
		path: Nothing;
		query: Nothing;
		body: {
			/** Six digits of the authenticator app */
			readonly code: string;
		};
		answer: {
			/** Shown once; each code works once */
			readonly backup_codes: readonly string[];
			readonly count: number;
			readonly generated_at: string;
		};
	};
	/** Disable two-factor authentication. Requires a signed-in user. Refused while impersonating. */
	"POST /2fa/disable": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly password: string;
			/** From the authenticator app, or a backup code */
			readonly code: string;
		};
		answer: {
			readonly message: string;
		};
	};
	/** Start the setup of an authenticator app. Requires a signed-in user. Refused while impersonating. */
	"POST /2fa/setup": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly password: string;
		};
		answer: {
			/** Base32 */
			readonly secret: string;
			/** `otpauth:` address */
			readonly provisioning_uri: string;
			/** The same, as a PNG */
			readonly qr_code_data_url: string;
			readonly expires_in_minutes: number;
		};
	};
	/** Cancel the setup. Requires a signed-in user. Refused while impersonating. */
	"POST /2fa/setup/cancel": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly message: string;
		};
	};
	/** Complete the setup with a first code; ends the other sessions. Requires a signed-in user. Refused while impersonating. */
	"POST /2fa/setup/verify": {
		path: Nothing;
		query: Nothing;
		body: {
			/** Six digits of the authenticator app */
			readonly code: string;
		};
		answer: Post2faSetupVerifyAnswer;
	};
	/** Whether two-factor authentication is on. Requires a signed-in user. Refused while impersonating. */
	"GET /2fa/status": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly enabled: boolean;
			readonly enabled_at: string | null;
			readonly setup_pending: boolean;
			readonly backup_codes_remaining: number;
		};
	};
	/** Complete the setup with a first code; ends the other sessions. Requires a signed-in user. Refused while impersonating. */
	"POST /2fa/verify": {
		path: Nothing;
		query: Nothing;
		body: {
			/** Six digits of the authenticator app */
			readonly code: string;
		};
		answer: Post2faSetupVerifyAnswer;
	};
	/** Second step of a sign-in. Public. */
	"POST /2fa/verify-login": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly challenge_token: string;
			readonly code: string;
			readonly is_backup_code?: boolean;
		};
		answer: Post2faVerifyLoginAnswer2 | Post2faVerifyLoginAnswer;
	};
	/** Stop acting as another user; restores the own session. Requires a signed-in user. */
	"DELETE /admin/impersonate-user": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly message: string;
		};
	};
	/** Act as another user, for at most one hour. Requires a signed-in superadmin. */
	"POST /admin/impersonate-user": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly user_id: number;
			/** For the audit log */
			readonly reason: string;
		};
		answer: {
			readonly access_token: string;
			/** Seconds; an impersonation ends after one hour */
			readonly expires_in: number;
		};
	};
	/** Jobs that are waiting or running, completed in the last 24 hours or failed in the last thirty days, latest first. Requires a signed-in superadmin. */
	"GET /admin/jobs": {
		path: Nothing;
		query: {
			/** `pending`: waiting, also for another attempt; `failed`: all attempts failed */
			readonly status?: "pending" | "running" | "done" | "failed" | undefined;
			/** Such as `mail` */
			readonly kind?: string | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
		};
		body: undefined;
		answer: {
			readonly jobs: readonly GetAdminJobsAnswerJobs[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly total_pages: number;
		};
	};
	/** Retry a failed job. Requires a signed-in superadmin. Refused while impersonating. */
	"POST /admin/jobs/{id}/retry": {
		path: {
			readonly id: number;
		};
		query: Nothing;
		body: undefined;
		answer: GetAdminJobsAnswerJobs;
	};
	/** Change the plan of an organization. Requires a signed-in superadmin. Refused while impersonating. */
	"PATCH /admin/organizations/{slug}/plan": {
		path: {
			/** Organization slug */
			readonly slug: string;
		};
		query: Nothing;
		body: {
			readonly plan_tier: "free" | "growth" | "scale" | "enterprise";
		};
		answer: PatchAdminOrganizationsSlugPlanAnswer;
	};
	/** State of the service: health, versions, disk, stores, memory, jobs, schedules, backups and mail. Requires a signed-in superadmin. */
	"GET /admin/system": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly status: "healthy" | "degraded" | "unhealthy";
			readonly checks: Readonly<Record<string, {
				readonly status: "healthy" | "unhealthy";
				readonly latency_ms?: number;
				/** In English */
				readonly message?: string;
				/** Names the message */
				readonly code?: string;
				/** Values that the message names */
				readonly values?: Readonly<Record<string, number | string>>;
			}>>;
			/** Of the installation, as in `GET /warnings` */
			readonly warnings: readonly GetAdminSystemAnswerWarnings[];
			readonly process: {
				readonly version: string;
				readonly environment: string;
				/** Version of the runtime */
				readonly node: string;
				/** Roles of the answering process */
				readonly roles: readonly string[];
				/** Base URL of the links in mails */
				readonly root_url: string;
				readonly started_at: string;
				readonly uptime_seconds: number;
			};
			readonly memory: readonly {
				readonly process: "main" | "event_store";
				/** Null where the system does not report it, or the process is not running */
				readonly bytes: number | null;
			}[];
			readonly disks: readonly {
				/** `spool` is listed where it is on another disk */
				readonly place: "data" | "spool";
				readonly free_bytes: number;
				readonly total_bytes: number;
				readonly state: "enough" | "little" | "none";
			}[];
			/** Null while it cannot be queried */
			readonly event_store: {
				readonly engine: "embedded" | "server";
				readonly version: string;
				readonly tables: readonly {
					readonly table: string;
					readonly rows: number;
					readonly bytes: number;
				}[];
			} | null;
			readonly accounts: {
				readonly engine: "sqlite" | "postgresql";
				readonly version: string;
				/** Of the whole store */
				readonly bytes: number;
				/** Active ones */
				readonly users: number;
				/** Active ones */
				readonly organizations: number;
				/** Active ones */
				readonly sites: number;
			};
			/** Null where the answering process is no collector */
			readonly spool: {
				/** Accepted hits that are not in the event store yet */
				readonly waiting_bytes: number;
				/** Age of the oldest of them; 0 = none are waiting */
				readonly waiting_seconds: number;
				/** Hits are refused beyond it */
				readonly max_bytes: number;
				/** Rows that the event store refused; they are in `spool/refused` */
				readonly refused_rows: number;
				readonly damaged_files: number;
			} | null;
			readonly jobs: {
				readonly kinds: readonly {
					readonly kind: string;
					readonly pending: number;
					readonly running: number;
					readonly failed: number;
					/** In the last 24 hours */
					readonly done: number;
				}[];
				/** When the longest waiting job became due */
				readonly due_since: string | null;
			};
			readonly schedules: readonly {
				readonly name: string;
				/** In UTC; with six fields the first is seconds */
				readonly cron: string;
				/** End of the last known run */
				readonly last_run_at: string | null;
				readonly last_status: "done" | "failed" | null;
				readonly next_run_at: string | null;
			}[];
			readonly backups: {
				/** Time of the last complete backup; null = never */
				readonly last_done_at: string | null;
				/** Size of that backup */
				readonly bytes: number | null;
				/** Null unless the last attempt failed */
				readonly last_failed_at: string | null;
				readonly last_error: string | null;
			};
			readonly mail: {
				/** `outbox`: mails are written to files in the data directory */
				readonly mode: "smtp" | "outbox";
				readonly waiting: number;
				/** In the last thirty days */
				readonly given_up: number;
				/** Error of the latest mail that could not be sent */
				readonly last_error: {
					readonly job_id: number;
					readonly message: string;
					readonly status: "pending" | "running" | "failed";
				} | null;
			};
		};
	};
	/** Delete a user; resources the user created for others stay. Requires a signed-in superadmin. Refused while impersonating. */
	"DELETE /admin/users/{user_id}": {
		path: {
			readonly user_id: number;
		};
		query: Nothing;
		body: {
			/** The exact address, as confirmation */
			readonly email: string;
		};
		answer: {
			readonly deleted: true;
			readonly user_id: number;
			/** Slugs of the organizations that only this user belonged to; their sites stop collecting */
			readonly organizations: readonly string[];
		};
	};
	/** Alerts. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /alerts/history": {
		path: Nothing;
		query: GetAlertsHistoryQuery & {
			readonly rule_id?: number | undefined;
			readonly status?: "active" | "acknowledged" | "resolved" | "false_positive" | undefined;
			/** First day on which the alerts started, in the site's time zone */
			readonly from_date?: string | undefined;
			/** Last day on which the alerts started, in the site's time zone */
			readonly to_date?: string | undefined;
		};
		body: undefined;
		answer: {
			readonly alerts: readonly GetAlertsHistoryAnswerAlerts[];
			readonly total: number;
		};
	};
	/** Acknowledge, resolve or dismiss an alert. Requires the role editor on the site, or a higher one. API keys are refused. */
	"PATCH /alerts/history/{alert_id}": {
		path: {
			readonly alert_id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Default: an active alert is acknowledged, others stay unchanged */
			readonly status?: "acknowledged" | "resolved" | "false_positive";
			readonly notes?: string | null;
		};
		answer: GetAlertsHistoryAnswerAlerts;
	};
	/** Alert rules of a site. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /alerts/rules": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			readonly include_inactive?: boolean | undefined;
			/** Adds `progress` to goals */
			readonly include_progress?: boolean | undefined;
		};
		body: undefined;
		answer: {
			readonly rules: readonly GetAlertsRulesAnswerRules[];
			readonly total: number;
		};
	};
	/** Create an alert rule. Requires the role editor on the site, or a higher one. API keys are refused. */
	"POST /alerts/rules": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly name: string;
			readonly alert_type?: "traffic_spike" | "traffic_drop" | "conversion_change" | "error_rate" | "source_change" | "goal_reached" | "custom";
			/** Sessions and visitors are measured as entrances */
			readonly metric?: "pageviews" | "sessions" | "visitors" | "entrances" | "bounce_rate" | "conversions" | "conversion_rate" | "custom";
			readonly condition_type?: "percentage_change" | "absolute_threshold" | "std_deviation" | "rate_of_change";
			readonly threshold_value?: number;
			readonly threshold_direction?: "increase" | "decrease" | "both";
			/** Default: `7d`, with `alert_type` `error_rate` `24h` */
			readonly baseline_period?: "24h" | "7d" | "30d" | "90d";
			readonly comparison_window?: "15m" | "1h" | "6h" | "24h";
			readonly notify_email?: boolean;
			readonly notify_slack?: boolean;
			/** Applies to `custom_webhook_url` only */
			readonly notify_webhook?: boolean;
			/** Empty: the owners of the organization. Recipients who are not users of the site must confirm by mail first */
			readonly email_recipients?: readonly string[];
			readonly cooldown_minutes?: number;
			readonly description?: string | null;
			readonly custom_condition?: GetAlertsRulesAnswerRulesCustomCondition | null;
			/** A Slack incoming webhook; https, a public address */
			readonly slack_webhook_url?: string | null;
			/** Receives the events of this rule as JSON; https, a public address */
			readonly custom_webhook_url?: string | null;
		};
		answer: GetAlertsRulesAnswerRules;
	};
	/** Remove an alert rule; its history stays. Requires the role editor on the site, or a higher one. API keys are refused. */
	"DELETE /alerts/rules/{id}": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: undefined;
	};
	/** One alert rule. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /alerts/rules/{id}": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetAlertsRulesAnswerRules;
	};
	/** Change an alert rule, or disable it. Requires the role editor on the site, or a higher one. API keys are refused. */
	"PATCH /alerts/rules/{id}": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly name?: string;
			readonly alert_type?: "traffic_spike" | "traffic_drop" | "conversion_change" | "error_rate" | "source_change" | "goal_reached" | "custom";
			/** Sessions and visitors are measured as entrances */
			readonly metric?: "pageviews" | "sessions" | "visitors" | "entrances" | "bounce_rate" | "conversions" | "conversion_rate" | "custom";
			readonly condition_type?: "percentage_change" | "absolute_threshold" | "std_deviation" | "rate_of_change";
			readonly threshold_value?: number;
			readonly threshold_direction?: "increase" | "decrease" | "both";
			readonly baseline_period?: "24h" | "7d" | "30d" | "90d";
			readonly comparison_window?: "15m" | "1h" | "6h" | "24h";
			readonly notify_email?: boolean;
			readonly notify_slack?: boolean;
			/** Applies to `custom_webhook_url` only */
			readonly notify_webhook?: boolean;
			/** Empty: the owners of the organization. Recipients who are not users of the site must confirm by mail first */
			readonly email_recipients?: readonly string[];
			readonly cooldown_minutes?: number;
			readonly description?: string | null;
			readonly custom_condition?: GetAlertsRulesAnswerRulesCustomCondition | null;
			/** A Slack incoming webhook; https, a public address */
			readonly slack_webhook_url?: string | null;
			/** Receives the events of this rule as JSON; https, a public address */
			readonly custom_webhook_url?: string | null;
			readonly is_active?: boolean;
		};
		answer: GetAlertsRulesAnswerRules;
	};
	/** Test an alert rule and send a test notification. Requires the role editor on the site, or a higher one. API keys are refused. At most 30 requests in an hour. */
	"POST /alerts/rules/{id}/test": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Sent to the rule's channels; mail only to the caller */
			readonly send_notification?: boolean;
		} | undefined;
		answer: {
			/** false: the metric is not available at present */
			readonly success: boolean;
			readonly current_value: number | null;
			readonly baseline_value: number | null;
			readonly would_trigger: boolean;
			readonly change_percentage: number | null;
			readonly severity: "info" | "warning" | "critical";
			readonly notification_sent: boolean;
			/** `insufficient_data`: too few windows to compare with */
			readonly message: string;
		};
	};
	/** Number of alerts. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /alerts/stats": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: {
			readonly active_rules: number;
			readonly total_triggers_24h: number;
			readonly total_triggers_7d: number;
			readonly total_triggers_30d: number;
			readonly unacknowledged_alerts: number;
			/** Name of the rule; in the last 30 days */
			readonly most_triggered_rule: string | null;
			readonly last_trigger: string | null;
		};
	};
	/** Annotations of a site, by day. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /annotations": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			/** First day */
			readonly from_date?: string | undefined;
			/** Last day */
			readonly to_date?: string | undefined;
		};
		body: undefined;
		answer: readonly GetAnnotationsAnswer[];
	};
	/** Add an annotation to a day. Requires the role editor on the site, or a higher one. API keys are refused. */
	"POST /annotations": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Day in the site's time zone; may be in the future */
			readonly date: string;
			/** Time of day at the site; null: the whole day */
			readonly hour?: number | null;
			readonly text: string;
			readonly kind?: "note" | "release" | "campaign";
		};
		answer: GetAnnotationsAnswer;
	};
	/** Remove an annotation. Requires the role editor on the site, or a higher one. API keys are refused. */
	"DELETE /annotations/{id}": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: undefined;
	};
	/** One annotation. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /annotations/{id}": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetAnnotationsAnswer;
	};
	/** Change an annotation. Requires the role editor on the site, or a higher one. API keys are refused. */
	"PATCH /annotations/{id}": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Day in the site's time zone; may be in the future */
			readonly date?: string;
			/** Time of day at the site; null: the whole day */
			readonly hour?: number | null;
			readonly text?: string;
			readonly kind?: "note" | "release" | "campaign";
		};
		answer: GetAnnotationsAnswer;
	};
	/** The caller's tokens. Requires a signed-in user, or an API key with the scope `accounts:read`. Refused while impersonating. */
	"GET /api-tokens": {
		path: Nothing;
		query: {
			readonly include_inactive?: boolean | undefined;
		};
		body: undefined;
		answer: {
			readonly tokens: readonly GetApiTokensAnswerTokens[];
			readonly total: number;
		};
	};
	/** Create a token; it is shown only in this response. Requires a signed-in user. Refused while impersonating. At most 60 requests in an hour. */
	"POST /api-tokens": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly name: string;
			readonly scopes?: readonly ("stats:read" | "sites:read" | "accounts:read")[];
			/** Site slugs; null = every site of the owner */
			readonly account_ids?: readonly string[] | null;
			/** null = never */
			readonly expires_in_days?: number | null;
		};
		answer: {
			readonly id: number;
			readonly name: string;
			readonly token_prefix: string;
			readonly scopes: readonly ("stats:read" | "sites:read" | "accounts:read")[];
			/** Slugs of the sites that the key can read now */
			readonly account_ids: readonly string[];
			readonly all_sites: boolean;
			readonly expires_at: string | null;
			/** Accurate to the minute */
			readonly last_used_at: string | null;
			readonly is_active: boolean;
			readonly revoked_at: string | null;
			readonly created_at: string;
			/** The token; shown only in this response */
			readonly token: string;
		};
	};
	/** Scopes that the caller may grant. Requires a signed-in user, or an API key with the scope `accounts:read`. Refused while impersonating. */
	"GET /api-tokens/scopes": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly scopes: readonly {
				readonly id: "stats:read" | "sites:read" | "accounts:read";
				readonly name: string;
				readonly description: string;
			}[];
		};
	};
	/** Revoke a token. Requires a signed-in user. Refused while impersonating. */
	"DELETE /api-tokens/{token_id}": {
		path: {
			readonly token_id: number;
		};
		query: Nothing;
		body: undefined;
		answer: GetApiTokensAnswerTokens;
	};
	/** One token. Requires a signed-in user, or an API key with the scope `accounts:read`. Refused while impersonating. */
	"GET /api-tokens/{token_id}": {
		path: {
			readonly token_id: number;
		};
		query: Nothing;
		body: undefined;
		answer: GetApiTokensAnswerTokens;
	};
	/** Ask a question about a site, answered from its reports. Requires a signed-in user. Refused while impersonating. */
	"POST /assistant/chat": {
		path: Nothing;
		query: {
			/** Site slug, if the body does not have it */
			readonly account_id?: string | undefined;
		};
		body: PostAssistantChatBody;
		answer: PostAssistantChatAnswer;
	};
	/** Delete one of your conversations. Requires the role viewer on the site, or a higher one. API keys are refused. Refused while impersonating. */
	"DELETE /assistant/conversations/{conversation_id}": {
		path: {
			readonly conversation_id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: {
			readonly deleted: boolean;
		};
	};
	/** One of your conversations. Requires the role viewer on the site, or a higher one. API keys are refused. Refused while impersonating. */
	"GET /assistant/conversations/{conversation_id}": {
		path: {
			readonly conversation_id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: {
			readonly conversation_id: string;
			readonly account_id: string;
			readonly title: string | null;
			readonly messages: readonly {
				readonly role: "user" | "assistant";
				readonly content: string;
				readonly timestamp: string;
				readonly tools_used: readonly PostAssistantChatAnswerToolsUsed[];
				/** Created by the service from the answers of the tools */
				readonly charts: readonly PostAssistantChatAnswerCharts[];
				/** Created by the service from the answers of the tools */
				readonly tables: readonly {
					readonly title: string;
					readonly columns: readonly string[];
					readonly rows: readonly (readonly (string | number | boolean | null)[])[];
				}[];
			}[];
			readonly created_at: string;
			readonly updated_at: string;
		};
	};
	/** Your conversations about a site, the latest first. Requires the role viewer on the site, or a higher one. API keys are refused. Refused while impersonating. */
	"GET /assistant/sessions": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			readonly limit?: number | undefined;
		};
		body: undefined;
		answer: {
			readonly sessions: readonly {
				readonly id: string;
				/** Beginning of the first question */
				readonly title: string;
				readonly message_count: number;
				readonly created_at: string;
				readonly updated_at: string;
				/** More messages can follow */
				readonly is_active: boolean;
			}[];
			readonly total: number;
		};
	};
	/** Reports that the assistant can read of a site. Requires a signed-in user. Refused while impersonating. */
	"GET /assistant/tools": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly tools: readonly {
				readonly name: string;
				readonly description: string;
				readonly category: string;
			}[];
			readonly total: number;
		};
	};
	/** All actions of the audit log. Requires a signed-in user. */
	"GET /audit/actions": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			/** Sorted by name; includes actions without an entry yet */
			readonly actions: readonly {
				/** `resource.verb` */
				readonly action: string;
				readonly resource_type: string;
			}[];
		};
	};
	/** Audit log, newest first. Requires a signed-in user. */
	"GET /audit/logs": {
		path: Nothing;
		query: {
			/** Such as `site.updated`; `GET /audit/actions` lists all */
			readonly action?: string | undefined;
			/** Such as `site` */
			readonly resource_type?: string | undefined;
			/** Author, or the superadmin who acted as the author */
			readonly user_id?: number | undefined;
			/** Site */
			readonly account_id?: string | undefined;
			/** Organization slug; entries of the organization and its sites */
			readonly organization?: string | undefined;
			/** Timestamp, or a day (inclusive) */
			readonly from_date?: string | undefined;
			/** Timestamp, or a day (inclusive); days are in UTC */
			readonly to_date?: string | undefined;
		} & {
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
		};
		body: undefined;
		answer: {
			readonly logs: readonly {
				readonly id: number;
				/** Null: the operator's command line, or the service itself */
				readonly user_id: number | null;
				/** `system` where `user_id` is null */
				readonly user_email: string;
				readonly user_name: string | null;
				/** `resource.verb` */
				readonly action: string;
				readonly resource_type: string;
				readonly resource_id: string | null;
				readonly account_id: string | null;
				/** Changed fields as `[old, new]`, or facts; `impersonated_by` is the id of the superadmin who acted as this user */
				readonly details: Readonly<Record<string, unknown>>;
				readonly ip_address: string | null;
				readonly created_at: string;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly total_pages: number;
		};
	};
	/** Mail a link to reset the password; all addresses get the same response. Public. At most 3 requests from one address in an hour. */
	"POST /auth/forgot-password": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly email: string;
		};
		answer: {
			readonly message: string;
		};
	};
	/** Whether the session is an impersonation. Requires a signed-in user. */
	"GET /auth/impersonation-status": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly is_impersonating: boolean;
			/** Only while impersonating */
			readonly impersonated_user_id?: number;
			/** Only while impersonating */
			readonly impersonated_email?: string;
			readonly started_at?: string;
		};
	};
	/** End the current session. Requires a signed-in user. */
	"POST /auth/logout": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly message: string;
		};
	};
	/** The current user. Requires a signed-in user, or an API key with the scope `accounts:read`. */
	"GET /auth/me": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: Post2faVerifyLoginAnswerUser;
	};
	/** Exchange the refresh cookie for a new access token. Public. */
	"POST /auth/refresh": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly access_token: string;
			readonly token_type: "bearer";
			/** Seconds */
			readonly expires_in: number;
		};
	};
	/** Register, where `REGISTRATION` is open; known addresses get the same response. Public. At most 3 requests from one address in an hour. */
	"POST /auth/register": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly email: string;
			readonly name: string;
			/** Common passwords and those with the local part of the email address are refused */
			readonly password: string;
			/** Must be true */
			readonly accept_terms: boolean;
		};
		answer: PostAuthRegisterAnswer;
	};
	/** Set a new password with the mailed token; ends all sessions and revokes connected apps. Public. */
	"POST /auth/reset-password": {
		path: Nothing;
		query: Nothing;
		body: {
			/** Token from the mailed link */
			readonly token: string;
			/** Common passwords and those with the local part of the email address are refused */
			readonly new_password: string;
		};
		answer: {
			readonly message: string;
			readonly sessions_terminated: number;
		};
	};
	/** Revoke all sessions, the current one too unless `include_current` is `false`. Requires a signed-in user. */
	"DELETE /auth/sessions": {
		path: Nothing;
		query: {
			/** `false` keeps the session of the request */
			readonly include_current?: boolean | undefined;
		};
		body: undefined;
		answer: {
			readonly message: string;
			readonly sessions_terminated: number;
		};
	};
	/** The caller's sessions. Requires a signed-in user. Refused while impersonating. */
	"GET /auth/sessions": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly sessions: readonly {
				readonly id: string;
				readonly user_agent: string | null;
				readonly ip_address: string | null;
				readonly created_at: string;
				readonly last_used_at: string;
				readonly is_current: boolean;
			}[];
			readonly total: number;
		};
	};
	/** Revoke one session. Requires a signed-in user. */
	"DELETE /auth/sessions/{session_id}": {
		path: {
			readonly session_id: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly message: string;
		};
	};
	/** Sign in. Public. */
	"POST /auth/token": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly email: string;
			readonly password: string;
		};
		answer: Post2faVerifyLoginAnswer2 | Post2faVerifyLoginAnswer;
	};
	/** Run many reports in one request. Requires a signed-in user, or an API key with the scope `stats:read`. Open to share links. */
	"POST /batch": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly queries: readonly PostBatchBodyQueries[];
			readonly options?: PostBatchBodyOptions;
		};
		answer: {
			readonly batch_id: string;
			readonly status: "completed" | "partial" | "failed";
			readonly results: Readonly<Record<string, {
				readonly status: "success" | "error" | "dependency_failed" | "skipped";
				/** The complete response of the route, with `success` */
				readonly data?: unknown;
				readonly error?: {
					readonly code: string;
					readonly message: string;
					readonly detail?: readonly {
						readonly field: string;
						readonly message: string;
						readonly type: string;
					}[];
				};
				readonly timing_ms?: number;
			}>>;
			readonly meta: {
				readonly total_queries: number;
				readonly successful: number;
				readonly failed: number;
				/** `skipped` and `dependency_failed` */
				readonly skipped: number;
				readonly total_timing_ms: number;
				/** More than one query ran at a time */
				readonly parallel_execution: boolean;
			};
			readonly timestamp: string;
		};
	};
	/** Validate a batch without running it. Requires a signed-in user, or an API key with the scope `stats:read`. */
	"POST /batch/validate": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly queries: readonly PostBatchBodyQueries[];
			readonly options?: PostBatchBodyOptions;
		};
		answer: {
			readonly valid: boolean;
			readonly query_count: number;
			/** Empty when the batch is not valid */
			readonly execution_order: readonly string[];
			/** Queries of a group depend on earlier groups only */
			readonly parallel_groups: readonly (readonly string[])[];
			readonly errors: readonly {
				readonly query_id: string;
				readonly message: string;
			}[];
			readonly warnings: readonly {
				readonly query_id: string;
				readonly message: string;
			}[];
		};
	};
	/** Invoice address, if it is not that of the paying owner. Requires an owner of the organization, or a superadmin (`billing:manage`). Refused while impersonating. */
	"GET /billing/accounting-email": {
		path: Nothing;
		query: {
			/** Organization; the caller's own by default */
			readonly org_id?: string | undefined;
		};
		body: undefined;
		answer: {
			readonly accounting_email: string | null;
		};
	};
	/** Set the invoice address; null: the address of the paying owner. Requires an owner of the organization, or a superadmin (`billing:manage`). Refused while impersonating. */
	"PUT /billing/accounting-email": {
		path: Nothing;
		query: {
			/** Organization; the caller's own by default */
			readonly org_id?: string | undefined;
		};
		body: {
			readonly email: string | null;
		};
		answer: {
			readonly accounting_email: string | null;
		};
	};
	/** Start the purchase of a plan, on pages of the payment provider. Requires an owner of the organization, or a superadmin (`billing:manage`). Refused while impersonating. */
	"POST /billing/checkout": {
		path: Nothing;
		query: Nothing;
		body: {
			/** Organization; the caller's own by default */
			readonly org_id?: string;
			/** Only `growth` and `scale` are for sale */
			readonly plan_tier: "free" | "growth" | "scale" | "enterprise";
			readonly billing_interval: "monthly" | "yearly";
			readonly success_url?: string;
			readonly cancel_url?: string;
			readonly company_name?: string;
			/** ISO 3166, two letters */
			readonly country?: string;
			readonly tax_id?: string;
			readonly coupon_code?: string;
		};
		answer: {
			readonly checkout_url: string;
			readonly session_id: string;
		};
	};
	/** Validate a coupon, and calculate the price with it. Requires an owner of the organization, or a superadmin (`billing:manage`). Refused while impersonating. */
	"POST /billing/coupons/validate": {
		path: Nothing;
		query: {
			/** Organization; the caller's own by default */
			readonly org_id?: string | undefined;
		};
		body: {
			readonly code: string;
			readonly plan_tier?: "free" | "growth" | "scale" | "enterprise";
			readonly billing_interval?: "monthly" | "yearly";
		};
		answer: {
			readonly valid: boolean;
			readonly coupon: {
				readonly code: string;
				readonly name: string;
				readonly description: string | null;
				readonly discount_type: "percent" | "amount";
				/** Percent, or cents */
				readonly discount_value: number;
				readonly discount_display: string;
				readonly applicable_tiers: readonly ("growth" | "scale")[] | null;
				readonly valid_until: string | null;
				readonly duration: "once" | "repeating" | "forever";
				readonly duration_in_months: number | null;
			} | null;
			readonly error: string | null;
			readonly original_price: number | null;
			readonly discounted_price: number | null;
			readonly savings: number | null;
		};
	};
	/** Invoices, newest first. Requires an owner of the organization, or a superadmin (`billing:manage`). Refused while impersonating. */
	"GET /billing/invoices": {
		path: Nothing;
		query: {
			/** Organization; the caller's own by default */
			readonly org_id?: string | undefined;
			readonly limit?: number | undefined;
			/** Id of an invoice */
			readonly starting_after?: string | undefined;
		};
		body: undefined;
		answer: readonly {
			readonly id: string;
			readonly number: string | null;
			readonly status: "draft" | "open" | "paid" | "uncollectible" | "void" | null;
			/** Cents of the currency */
			readonly amount_due: number;
			/** Cents of the currency */
			readonly amount_paid: number;
			readonly currency: string;
			readonly created_at: string;
			readonly due_date: string | null;
			readonly paid_at: string | null;
			readonly pdf_url: string | null;
			readonly hosted_invoice_url: string | null;
		}[];
	};
	/** Past periods, and the consequences of exceeding the plan. Requires an owner of the organization, or a superadmin (`billing:manage`). Refused while impersonating. */
	"GET /billing/overage-status": {
		path: Nothing;
		query: {
			/** Organization; the caller's own by default */
			readonly org_id?: string | undefined;
		};
		body: undefined;
		answer: {
			readonly org_id: string;
			readonly history: readonly {
				readonly period_start: string;
				readonly period_end: string;
				readonly plan_tier: "free" | "growth" | "scale" | "enterprise";
				readonly event_limit: number;
				readonly total_events: number;
				readonly overage_percent: number;
				readonly is_forgiven: boolean;
				readonly action_taken: "none" | "forgiven" | "notified" | "upgraded";
			}[];
			readonly forgiveness_available: boolean;
			readonly forgiveness_year: number;
		};
	};
	/** Plan, subscription and usage of an organization. Requires an owner of the organization, or a superadmin (`billing:manage`). Refused while impersonating. */
	"GET /billing/overview": {
		path: Nothing;
		query: {
			/** Organization; the caller's own by default */
			readonly org_id?: string | undefined;
		};
		body: undefined;
		answer: {
			readonly subscription: GetBillingOverviewAnswerSubscription | null;
			readonly usage: {
				readonly human_events: number;
				readonly agent_events: number;
				readonly event_limit: number | null;
				/** Percentage of the limit; over 100 when exceeded */
				readonly percentage: number;
				readonly is_unlimited: boolean;
				readonly days_remaining: number | null;
			};
			readonly upcoming_invoice: {
				/** EUR cents */
				readonly amount_due: number;
				readonly currency: string;
				readonly due_at: string | null;
			} | null;
			readonly payment_method: {
				readonly brand: string;
				readonly last4: string;
				readonly exp_month: number;
				readonly exp_year: number;
			} | null;
		};
	};
	/** Plans, smallest first. Public. */
	"GET /billing/plans": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: readonly {
			readonly tier: "free" | "growth" | "scale" | "enterprise";
			readonly name: string;
			readonly description: string;
			readonly price_monthly: number | null;
			readonly price_yearly: number | null;
			readonly seats: number | null;
			readonly accounts: number | null;
			readonly monthly_events: number | null;
			readonly lifetime_events: number | null;
			readonly data_retention_days: number | null;
			readonly api_requests_per_minute: number;
			readonly concurrent_exports: number;
			readonly export_rows: number | null;
			readonly features: readonly ("webhooks" | "audit" | "ip_allowlist")[];
			readonly is_popular: boolean;
		}[];
	};
	/** Open the payment provider's pages for cards, invoices and changes. Requires an owner of the organization, or a superadmin (`billing:manage`). Refused while impersonating. */
	"POST /billing/portal": {
		path: Nothing;
		query: Nothing;
		body: {
			/** Organization; the caller's own by default */
			readonly org_id?: string;
			readonly return_url?: string;
		};
		answer: {
			readonly portal_url: string;
		};
	};
	/** Receive an event of the payment provider. Public. At most 1200 requests from one address in a minute. */
	"POST /billing/provider-webhook": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly received: boolean;
		};
	};
	/** The subscription; null without one. Requires an owner of the organization, or a superadmin (`billing:manage`). Refused while impersonating. */
	"GET /billing/subscription": {
		path: Nothing;
		query: {
			/** Organization; the caller's own by default */
			readonly org_id?: string | undefined;
		};
		body: undefined;
		answer: GetBillingOverviewAnswerSubscription | null;
	};
	/** Cancel the subscription at the end of its period. Requires an owner of the organization, or a superadmin (`billing:manage`). Refused while impersonating. */
	"POST /billing/subscription/cancel": {
		path: Nothing;
		query: {
			/** Organization; the caller's own by default */
			readonly org_id?: string | undefined;
		};
		body: undefined;
		answer: {
			readonly success: boolean;
			readonly message: string;
			readonly subscription: GetBillingOverviewAnswerSubscription;
			readonly cancels_at: string;
		};
	};
	/** History of subscriptions, newest first. Requires an owner of the organization, or a superadmin (`billing:manage`). Refused while impersonating. */
	"GET /billing/subscription/history": {
		path: Nothing;
		query: {
			/** Organization; the caller's own by default */
			readonly org_id?: string | undefined;
			readonly limit?: number | undefined;
			readonly offset?: number | undefined;
		};
		body: undefined;
		answer: readonly {
			readonly id: number;
			readonly subscription_id: string | null;
			readonly org_id: string;
			readonly user_id: number | null;
			readonly user_email: string | null;
			readonly user_name: string | null;
			readonly action: string;
			readonly source: "user" | "provider" | "system";
			/** Fields of the subscription; null without one */
			readonly previous_state: Readonly<Record<string, unknown>> | null;
			/** Fields of the subscription; null without one */
			readonly new_state: Readonly<Record<string, unknown>> | null;
			readonly success: boolean;
			readonly error_message: string | null;
			readonly error_code: string | null;
			readonly ip_address: string | null;
			readonly created_at: string;
		}[];
	};
	/** Resume a cancelled subscription. Requires an owner of the organization, or a superadmin (`billing:manage`). Refused while impersonating. */
	"POST /billing/subscription/resume": {
		path: Nothing;
		query: {
			/** Organization; the caller's own by default */
			readonly org_id?: string | undefined;
		};
		body: undefined;
		answer: {
			readonly success: boolean;
			readonly message: string;
			readonly subscription: GetBillingOverviewAnswerSubscription;
		};
	};
	/** Events of the current period, of all sites of the organization. Requires an owner of the organization, or a superadmin (`billing:manage`). Refused while impersonating. */
	"GET /billing/usage/current": {
		path: Nothing;
		query: {
			/** Organization; the caller's own by default */
			readonly org_id?: string | undefined;
		};
		body: undefined;
		answer: {
			readonly org_id: string;
			readonly plan_tier: "free" | "growth" | "scale" | "enterprise";
			/** `warning`: 80 % or more; `exceeded`: collection continues; `stopped`: nothing is collected any more */
			readonly status: "ok" | "warning" | "exceeded" | "stopped";
			readonly period_start: string;
			readonly period_end: string;
			readonly human_events: number;
			readonly agent_events: number;
			readonly event_limit: number | null;
			/** Percentage of the limit; over 100 when exceeded */
			readonly percentage: number;
			readonly is_unlimited: boolean;
			readonly days_remaining: number;
			readonly last_synced_at: string;
		};
	};
	/** Events by period, newest first. Requires an owner of the organization, or a superadmin (`billing:manage`). Refused while impersonating. */
	"GET /billing/usage/history": {
		path: Nothing;
		query: {
			/** Organization; the caller's own by default */
			readonly org_id?: string | undefined;
			readonly limit?: number | undefined;
		};
		body: undefined;
		answer: readonly {
			readonly period_start: string;
			readonly period_end: string;
			readonly human_events: number;
			readonly agent_events: number;
		}[];
	};
	/** IP addresses whose hits are not counted. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /blocklist-ips": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			readonly include_inactive?: boolean | undefined;
		};
		body: undefined;
		answer: {
			readonly entries: readonly GetBlocklistIpsAnswerEntries[];
			/** Among the listed entries */
			readonly total: number;
			readonly active_count: number;
		};
	};
	/** Exclude the hits of an address or range. Requires the role editor on the site, or a higher one. API keys are refused. */
	"POST /blocklist-ips": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** An address, or a range such as 203.0.113.0/24 or 2001:db8::/32 */
			readonly ip_or_cidr: string;
			readonly reason?: string;
			readonly is_active?: boolean;
		};
		answer: GetBlocklistIpsAnswerEntries;
	};
	/** Remove a blocklist entry. Requires the role editor on the site, or a higher one. API keys are refused. */
	"DELETE /blocklist-ips/{entry_id}": {
		path: {
			readonly entry_id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: undefined;
	};
	/** One blocklist entry. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /blocklist-ips/{entry_id}": {
		path: {
			readonly entry_id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetBlocklistIpsAnswerEntries;
	};
	/** Change a blocklist entry. Requires the role editor on the site, or a higher one. API keys are refused. */
	"PATCH /blocklist-ips/{entry_id}": {
		path: {
			readonly entry_id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** An address, or a range such as 203.0.113.0/24 or 2001:db8::/32 */
			readonly ip_or_cidr?: string;
			readonly reason?: string;
			readonly is_active?: boolean;
		};
		answer: GetBlocklistIpsAnswerEntries;
	};
	/** Suspicion scores of all hits, including those excluded from reports. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /bot-stats/overview": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			/** Number of days, ending today */
			readonly days?: number | undefined;
		};
		body: undefined;
		answer: {
			readonly period_start: string;
			readonly period_end: string;
			readonly distribution: {
				readonly score_0: number;
				readonly score_1_30: number;
				readonly score_31_60: number;
				readonly score_61_80: number;
				readonly score_81_100: number;
				readonly total_hits: number;
				readonly avg_score: number;
				/** Share of hits with a score above 30 */
				readonly suspicious_percentage: number;
			};
			/** At most ten, by count */
			readonly top_flags: readonly {
				readonly flag: "empty_user_agent" | "known_bot_pattern" | "headless_user_agent" | "suspicious_user_agent" | "platform_mismatch" | "mobile_mismatch" | "sec_fetch_inconsistent" | "missing_client_hints" | "missing_sec_fetch" | "missing_accept_language" | "incomplete_accept_encoding";
				readonly count: number;
				readonly description: string;
			}[];
			/** One point a day, including days without hits */
			readonly daily_trend: readonly {
				readonly date: string;
				readonly total_hits: number;
				readonly suspicious_hits: number;
				readonly avg_score: number;
			}[];
		};
	};
	/** The most suspicious sessions of the last seven days. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /bot-stats/suspicious-sessions": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			/** Sessions with a higher score */
			readonly min_score?: number | undefined;
			readonly limit?: number | undefined;
		};
		body: undefined;
		answer: readonly {
			readonly session_id: string;
			readonly max_score: number;
			/** Of all hits of the session */
			readonly flags: readonly ("empty_user_agent" | "known_bot_pattern" | "headless_user_agent" | "suspicious_user_agent" | "platform_mismatch" | "mobile_mismatch" | "sec_fetch_inconsistent" | "missing_client_hints" | "missing_sec_fetch" | "missing_accept_language" | "incomplete_accept_encoding")[];
			readonly hit_count: number;
			readonly first_seen: string;
			readonly last_seen: string;
			/** Stored for suspicious hits only, else empty */
			readonly user_agent: string;
			readonly country: string;
		}[];
	};
	/** Channel rules of a site. Requires the role viewer on the site, or a higher one. API keys need the scope `sites:read`. Open to connected apps. */
	"GET /channel-groups": {
		path: Nothing;
		query: {
			/** Slug of the site */
			readonly account_id: string;
			/** Include drafts */
			readonly include_inactive?: boolean | undefined;
			readonly include_defaults?: boolean | undefined;
		};
		body: undefined;
		answer: {
			/** In order of evaluation */
			readonly rules: readonly GetChannelGroupsAnswerRules[];
			readonly total: number;
			readonly default_count: number;
			readonly custom_count: number;
		};
	};
	/** Add a channel rule. Requires the role editor on the site, or a higher one. API keys are refused. */
	"POST /channel-groups": {
		path: Nothing;
		query: {
			/** Slug of the site */
			readonly account_id: string;
		};
		body: {
			readonly channel_name: string;
			/** RE2 expression, matched anywhere in the source, case-insensitive */
			readonly source_pattern?: string | null;
			/** RE2 expression, matched anywhere in the medium, case-insensitive */
			readonly medium_pattern?: string | null;
			/** RE2 expression, matched anywhere in the campaign, case-insensitive */
			readonly campaign_pattern?: string | null;
			/** Rules with the highest number are evaluated first */
			readonly priority?: number;
			/** false = a draft */
			readonly is_active?: boolean;
		};
		answer: GetChannelGroupsAnswerRules;
	};
	/** Export all channel rules of a site. Requires the role viewer on the site, or a higher one. API keys need the scope `sites:read`. Open to connected apps. */
	"GET /channel-groups/export": {
		path: Nothing;
		query: {
			/** Slug of the site */
			readonly account_id: string;
		};
		body: undefined;
		answer: {
			readonly version: 1;
			readonly rules: readonly GetChannelGroupsAnswerRules[];
			readonly default_rules: readonly GetChannelGroupsAnswerRules[];
		};
	};
	/** Import channel rules, replacing those of the site. Requires the role editor on the site, or a higher one. API keys are refused. */
	"POST /channel-groups/import": {
		path: Nothing;
		query: {
			/** Slug of the site */
			readonly account_id: string;
			/** Report the result without changing anything */
			readonly dry_run?: boolean | undefined;
			/** `all` replaces all own rules; `drafts` replaces drafts, and stores drafts */
			readonly scope?: "all" | "drafts" | undefined;
		};
		body: {
			readonly version: 1;
			readonly rules: readonly unknown[];
		};
		answer: {
			/** Rows without errors */
			readonly would_insert: number;
			readonly would_delete: number;
			readonly errors: readonly {
				readonly field: string;
				readonly message: string;
				readonly type: string;
			}[];
		} | {
			readonly inserted: number;
			readonly deleted: number;
			readonly total_after: number;
		};
	};
	/** Traffic by channel. Requires the role viewer on the site, or a higher one. API keys need the scope `sites:read` or `stats:read`. Open to connected apps. */
	"GET /channel-groups/stats/channels": {
		path: Nothing;
		query: {
			/** Slug of the site */
			readonly account_id: string;
			/** Relative range, default `30d`; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
		} & GetChannelGroupsStatsChannelsQuery;
		body: undefined;
		answer: {
			readonly channels: readonly {
				/** Empty for rows imported without a channel */
				readonly channel: string;
				readonly entrances: number;
				readonly engaged_entrances: number;
				readonly bounces: number;
				readonly bounce_rate: number;
				readonly page_views: number;
				readonly microconversions: number;
				readonly conversions: number;
				readonly conversion_rate: number;
				readonly revenue: number;
			}[];
			/** Number of channels on all pages */
			readonly total: number;
		};
	};
	/** Test the channel of a visit. Requires the role viewer on the site, or a higher one. API keys need the scope `sites:read`. Open to connected apps. */
	"POST /channel-groups/test": {
		path: Nothing;
		query: {
			/** Slug of the site */
			readonly account_id: string;
		};
		body: {
			readonly source?: string;
			readonly medium?: string;
			readonly campaign?: string;
			/** Evaluate drafts too */
			readonly include_inactive?: boolean;
			/** An unsaved rule, evaluated as if it were live */
			readonly rule?: {
				/** Id of the rule it replaces; 0 for a new one */
				readonly id?: number;
				readonly channel_name: string;
				/** RE2 expression, matched anywhere in the source, case-insensitive */
				readonly source_pattern?: string | null;
				/** RE2 expression, matched anywhere in the medium, case-insensitive */
				readonly medium_pattern?: string | null;
				/** RE2 expression, matched anywhere in the campaign, case-insensitive */
				readonly campaign_pattern?: string | null;
				/** Rules with the highest number are evaluated first */
				readonly priority?: number;
			};
			/** More visits, for which only the channels are returned */
			readonly visits?: readonly {
				readonly source?: string;
				readonly medium?: string;
				readonly campaign?: string;
			}[];
		};
		answer: {
			readonly channel: string;
			/** Id 0: the unsaved `rule` of the request */
			readonly matched_rule: GetChannelGroupsAnswerRules | null;
			/** For `visits`, in the same order; only when they are given */
			readonly channels?: readonly string[];
		};
	};
	/** Remove a channel rule. Requires the role editor on the site, or a higher one. API keys are refused. */
	"DELETE /channel-groups/{rule_id}": {
		path: {
			readonly rule_id: number;
		};
		query: DeleteChannelGroupsRuleIdQuery;
		body: undefined;
		answer: undefined;
	};
	/** One channel rule. Requires the role viewer on the site, or a higher one. API keys need the scope `sites:read`. Open to connected apps. */
	"GET /channel-groups/{rule_id}": {
		path: {
			readonly rule_id: number;
		};
		query: {
			/** Slug of the site */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetChannelGroupsAnswerRules;
	};
	/** Change a channel rule. Requires the role editor on the site, or a higher one. API keys are refused. */
	"PATCH /channel-groups/{rule_id}": {
		path: {
			readonly rule_id: number;
		};
		query: DeleteChannelGroupsRuleIdQuery;
		body: {
			readonly channel_name?: string;
			/** RE2 expression, matched anywhere in the source, case-insensitive */
			readonly source_pattern?: string | null;
			/** RE2 expression, matched anywhere in the medium, case-insensitive */
			readonly medium_pattern?: string | null;
			/** RE2 expression, matched anywhere in the campaign, case-insensitive */
			readonly campaign_pattern?: string | null;
			/** Rules with the highest number are evaluated first */
			readonly priority?: number;
			readonly is_active?: boolean;
		};
		answer: GetChannelGroupsAnswerRules;
	};
	/** Configuration of this installation. Public. */
	"GET /config": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			/** Version of the service */
			readonly version: string;
			/** No account exists yet: the link in the service's output creates the first one */
			readonly setup_required: boolean;
			readonly registration: "invited" | "open" | "closed";
			/** `outbox`: mails are written to files in the data directory and not sent */
			readonly mail: "smtp" | "outbox";
			/** Payment provider for plans; `none`: the operator sets plans */
			readonly payments: "none" | "stripe";
			/** Optional parts of an installation */
			readonly features: readonly ("provisioning" | "assistant" | "billing" | "imports" | "bigquery" | "lens" | "migration")[];
			/** Of the dashboard. Mails and their pages are in English */
			readonly languages: readonly ("en" | "es")[];
			readonly limits: {
				/** Time after its last hit at which a visit ends */
				readonly session_timeout_minutes: number;
				/** Largest amount of one conversion, positive or negative */
				readonly max_amount: number;
				/** Maximum size of a file to import */
				readonly max_import_bytes: number;
			};
		};
	};
	/** Mail the confirmation link again. Public. At most 3 requests from one address in an hour. */
	"POST /email/resend-verification": {
		path: Nothing;
		query: Nothing;
		body: {
			/** May be omitted with a session: its own address is used */
			readonly email?: string;
		} | undefined;
		answer: {
			readonly message: string;
		};
	};
	/** Whether the caller's email address is confirmed. Requires a signed-in user. */
	"GET /email/verification-status": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly verified: boolean;
			readonly email: string;
		};
	};
	/** Confirm an email address with the mailed token, and sign in. Public. */
	"POST /email/verify": {
		path: Nothing;
		query: Nothing;
		body: {
			/** Token from the mailed link */
			readonly token: string;
		};
		answer: PostEmailVerifyAnswer | Post2faVerifyLoginAnswer;
	};
	/** Exports of a site. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. */
	"GET /exports": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			readonly limit?: number | undefined;
			readonly offset?: number | undefined;
			readonly include_expired?: boolean | undefined;
		};
		body: undefined;
		answer: {
			readonly exports: readonly {
				readonly id: number;
				readonly job_id: string;
				readonly site_id: string;
				readonly export_type: "pages" | "sources" | "mediums" | "campaigns" | "terms" | "countries" | "devices" | "browsers" | "os" | "conversions" | "microconversions" | "time_series" | "landing_pages";
				readonly format: "csv" | "json" | "parquet";
				readonly date_from: string;
				readonly date_to: string;
				readonly status: "pending" | "estimating" | "generating" | "completed" | "failed" | "expired";
				readonly estimated_rows: number;
				readonly actual_rows: number | null;
				readonly file_size_bytes: number | null;
				readonly file_size_human: string | null;
				readonly progress_percent: number;
				/** While the status is `completed`; works without credentials */
				readonly download_url: string | null;
				readonly download_expires_at: string | null;
				readonly started_at: string | null;
				/** When the file was ready, or the export failed */
				readonly completed_at: string | null;
				readonly created_at: string;
				readonly error_message: string | null;
				/** User */
				readonly created_by: number | null;
			}[];
			/** Number of exports on all pages */
			readonly total: number;
		};
	};
	/** Create an export: immediately below 10,000 rows, else in the background. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. */
	"POST /exports": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: PostExportsBody;
		answer: {
			readonly job: PostExportsAnswerJob;
			readonly estimate: PostExportsAnswerEstimate;
			readonly message: string;
		};
	};
	/** Download the file of an export; the link works without credentials for 24 hours. Public. */
	"GET /exports/download/{download_token}": {
		path: {
			readonly download_token: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
			/** Not accepted here; `account_id` names the site */
			readonly site_id?: unknown | undefined;
		};
		body: undefined;
		answer: readonly Readonly<Record<string, unknown>>[] | Response;
	};
	/** Estimate an export. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. */
	"POST /exports/estimate": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: PostExportsBody;
		answer: PostExportsAnswerEstimate;
	};
	/** Download at most 10,000 rows directly. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. */
	"POST /exports/stream": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Kind of the rows */
			readonly export_type: "pages" | "sources" | "mediums" | "campaigns" | "terms" | "countries" | "devices" | "browsers" | "os" | "conversions" | "microconversions" | "time_series" | "landing_pages";
			/** First day, in the site's time zone */
			readonly date_from: string;
			/** Last day */
			readonly date_to: string;
			/** All conditions must match */
			readonly filters?: PostExportsBodyFilters;
			/** Default: `csv`; with `Accept: application/x-ndjson` JSON is sent as one object per line */
			readonly format?: "csv" | "json" | "parquet";
		};
		answer: readonly Readonly<Record<string, unknown>>[] | Response;
	};
	/** Cancel a waiting export, or remove one with its file. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. */
	"DELETE /exports/{job_id}": {
		path: {
			readonly job_id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: undefined;
	};
	/** One export. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. */
	"GET /exports/{job_id}": {
		path: {
			readonly job_id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: PostExportsAnswerJob;
	};
	/** Imports, newest first. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /imports": {
		path: Nothing;
		query: GetAlertsHistoryQuery;
		body: undefined;
		answer: {
			readonly imports: readonly GetImportsAnswerImports[];
			readonly total: number;
		};
	};
	/** Import a file of another tool: validates first, unless `dry_run` is `false`. Requires the role admin on the site, or a higher one. API keys are refused. At most 60 requests in an hour. */
	"POST /imports": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: FormData;
		answer: GetImportsAnswerImports;
	};
	/** Cancel an import, or remove one without rows. Requires the role admin on the site, or a higher one. API keys are refused. */
	"DELETE /imports/{import_id}": {
		path: {
			readonly import_id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: undefined;
	};
	/** One import with its report. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /imports/{import_id}": {
		path: {
			readonly import_id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetImportsAnswerImports;
	};
	/** Run the import of a dry run. Requires the role admin on the site, or a higher one. API keys are refused. */
	"POST /imports/{import_id}/run": {
		path: {
			readonly import_id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetImportsAnswerImports;
	};
	/** Undo an import: removes exactly its rows. Requires the role admin on the site, or a higher one. API keys are refused. */
	"POST /imports/{import_id}/undo": {
		path: {
			readonly import_id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetImportsAnswerImports;
	};
	/** Disconnect BigQuery; data in BigQuery stays there. Requires the role admin in its organization, or a higher one. API keys are refused. */
	"DELETE /integrations/bigquery": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: undefined;
	};
	/** BigQuery integration of a site, null without one. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /integrations/bigquery": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetIntegrationsBigqueryAnswer | null;
	};
	/** Change the synced data and schedule, or pause it. Requires the role admin in its organization, or a higher one. API keys are refused. */
	"PATCH /integrations/bigquery": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly sync_frequency?: "hourly" | "daily" | "manual";
			/** Kinds of data to sync */
			readonly data_types?: readonly ("traffic" | "traffic_hourly" | "conversions" | "microconversions" | "pages" | "landing_pages" | "accounts")[];
			/** `false` pauses it */
			readonly is_active?: boolean;
			/** Number of days before today to start with */
			readonly backfill_days?: number;
		};
		answer: GetIntegrationsBigqueryAnswer;
	};
	/** Connect a site to BigQuery: checks the key, creates dataset and tables, starts the first sync. Requires the role admin in its organization, or a higher one. API keys are refused. At most 30 requests in an hour. */
	"POST /integrations/bigquery": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Content of the service account's key file; stored encrypted, never shown */
			readonly service_account: Readonly<Record<string, unknown>>;
			/** Google Cloud project */
			readonly gcp_project_id: string;
			/** Created when missing */
			readonly dataset_id?: string;
			readonly location?: "EU" | "US" | "europe-west1" | "us-central1" | "us-east1";
			readonly sync_frequency?: "hourly" | "daily" | "manual";
			/** Kinds of data to sync */
			readonly data_types?: readonly ("traffic" | "traffic_hourly" | "conversions" | "microconversions" | "pages" | "landing_pages" | "accounts")[];
			/** Number of days before today to start with */
			readonly backfill_days?: number;
			readonly initial_date_from?: string | null;
			readonly initial_date_to?: string | null;
		} | FormData;
		answer: {
			readonly integration: GetIntegrationsBigqueryAnswer;
			/** `project.dataset` */
			readonly dataset_ref: string;
			readonly tables_created: readonly string[];
			readonly message: string;
		};
	};
	/** Sync up to a year of past days, in parts. Requires the role admin in its organization, or a higher one. API keys are refused. */
	"POST /integrations/bigquery/backfill": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** First day, in the site's time zone */
			readonly date_from: string;
			/** Last day */
			readonly date_to: string;
			/** Days per part */
			readonly chunk_days?: number;
		};
		answer: {
			/** `running`: the sync takes longer than the response waits */
			readonly status: "running" | "success" | "failed" | "partial" | "cancelled";
			readonly log_id: number;
			readonly sync_id: string;
			readonly sync_type: "initial" | "incremental" | "backfill" | "retry";
			readonly date_from: string;
			readonly date_to: string;
			readonly tables: Readonly<Record<string, {
				readonly rows: number;
				readonly bytes: number;
			}>>;
			readonly total_rows: number;
			readonly total_bytes: number;
			readonly duration_seconds: number | null;
			readonly message: string;
			readonly total_chunks: number;
			readonly failed_chunks: readonly {
				readonly date_from: string;
				readonly date_to: string;
				readonly error: string;
			}[];
		};
	};
	/** Syncs of a site, newest first. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /integrations/bigquery/logs": {
		path: Nothing;
		query: GetAlertsHistoryQuery;
		body: undefined;
		answer: {
			readonly logs: readonly GetIntegrationsBigqueryLogsAnswerLogs[];
			readonly total: number;
		};
	};
	/** One sync of the log. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /integrations/bigquery/logs/{log_id}": {
		path: {
			readonly log_id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetIntegrationsBigqueryLogsAnswerLogs;
	};
	/** Retry the failed part of a sync. Requires the role admin in its organization, or a higher one. API keys are refused. */
	"POST /integrations/bigquery/retry/{log_id}": {
		path: {
			readonly log_id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: {
			/** `running`: the sync takes longer than the response waits */
			readonly status: "running" | "success" | "failed" | "partial" | "cancelled";
			readonly original_log_id: number;
			readonly new_sync_id: string;
			readonly sync_type: "initial" | "incremental" | "backfill" | "retry";
			readonly total_rows: number;
			readonly message: string;
		};
	};
	/** The tables in BigQuery and their columns. Requires a signed-in user. */
	"GET /integrations/bigquery/schema": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly tables: Readonly<Record<string, {
				readonly description: string;
				/** Dimension by which rows are selected; null: always present */
				readonly data_type: "traffic" | "traffic_hourly" | "conversions" | "microconversions" | "pages" | "landing_pages" | "accounts" | null;
				readonly schema: readonly {
					readonly name: string;
					readonly type: string;
					readonly mode: "REQUIRED" | "NULLABLE";
				}[];
				readonly partition_field: string | null;
				readonly clustering_fields: readonly string[];
				readonly partition_expiration_days: number | null;
			}>>;
		};
	};
	/** Create missing dataset and tables. Requires the role admin in its organization, or a higher one. API keys are refused. At most 30 requests in an hour. */
	"POST /integrations/bigquery/setup": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: {
			readonly status: "completed";
			readonly dataset_ref: string;
			readonly tables_created: readonly string[];
			readonly location: "EU" | "US" | "europe-west1" | "us-central1" | "us-east1";
			readonly message: string;
		};
	};
	/** Sync days now; they replace the same days in BigQuery. Requires the role admin in its organization, or a higher one. API keys are refused. */
	"POST /integrations/bigquery/sync": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** First day; default: two days before the last sync */
			readonly date_from?: string;
			/** Last day; default: today */
			readonly date_to?: string;
		} | undefined;
		answer: {
			/** `running`: the sync takes longer than the response waits */
			readonly status: "running" | "success" | "failed" | "partial" | "cancelled";
			readonly log_id: number;
			readonly sync_id: string;
			readonly sync_type: "initial" | "incremental" | "backfill" | "retry";
			readonly date_from: string;
			readonly date_to: string;
			readonly tables: Readonly<Record<string, {
				readonly rows: number;
				readonly bytes: number;
			}>>;
			readonly total_rows: number;
			readonly total_bytes: number;
			readonly duration_seconds: number | null;
			readonly message: string;
		};
	};
	/** Accept an invitation with a new account. Public. At most 10 requests from one address in an hour. */
	"POST /invitations/accept": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly token: string;
			readonly name: string;
			readonly password: string;
		};
		answer: {
			readonly message: string;
			readonly org_name: string;
			readonly access_token: string;
			readonly token_type: "bearer";
			/** Seconds */
			readonly expires_in: number;
		};
	};
	/** Accept an invitation as the signed-in user. Requires a signed-in user. At most 10 requests from one address in an hour. */
	"POST /invitations/accept-existing": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly token: string;
		};
		answer: {
			readonly message: string;
			readonly org_name: string;
			readonly org_slug: string;
		};
	};
	/** Show an invitation. Public. */
	"GET /invitations/{token}": {
		path: {
			readonly token: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly org_name: string;
			readonly email: string;
			readonly role: "member" | "admin" | "owner";
			readonly invited_by_name: string | null;
		};
	};
	/** Access log of a site with addresses, newest first. Requires the role admin on the site, or a higher one. API keys are refused. */
	"GET /ip-allowlist/audit": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			readonly denied_only?: boolean | undefined;
			readonly limit?: number | undefined;
			readonly offset?: number | undefined;
		};
		body: undefined;
		answer: {
			readonly attempts: readonly {
				readonly id: number;
				readonly account_id: string;
				readonly user_id: number | null;
				readonly user_email: string | null;
				readonly ip_address: string;
				readonly auth_type: "jwt" | "api_key" | "oauth" | "share";
				readonly access_granted: boolean;
				readonly matched_pattern_id: number | null;
				readonly matched_pattern: string | null;
				readonly user_agent: string | null;
				readonly created_at: string;
			}[];
			readonly total: number;
			readonly denied_count: number;
		};
	};
	/** Check an address against the IP allowlist. Requires the role admin on the site, or a higher one. API keys are refused. */
	"POST /ip-allowlist/check": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly ip_address: string;
		};
		answer: PostIpAllowlistCheckAnswer;
	};
	/** Check the caller's address against the IP allowlist. Requires the role admin on the site, or a higher one. API keys are refused. */
	"GET /ip-allowlist/check-current": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: PostIpAllowlistCheckAnswer;
	};
	/** Export the patterns as text, one per line. Requires the role admin on the site, or a higher one. API keys are refused. */
	"GET /ip-allowlist/export": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			readonly include_inactive?: boolean | undefined;
		};
		body: undefined;
		answer: {
			readonly text: string;
			readonly count: number;
		};
	};
	/** Import patterns from text. Requires the role admin on the site, or a higher one. API keys are refused. */
	"POST /ip-allowlist/import": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** One pattern a line; `#` starts a comment, which becomes the label */
			readonly text: string;
			/** For lines without a slash; lines with a slash are ranges */
			readonly default_pattern_type?: "ip" | "cidr" | "regex";
			readonly label_prefix?: string | null;
			/** Skips patterns that the site has; otherwise they are an error */
			readonly skip_duplicates?: boolean;
		};
		answer: PostIpAllowlistImportAnswer;
	};
	/** Patterns of the IP allowlist. Requires the role admin on the site, or a higher one. API keys are refused. */
	"GET /ip-allowlist/patterns": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			readonly include_inactive?: boolean | undefined;
		};
		body: undefined;
		answer: {
			readonly patterns: readonly PostIpAllowlistCheckAnswerMatchedPattern[];
			/** Among the listed patterns */
			readonly total: number;
			readonly active_count: number;
		};
	};
	/** Add a pattern to the IP allowlist. Requires the role admin on the site, or a higher one. API keys are refused. */
	"POST /ip-allowlist/patterns": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: PostIpAllowlistPatternsBody;
		answer: PostIpAllowlistCheckAnswerMatchedPattern;
	};
	/** Add many patterns to the IP allowlist. Requires the role admin on the site, or a higher one. API keys are refused. */
	"POST /ip-allowlist/patterns/bulk": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly patterns: readonly PostIpAllowlistPatternsBody[];
		};
		answer: PostIpAllowlistImportAnswer;
	};
	/** Remove many patterns from the IP allowlist. Requires the role admin on the site, or a higher one. API keys are refused. Refused while impersonating. */
	"POST /ip-allowlist/patterns/bulk-delete": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly pattern_ids: readonly number[];
		};
		answer: PostIpAllowlistImportAnswer;
	};
	/** Remove a pattern of the IP allowlist. Requires the role admin on the site, or a higher one. API keys are refused. */
	"DELETE /ip-allowlist/patterns/{id}": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: undefined;
	};
	/** One pattern of the IP allowlist. Requires the role admin on the site, or a higher one. API keys are refused. */
	"GET /ip-allowlist/patterns/{id}": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: PostIpAllowlistCheckAnswerMatchedPattern;
	};
	/** Change a pattern of the IP allowlist. Requires the role admin on the site, or a higher one. API keys are refused. */
	"PATCH /ip-allowlist/patterns/{id}": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** An address, a range such as 203.0.113.0/24, or an RE2 expression for the whole canonical address */
			readonly pattern?: string;
			readonly pattern_type?: "ip" | "cidr" | "regex";
			readonly label?: string | null;
			readonly description?: string | null;
			readonly is_active?: boolean;
		};
		answer: PostIpAllowlistCheckAnswerMatchedPattern;
	};
	/** Settings of the IP allowlist. Requires the role admin on the site, or a higher one. API keys are refused. */
	"GET /ip-allowlist/settings": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetIpAllowlistSettingsAnswer;
	};
	/** Enable or disable the IP allowlist. Requires the role admin on the site, or a higher one. API keys are refused. */
	"PUT /ip-allowlist/settings": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly is_enabled?: boolean;
			/** API keys and connected apps */
			readonly enforce_for_api_tokens?: boolean;
			/** Signed-in users */
			readonly enforce_for_dashboard?: boolean;
		};
		answer: GetIpAllowlistSettingsAnswer;
	};
	/** The same as `POST /assistant/chat`. Requires a signed-in user. Refused while impersonating. */
	"POST /lens/chat": {
		path: Nothing;
		query: {
			/** Site slug, if the body does not have it */
			readonly account_id?: string | undefined;
		};
		body: PostAssistantChatBody;
		answer: PostAssistantChatAnswer;
	};
	/** Questions used by a site in the current month. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /lens/chat/usage": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: {
			readonly questions_used: number;
			/** Month in the site's time zone */
			readonly questions_limit: number;
			/** Extra questions that the operator granted for this month */
			readonly bonus_questions: number;
			/** Including extra questions */
			readonly questions_remaining: number;
			readonly period_start: string;
			readonly period_end: string;
			readonly percentage_used: number;
		};
	};
	/** Count a question that a client answers itself; those of the assistant are counted automatically. Requires the role viewer on the site, or a higher one. API keys are refused. Refused while impersonating. */
	"POST /lens/chat/usage/increment": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: {
			/** False: not counted */
			readonly can_ask: boolean;
			/** Including extra questions */
			readonly questions_remaining: number;
			readonly message: string | null;
		};
	};
	/** Insights of a site: the most severe first, then the newest. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /lens/insights": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			/** Repeat it to allow several values */
			readonly insight_type?: readonly ("anomaly" | "opportunity" | "trend" | "alert" | "health")[] | undefined;
			/** Repeat it to allow several values */
			readonly severity?: readonly ("red" | "yellow" | "green")[] | undefined;
			readonly unread?: boolean | undefined;
			readonly include_dismissed?: boolean | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
		};
		body: undefined;
		answer: {
			readonly insights: readonly GetLensInsightsAnswerInsights[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
		};
	};
	/** Insights grouped by rule, type, or value. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /lens/insights/grouped": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			readonly group_by?: "source_rule" | "insight_type" | "related_entity" | undefined;
			readonly include_dismissed?: boolean | undefined;
		};
		body: undefined;
		answer: {
			readonly groups: readonly {
				readonly group_key: string;
				readonly group_title: string;
				readonly insight_type: "anomaly" | "opportunity" | "trend" | "alert" | "health";
				readonly max_severity: "red" | "yellow" | "green";
				readonly insight_count: number;
				readonly unread_count: number;
				readonly total_economic_impact: number | null;
				readonly latest_insight: GetLensInsightsAnswerInsights;
				readonly related_entities: readonly string[];
				readonly first_detected_at: string;
				readonly last_detected_at: string;
			}[];
			readonly total_groups: number;
		};
	};
	/** Number of insights, without dismissed ones. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /lens/insights/summary": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: {
			readonly total_count: number;
			readonly unread_count: number;
			readonly red_count: number;
			readonly yellow_count: number;
			readonly green_count: number;
			/** Whether a critical one is unread */
			readonly has_critical: boolean;
		};
	};
	/** One insight. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /lens/insights/{id}": {
		path: {
			readonly id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetLensInsightsAnswerInsights;
	};
	/** Dismiss an insight; it does not return as long as its cause lasts. Requires the role editor on the site, or a higher one. API keys are refused. */
	"PATCH /lens/insights/{id}/dismiss": {
		path: {
			readonly id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetLensInsightsAnswerInsights;
	};
	/** Rate an insight; the last rating of each user counts. Requires the role editor on the site, or a higher one. API keys are refused. */
	"POST /lens/insights/{id}/feedback": {
		path: {
			readonly id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly feedback_type: "helpful" | "not_helpful" | "incorrect" | "already_known";
			readonly comment?: string | null;
		};
		answer: {
			readonly success: boolean;
		};
	};
	/** Mark an insight as read, for all users. Requires the role editor on the site, or a higher one. API keys are refused. */
	"PATCH /lens/insights/{id}/read": {
		path: {
			readonly id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetLensInsightsAnswerInsights;
	};
	/** Mark an insight as unread, for all users. Requires the role editor on the site, or a higher one. API keys are refused. */
	"PATCH /lens/insights/{id}/unread": {
		path: {
			readonly id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetLensInsightsAnswerInsights;
	};
	/** Reports of a site, the latest period first. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /lens/reports": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			readonly report_type?: "weekly" | "monthly" | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
		};
		body: undefined;
		answer: {
			readonly reports: readonly {
				readonly id: string;
				readonly report_type: "weekly" | "monthly";
				readonly period_start: string;
				readonly period_end: string;
				readonly period_label: string;
				readonly status: "pending" | "generating" | "completed" | "failed";
				readonly created_at: string;
				readonly view_count: number;
				readonly revenue: number | null;
				/** In percent */
				readonly revenue_change: number | null;
				readonly conversions: number | null;
				readonly insight_count: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
		};
	};
	/** Create a report now; replaces one of the same period. Requires the role editor on the site, or a higher one. API keys are refused. At most 30 requests in an hour. */
	"POST /lens/reports/generate": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly report_type: "weekly" | "monthly";
			/** Last of seven days, or a day of the month; default: the last complete week or month */
			readonly period_end?: string | null;
		};
		answer: PostLensReportsGenerateAnswer;
	};
	/** The last weekly or monthly report. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /lens/reports/latest/{type}": {
		path: {
			readonly type: "weekly" | "monthly";
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: PostLensReportsGenerateAnswer;
	};
	/** One report. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /lens/reports/{id}": {
		path: {
			readonly id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: PostLensReportsGenerateAnswer;
	};
	/** Settings of insights. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /lens/settings": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetLensSettingsAnswer;
	};
	/** Change the settings of insights. Requires the role editor on the site, or a higher one. API keys are refused. */
	"PATCH /lens/settings": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Whether insights are on */
			readonly is_enabled?: boolean;
			/** Whether mails are on */
			readonly notify_email?: boolean;
			readonly notify_on_red?: boolean;
			readonly notify_on_yellow?: boolean;
			readonly notify_on_green?: boolean;
			/** Mail recipients. Empty: insights are mailed to the owners of the organization, reports to nobody. Recipients who are not users of the site must confirm first */
			readonly email_recipients?: readonly string[];
			/** At 6:00 in the site's time zone, every day or on Mondays; `manual`: only on request */
			readonly analysis_frequency?: "daily" | "weekly" | "manual";
		};
		answer: GetLensSettingsAnswer;
	};
	/** Mail reports of a site. Requires the role editor on the site, or a higher one. API keys are refused. */
	"GET /mail-reports": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: {
			readonly reports: readonly GetMailReportsAnswerReports[];
			readonly total: number;
		};
	};
	/** Create a weekly or monthly mail report. Requires the role editor on the site, or a higher one. API keys are refused. */
	"POST /mail-reports": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** At 7:00 in the site's time zone, on Mondays or on the first of the month */
			readonly frequency: "weekly" | "monthly";
			/** Recipients who have unsubscribed stay unsubscribed. Recipients who are not users of the site must confirm by mail first */
			readonly recipients: readonly string[];
			readonly is_active?: boolean;
		};
		answer: GetMailReportsAnswerReports;
	};
	/** Remove a mail report. Requires the role editor on the site, or a higher one. API keys are refused. */
	"DELETE /mail-reports/{id}": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: undefined;
	};
	/** One mail report. Requires the role editor on the site, or a higher one. API keys are refused. */
	"GET /mail-reports/{id}": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetMailReportsAnswerReports;
	};
	/** Change a mail report; given recipients replace the current ones. Requires the role editor on the site, or a higher one. API keys are refused. */
	"PATCH /mail-reports/{id}": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** At 7:00 in the site's time zone, on Mondays or on the first of the month */
			readonly frequency?: "weekly" | "monthly";
			/** Recipients who have unsubscribed stay unsubscribed. Recipients who are not users of the site must confirm by mail first */
			readonly recipients?: readonly string[];
			readonly is_active?: boolean;
		};
		answer: GetMailReportsAnswerReports;
	};
	/** Send the last report to yourself. Requires the role editor on the site, or a higher one. API keys are refused. At most 10 requests in an hour. */
	"POST /mail-reports/{id}/test": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: {
			/** The caller's own address */
			readonly sent_to: string;
		};
	};
	/** Migration jobs of a site, newest first. Requires the role admin in its organization, or a higher one. API keys are refused. */
	"GET /migration/accounts/{id}/jobs": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly jobs: readonly GetMigrationAccountsIdJobsAnswerJobs[];
			readonly total: number;
		};
	};
	/** Start a migration from the older service. Requires the role admin in its organization, or a higher one. API keys are refused. */
	"POST /migration/accounts/{id}/jobs": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: {
			/** User name at the older service */
			readonly v1_email: string;
			/** Password at the older service; stored encrypted until the data is fetched */
			readonly v1_password: string;
			/** Account id at the older service */
			readonly v1_account_id: string;
			/** First day */
			readonly date_from: string;
			/** Last day, inclusive */
			readonly date_to: string;
			readonly migrate_conversions?: boolean;
			readonly migrate_microconversions?: boolean;
			/** Whether entrances are migrated too */
			readonly migrate_pageviews?: boolean;
		};
		answer: {
			readonly job_id: number;
			readonly status: "pending" | "running" | "completed" | "failed" | "cancelled";
			readonly message: string;
		};
	};
	/** One migration job. Requires the role admin in the organization, or a higher one. */
	"GET /migration/jobs/{job_id}": {
		path: {
			readonly job_id: number;
		};
		query: Nothing;
		body: undefined;
		answer: GetMigrationAccountsIdJobsAnswerJobs;
	};
	/** Cancel a migration job; rows it wrote are removed. Requires the role admin in the organization, or a higher one. */
	"POST /migration/jobs/{job_id}/cancel": {
		path: {
			readonly job_id: number;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly message: string;
		};
	};
	/** Progress of a migration job. Requires the role admin in the organization, or a higher one. */
	"GET /migration/jobs/{job_id}/progress": {
		path: {
			readonly job_id: number;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly id: number;
			readonly status: "pending" | "running" | "completed" | "failed" | "cancelled";
			readonly conversions_progress: {
				readonly total: number;
				readonly migrated: number;
				readonly percent: number;
			};
			readonly microconversions_progress: {
				readonly total: number;
				readonly migrated: number;
				readonly percent: number;
			};
			readonly pageviews_progress: {
				readonly total: number;
				readonly migrated: number;
				readonly percent: number;
			};
			readonly overall_percent: number;
			readonly current_step: string | null;
			readonly error_message: string | null;
			readonly started_at: string | null;
			readonly estimated_completion: string | null;
		};
	};
	/** Sign in to the older service. Requires the role admin in the organization, or a higher one. At most 60 requests from one address in an hour. */
	"POST /migration/test-connection": {
		path: Nothing;
		query: Nothing;
		body: {
			/** User name at the older service */
			readonly email: string;
			/** Password at the older service; stored encrypted until the data is fetched */
			readonly password: string;
			/** Account id at the older service */
			readonly account_id: string;
		};
		answer: {
			readonly valid: boolean;
			readonly account_name: string | null;
			readonly error: string | null;
		};
	};
	/** Ask the user to authorize an app for one site. Public. At most 60 requests from one address in a minute. */
	"GET /oauth/authorize": {
		path: Nothing;
		query: {
			/** A registered id, or the https address of a client metadata document */
			readonly client_id: string;
			/** Exactly as registered */
			readonly redirect_uri: string;
			readonly response_type: "code";
			/** `analytics:read`, and `offline_access` for a refresh token; separated by spaces */
			readonly scope?: string | undefined;
			/** Returned unchanged */
			readonly state?: string | undefined;
			/** SHA-256 of the verifier as base64url */
			readonly code_challenge: string;
			readonly code_challenge_method: "S256";
			/** Resource of the tokens: the address of the MCP server or of the REST API */
			readonly resource?: string | undefined;
		};
		body: undefined;
		answer: undefined;
	};
	/** Apps connected to sites of the caller. Requires a signed-in user. Refused while impersonating. */
	"GET /oauth/connections": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: readonly {
			readonly grant_id: string;
			readonly client_id: string;
			readonly client_name: string;
			readonly site_id: string;
			readonly scopes: readonly ("analytics:read" | "offline_access")[];
			readonly created_at: string;
			readonly last_used_at: string | null;
		}[];
	};
	/** Revoke an app's access; its next request fails. Requires a signed-in user. */
	"DELETE /oauth/connections/{grant_id}": {
		path: {
			readonly grant_id: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly message: string;
		};
	};
	/** A pending authorization request; its id is the secret that opens it. Public. */
	"GET /oauth/consent/{request_id}": {
		path: {
			readonly request_id: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly request_id: string;
			readonly client: {
				readonly client_id: string;
				/** Chosen by the author of the app */
				readonly client_name: string;
				/** Redirect target: a host, or the private scheme of an app */
				readonly redirect_host: string;
			};
			readonly scopes: readonly ("analytics:read" | "offline_access")[];
			/** Resource that the tokens will be bound to */
			readonly resource: string | null;
			readonly expires_at: string;
			/** The signed-in user */
			readonly user: {
				readonly id: number;
				readonly email: string;
			} | null;
			/** The user's active sites */
			readonly sites: readonly {
				readonly id: string;
				readonly name: string;
			}[];
		};
	};
	/** Approve or deny an authorization request. Requires a signed-in user. Refused while impersonating. */
	"POST /oauth/consent/{request_id}/decision": {
		path: {
			readonly request_id: string;
		};
		query: Nothing;
		body: {
			readonly decision: "approve" | "deny";
			/** The site that the app may read; required with `approve` */
			readonly site_id?: string;
		};
		answer: {
			/** Address to send the browser to */
			readonly redirect_to: string;
		};
	};
	/** Sign up during an authorization request. Public. At most 3 requests from one address in an hour. */
	"POST /oauth/onboarding": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly request_id: string;
			readonly email: string;
			readonly name: string;
			/** Common passwords and those with the local part of the email address are refused */
			readonly password: string;
			/** Must be true */
			readonly accept_terms: boolean;
			/** Creates a site when given */
			readonly site_name?: string;
			readonly domain?: string;
		};
		answer: PostAuthRegisterAnswer;
	};
	/** Register an app (RFC 7591). Public. At most 10 requests from one address in an hour. */
	"POST /oauth/register": {
		path: Nothing;
		query: Nothing;
		body: {
			/** https, http on loopback, or a private-use scheme; no fragment */
			readonly redirect_uris: readonly string[];
			readonly client_name?: string;
			readonly token_endpoint_auth_method?: "none";
		};
		answer: {
			readonly client_id: string;
			/** Seconds since the Unix epoch */
			readonly client_id_issued_at: number;
			readonly client_name: string;
			readonly redirect_uris: readonly string[];
			readonly token_endpoint_auth_method: "none";
			readonly grant_types: readonly string[];
			readonly response_types: readonly string[];
		};
	};
	/** Revoke a token; a refresh token revokes the whole grant. Public. At most 60 requests from one address in a minute. */
	"POST /oauth/revoke": {
		path: Nothing;
		query: Nothing;
		body: URLSearchParams;
		answer: Readonly<Record<string, unknown>>;
	};
	/** Exchange a code or a refresh token for tokens. Public. At most 60 requests from one address in a minute. */
	"POST /oauth/token": {
		path: Nothing;
		query: Nothing;
		body: URLSearchParams;
		answer: {
			readonly access_token: string;
			readonly token_type: "Bearer";
			/** Seconds */
			readonly expires_in: number;
			/** Only with `offline_access` */
			readonly refresh_token?: string;
			readonly scope: string;
		};
	};
	/** This description, OpenAPI 3.1. Public. */
	"GET /openapi.json": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: unknown;
	};
	/** The caller's organizations. Requires a signed-in user, or an API key with the scope `accounts:read`. */
	"GET /organizations": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly organizations: readonly PatchAdminOrganizationsSlugPlanAnswer[];
			readonly total: number;
			readonly can_create_org: boolean;
		};
	};
	/** Create an organization; a personal organization is converted. Requires a signed-in user. */
	"POST /organizations": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly name: string;
		};
		answer: PatchAdminOrganizationsSlugPlanAnswer;
	};
	/** Delete an organization: its sites and keys become inactive. Requires the role owner in the organization, or a higher one. API keys are refused. */
	"DELETE /organizations/{slug}": {
		path: {
			/** Organization slug */
			readonly slug: string;
		};
		query: Nothing;
		body: {
			/** The exact name, as confirmation */
			readonly name: string;
		};
		answer: {
			readonly message: string;
		};
	};
	/** One organization. Requires the role member in the organization, or a higher one. API keys need the scope `accounts:read`. */
	"GET /organizations/{slug}": {
		path: {
			/** Organization slug */
			readonly slug: string;
		};
		query: Nothing;
		body: undefined;
		answer: PatchAdminOrganizationsSlugPlanAnswer;
	};
	/** Rename an organization; its slug stays. Requires the role owner in the organization, or a higher one. API keys are refused. */
	"PATCH /organizations/{slug}": {
		path: {
			/** Organization slug */
			readonly slug: string;
		};
		query: Nothing;
		body: {
			readonly name?: string;
		};
		answer: PatchAdminOrganizationsSlugPlanAnswer;
	};
	/** Invitations. Requires the role admin in the organization, or a higher one. API keys are refused. */
	"GET /organizations/{slug}/invitations": {
		path: {
			/** Organization slug */
			readonly slug: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly invitations: readonly {
				readonly id: number;
				readonly org_id: string;
				readonly email: string;
				readonly role: "member" | "admin" | "owner";
				/** Sites that a member gets a role on */
				readonly site_ids: readonly string[];
				readonly site_role: "viewer" | "editor" | "admin" | "owner";
				readonly invited_by_name: string | null;
				/** The invitation can still be accepted */
				readonly is_active: boolean;
				readonly expires_at: string;
				readonly accepted_at: string | null;
				readonly created_at: string;
			}[];
			readonly total: number;
		};
	};
	/** Invite somebody by email address. Requires the role admin in the organization, or a higher one. API keys are refused. At most 100 requests in an hour. */
	"POST /organizations/{slug}/invitations": {
		path: {
			/** Organization slug */
			readonly slug: string;
		};
		query: Nothing;
		body: {
			readonly email: string;
			readonly role?: "member" | "admin" | "owner";
			/** Sites that a member gets a role on; owners and admins have access to all */
			readonly site_ids?: readonly string[];
			/** The member's role on these sites */
			readonly site_role?: "viewer" | "editor" | "admin" | "owner";
		};
		answer: {
			readonly invitation_id: number;
			/** Shown only in this response, and mailed */
			readonly invitation_link: string;
			readonly expires_at: string;
		};
	};
	/** Revoke an invitation. Requires the role admin in the organization, or a higher one. API keys are refused. */
	"DELETE /organizations/{slug}/invitations/{id}": {
		path: {
			/** Organization slug */
			readonly slug: string;
			readonly id: number;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly message: string;
		};
	};
	/** Send an invitation again, with a new link. Requires the role admin in the organization, or a higher one. API keys are refused. At most 100 requests in an hour. */
	"POST /organizations/{slug}/invitations/{id}/resend": {
		path: {
			/** Organization slug */
			readonly slug: string;
			readonly id: number;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly message: string;
		};
	};
	/** Members. Requires the role member in the organization, or a higher one. API keys are refused. */
	"GET /organizations/{slug}/members": {
		path: {
			/** Organization slug */
			readonly slug: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly members: readonly {
				readonly user_id: number;
				readonly email: string;
				readonly name: string;
				readonly role: "member" | "admin" | "owner";
				/** Active sites that the caller can access */
				readonly site_count: number;
				readonly created_at: string;
			}[];
			readonly total: number;
		};
	};
	/** Add a user of the organization's sites as a member. Requires the role admin in the organization, or a higher one. API keys are refused. */
	"POST /organizations/{slug}/members": {
		path: {
			/** Organization slug */
			readonly slug: string;
		};
		query: Nothing;
		body: {
			readonly user_id: number;
			readonly role?: "member" | "admin" | "owner";
		};
		answer: {
			readonly message: string;
		};
	};
	/** Remove a member, or leave. Requires the role member in the organization, or a higher one. API keys are refused. */
	"DELETE /organizations/{slug}/members/{user_id}": {
		path: {
			/** Organization slug */
			readonly slug: string;
			readonly user_id: number;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly message: string;
		};
	};
	/** Change the role of a member. Requires the role admin in the organization, or a higher one. API keys are refused. */
	"PATCH /organizations/{slug}/members/{user_id}": {
		path: {
			/** Organization slug */
			readonly slug: string;
			readonly user_id: number;
		};
		query: Nothing;
		body: {
			readonly role: "member" | "admin" | "owner";
		};
		answer: {
			readonly message: string;
		};
	};
	/** Site roles of a member. Requires the role member in the organization, or a higher one. API keys are refused. */
	"GET /organizations/{slug}/members/{user_id}/sites": {
		path: {
			/** Organization slug */
			readonly slug: string;
			readonly user_id: number;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly sites: readonly {
				readonly id: string;
				readonly name: string;
				readonly has_access: boolean;
				readonly role: "viewer" | "editor" | "admin" | "owner" | null;
			}[];
			readonly total: number;
		};
	};
	/** Set a member's role on sites. Requires the role admin in the organization, or a higher one. API keys are refused. */
	"POST /organizations/{slug}/members/{user_id}/sites": {
		path: {
			/** Organization slug */
			readonly slug: string;
			readonly user_id: number;
		};
		query: Nothing;
		body: {
			readonly site_ids: readonly string[];
			readonly role?: "editor" | "viewer";
		};
		answer: {
			readonly added: readonly string[];
			readonly already_assigned: readonly string[];
			/** Sites that are not part of the organization */
			readonly invalid: readonly string[];
		};
	};
	/** Remove a member's role on a site. Requires the role admin in the organization, or a higher one. API keys are refused. */
	"DELETE /organizations/{slug}/members/{user_id}/sites/{site_id}": {
		path: {
			/** Organization slug */
			readonly slug: string;
			readonly user_id: number;
			readonly site_id: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly message: string;
		};
	};
	/** The organization's sites that the caller can access. Requires the role member in the organization, or a higher one. API keys need the scope `accounts:read`. */
	"GET /organizations/{slug}/sites": {
		path: {
			/** Organization slug */
			readonly slug: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly sites: readonly {
				readonly id: string;
				readonly name: string;
				readonly is_active: boolean;
				readonly timezone: string;
				readonly currency: string;
				readonly created_at: string;
			}[];
			readonly total: number;
		};
	};
	/** Passthrough referrers. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /passthrough-referrers": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			readonly include_inactive?: boolean | undefined;
		};
		body: undefined;
		answer: {
			readonly referrers: readonly GetPassthroughReferrersAnswerReferrers[];
			/** Among the listed referrers */
			readonly total: number;
			readonly active_count: number;
		};
	};
	/** Add a domain whose visitors keep their original source. Requires the role editor on the site, or a higher one. API keys are refused. */
	"POST /passthrough-referrers": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Applies to subdomains too; scheme, path, port and a leading www. are removed */
			readonly domain: string;
			/** Of a visit that starts without a running session */
			readonly utm_source: string;
			readonly utm_medium?: string;
			readonly utm_campaign?: string;
			readonly utm_term?: string;
			readonly service_name?: string;
			readonly is_active?: boolean;
		};
		answer: GetPassthroughReferrersAnswerReferrers;
	};
	/** Remove a passthrough referrer. Requires the role editor on the site, or a higher one. API keys are refused. */
	"DELETE /passthrough-referrers/{referrer_id}": {
		path: {
			readonly referrer_id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: undefined;
	};
	/** One passthrough referrer. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /passthrough-referrers/{referrer_id}": {
		path: {
			readonly referrer_id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetPassthroughReferrersAnswerReferrers;
	};
	/** Change a passthrough referrer. Requires the role editor on the site, or a higher one. API keys are refused. */
	"PATCH /passthrough-referrers/{referrer_id}": {
		path: {
			readonly referrer_id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Applies to subdomains too; scheme, path, port and a leading www. are removed */
			readonly domain?: string;
			/** Of a visit that starts without a running session */
			readonly utm_source?: string;
			readonly utm_medium?: string;
			readonly utm_campaign?: string;
			readonly utm_term?: string;
			readonly service_name?: string;
			readonly is_active?: boolean;
		};
		answer: GetPassthroughReferrersAnswerReferrers;
	};
	/** Create a site for an email address, with a provision key. Public. At most 5 requests from one address in an hour. At most 100 requests in an hour. */
	"POST /provision": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly site_name: string;
			readonly email: string;
			readonly accept_terms: true;
			/** Host that may send hits, with its subdomains */
			readonly domain?: string;
			readonly name?: string;
			readonly install_source?: string;
			/** IANA zone; UTC when omitted */
			readonly timezone?: string;
		};
		answer: {
			readonly success: true;
			readonly account_id: string;
			readonly snippet: string;
			/** Reads reports and settings; shown only in this response, and mailed */
			readonly api_key: string;
			readonly dashboard_url: string;
			/** Sends the claim mail again; only the mail has the claim link */
			readonly claim_url: string;
			readonly free_quota: {
				readonly events_total: number;
			};
			readonly next_steps: readonly string[];
		};
	};
	/** Choose a password with the mailed link, and sign in. Public. */
	"POST /provision/claim": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly token: string;
			readonly password: string;
			readonly name?: string;
		};
		answer: PostEmailVerifyAnswer | Post2faVerifyLoginAnswer;
	};
	/** Have the claim mail sent again. Public. At most 3 requests from one address in an hour. At most 3 requests in an hour. */
	"POST /provision/claim/resend": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly token: string;
		};
		answer: {
			readonly message: string;
		};
	};
	/** Referrer mappings. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /referrer-mappings": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			readonly include_inactive?: boolean | undefined;
		};
		body: undefined;
		answer: {
			/** In order of evaluation */
			readonly mappings: readonly GetReferrerMappingsAnswerMappings[];
			/** Among the listed mappings */
			readonly total: number;
			readonly active_count: number;
		};
	};
	/** Add a referrer mapping. Requires the role editor on the site, or a higher one. API keys are refused. */
	"POST /referrer-mappings": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Compared with the domain of the referrer: lower-case, without a leading www. */
			readonly referrer_pattern: string;
			readonly match_type?: "exact" | "contains" | "starts_with" | "ends_with" | "regex";
			readonly utm_source: string;
			readonly utm_medium?: string;
			readonly utm_campaign?: string;
			readonly utm_term?: string;
			readonly utm_content?: string;
			readonly label?: string | null;
			readonly description?: string | null;
			/** Rules with the highest number are evaluated first */
			readonly priority?: number;
			readonly is_active?: boolean;
		};
		answer: GetReferrerMappingsAnswerMappings;
	};
	/** Remove a referrer mapping. Requires the role editor on the site, or a higher one. API keys are refused. */
	"DELETE /referrer-mappings/{mapping_id}": {
		path: {
			readonly mapping_id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: undefined;
	};
	/** One referrer mapping. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /referrer-mappings/{mapping_id}": {
		path: {
			readonly mapping_id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetReferrerMappingsAnswerMappings;
	};
	/** Change a referrer mapping. Requires the role editor on the site, or a higher one. API keys are refused. */
	"PATCH /referrer-mappings/{mapping_id}": {
		path: {
			readonly mapping_id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Compared with the domain of the referrer: lower-case, without a leading www. */
			readonly referrer_pattern?: string;
			readonly match_type?: "exact" | "contains" | "starts_with" | "ends_with" | "regex";
			readonly utm_source?: string;
			readonly utm_medium?: string;
			readonly utm_campaign?: string;
			readonly utm_term?: string;
			readonly utm_content?: string;
			readonly label?: string | null;
			readonly description?: string | null;
			/** Rules with the highest number are evaluated first */
			readonly priority?: number;
			readonly is_active?: boolean;
		};
		answer: GetReferrerMappingsAnswerMappings;
	};
	/** Your saved views of a site, and shared ones, by name. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /saved-views": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			/** Screen of the view: a funnel, a query, or a report */
			readonly kind?: "funnel" | "query" | "report" | undefined;
		};
		body: undefined;
		answer: readonly GetSavedViewsAnswer[];
	};
	/** Save a view. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"POST /saved-views": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Screen of the view: a funnel, a query, or a report */
			readonly kind: "funnel" | "query" | "report";
			readonly name: string;
			/** The saved query, in a format defined by its screen; at most 16 KB */
			readonly definition: Readonly<Record<string, unknown>>;
			/** Visible to all users of the site. Sharing needs the editor role */
			readonly is_shared?: boolean;
		};
		answer: GetSavedViewsAnswer;
	};
	/** Remove a view of yours; admins may remove all shared views. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"DELETE /saved-views/{id}": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: undefined;
	};
	/** One saved view. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /saved-views/{id}": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetSavedViewsAnswer;
	};
	/** Change a view of yours; admins may change all shared views. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"PATCH /saved-views/{id}": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly name?: string;
			/** The saved query, in a format defined by its screen; at most 16 KB */
			readonly definition?: Readonly<Record<string, unknown>>;
			/** Visible to all users of the site. Sharing needs the editor role */
			readonly is_shared?: boolean;
		};
		answer: GetSavedViewsAnswer;
	};
	/** Segments of a site, the system ones first. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /segments": {
		path: Nothing;
		query: {
			/** Slug of the site */
			readonly account_id: string;
			readonly include_system?: boolean | undefined;
		};
		body: undefined;
		answer: readonly {
			readonly id: string;
			readonly name: string;
			readonly display_name: string;
			readonly description: string | null;
			readonly color: string | null;
			readonly is_system: boolean;
			/** Number of conditions */
			readonly filter_count: number;
		}[];
	};
	/** Save a segment. Requires the role editor on the site, or a higher one. API keys are refused. */
	"POST /segments": {
		path: Nothing;
		query: {
			/** Slug of the site */
			readonly account_id: string;
		};
		body: {
			readonly name: string;
			readonly display_name: string;
			readonly description?: string | null;
			readonly color?: string | null;
			readonly filters: PostSegmentsBodyFilters;
		};
		answer: PostSegmentsAnswer;
	};
	/** Remove a segment. Requires the role editor on the site, or a higher one. API keys are refused. */
	"DELETE /segments/{id}": {
		path: {
			/** Id or name of a segment */
			readonly id: string;
		};
		query: {
			/** Slug of the site */
			readonly account_id: string;
		};
		body: undefined;
		answer: undefined;
	};
	/** One segment. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /segments/{id}": {
		path: {
			/** Id or name of a segment */
			readonly id: string;
		};
		query: {
			/** Slug of the site */
			readonly account_id: string;
		};
		body: undefined;
		answer: PostSegmentsAnswer;
	};
	/** Change a segment. Requires the role editor on the site, or a higher one. API keys are refused. */
	"PATCH /segments/{id}": {
		path: {
			/** Id or name of a segment */
			readonly id: string;
		};
		query: {
			/** Slug of the site */
			readonly account_id: string;
		};
		body: PatchSegmentsIdBody;
		answer: PostSegmentsAnswer;
	};
	/** Change a segment. Requires the role editor on the site, or a higher one. API keys are refused. */
	"PUT /segments/{id}": {
		path: {
			/** Id or name of a segment */
			readonly id: string;
		};
		query: {
			/** Slug of the site */
			readonly account_id: string;
		};
		body: PatchSegmentsIdBody;
		answer: PostSegmentsAnswer;
	};
	/** Copy a segment under a new name. Requires the role editor on the site, or a higher one. API keys are refused. */
	"POST /segments/{id}/duplicate": {
		path: {
			/** Id or name of a segment */
			readonly id: string;
		};
		query: {
			/** Slug of the site */
			readonly account_id: string;
			readonly new_name: string;
		};
		body: undefined;
		answer: PostSegmentsAnswer;
	};
	/** Open a share link. Returns a bearer token, valid for 60 minutes, that reads the shared reports of one site and nothing else. It ends when the link is changed, disabled or removed. A link that shows nothing is 404, whatever the reason. Public. */
	"POST /share/{token}/session": {
		path: {
			/** Token of the shared URL */
			readonly token: string;
		};
		query: Nothing;
		body: {
			readonly password?: string;
		};
		answer: {
			/** Bearer token for the reports of this link */
			readonly access_token: string;
			readonly token_type: "bearer";
			/** Seconds */
			readonly expires_in: number;
			readonly site: {
				readonly id: string;
				readonly name: string;
				readonly timezone: string;
				readonly currency: string;
			};
			readonly lists: readonly ("channels" | "sources" | "mediums" | "campaigns" | "terms" | "contents" | "referrers" | "pages" | "landing_pages" | "exit_pages" | "content_groups" | "countries" | "devices" | "browsers" | "systems" | "conversions" | "microconversions" | "properties" | "hours")[];
			readonly may_filter: boolean;
			/** Origins that may embed the report */
			readonly embed_origins: readonly string[];
		};
	};
	/** Sites that the caller can access. Requires a signed-in user, or an API key with the scope `sites:read`. */
	"GET /sites": {
		path: Nothing;
		query: {
			readonly include_inactive?: boolean | undefined;
		};
		body: undefined;
		answer: {
			readonly sites: readonly {
				readonly id: string;
				readonly name: string;
				readonly domains: readonly string[];
				readonly timezone: string;
				readonly currency: string;
				readonly is_active: boolean;
				readonly bot_threshold: number;
				/** Events that the script sends without a call; browsers load a changed script within an hour */
				readonly automatic_events: readonly ("outbound" | "download" | "form" | "not_found" | "scroll")[];
				/** Pages and events that count as a conversion without a call, once a visit, from now on */
				readonly goals: readonly GetSitesAnswerSitesGoals[];
				readonly data_retention_months: number | null;
				/** A shorter retention that was set and is not in effect yet */
				readonly data_retention_pending: {
					readonly months: number;
					readonly applies_at: string;
				} | null;
				/** When a deleted site is purged with all its data; null = not deleted */
				readonly purge_at: string | null;
				readonly lens_tier: "guard";
				readonly created_at: string;
				readonly updated_at: string | null;
				readonly created_by: number | null;
				readonly user_count: number;
				readonly role: "viewer" | "editor" | "admin" | "owner";
				/** Created in the last 30 days, and without data from before yesterday in the site's time zone, imports included */
				readonly is_new: boolean;
			}[];
			readonly total: number;
			/** Sites that the caller can access but not from this address; they are left out of the list */
			readonly ip_filtered_accounts: readonly string[];
		};
	};
	/** Create a site. Requires a signed-in user. */
	"POST /sites": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly name: string;
			readonly domains?: readonly string[];
			/** IANA zone */
			readonly timezone?: string;
			/** ISO 4217 */
			readonly currency?: string;
			readonly org_id?: string | null;
		};
		answer: PostSitesAnswer;
	};
	/** Time zones that a site can be set to. Requires a signed-in user, or an API key with the scope `sites:read`. */
	"GET /sites/config/timezones": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly timezones: readonly {
				readonly timezone: string;
				readonly country_code: string;
				readonly country_name: string;
			}[];
			readonly total: number;
		};
	};
	/** Delete a site: it stops collecting, stays readable, and is purged after 30 days. Requires the role owner on the site, or a higher one. API keys are refused. */
	"DELETE /sites/{id}": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly deleted: true;
			readonly site_id: string;
		};
	};
	/** One site. Requires the role viewer on the site, or a higher one. API keys need the scope `sites:read`. Open to connected apps. */
	"GET /sites/{id}": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly id: string;
			readonly name: string;
			readonly domains: readonly string[];
			readonly timezone: string;
			readonly currency: string;
			readonly is_active: boolean;
			readonly bot_threshold: number;
			/** Events that the script sends without a call; browsers load a changed script within an hour */
			readonly automatic_events: readonly ("outbound" | "download" | "form" | "not_found" | "scroll")[];
			/** Pages and events that count as a conversion without a call, once a visit, from now on */
			readonly goals: readonly GetSitesAnswerSitesGoals[];
			readonly data_retention_months: number | null;
			/** A shorter retention that was set and is not in effect yet */
			readonly data_retention_pending: {
				readonly months: number;
				readonly applies_at: string;
			} | null;
			/** When a deleted site is purged with all its data; null = not deleted */
			readonly purge_at: string | null;
			readonly lens_tier: "guard";
			readonly created_at: string;
			readonly updated_at: string | null;
			readonly created_by: number | null;
			readonly user_count: number;
			readonly role: "viewer" | "editor" | "admin" | "owner";
			readonly is_own: boolean;
			readonly organization_role: "member" | "admin" | "owner" | null;
			readonly org_name: string | null;
			readonly org_slug: string | null;
			readonly owner_email: string | null;
			/** Features of the organization's plan that not every plan has; writes to other features are refused */
			readonly plan_features: readonly ("webhooks" | "audit" | "ip_allowlist")[];
		};
	};
	/** Change a site's settings. Requires the role admin on the site, or a higher one. API keys are refused. */
	"PATCH /sites/{id}": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: {
			readonly name?: string;
			/** IANA zone */
			readonly timezone?: string;
			/** ISO 4217 */
			readonly currency?: string;
			readonly is_active?: boolean;
			readonly bot_threshold?: number;
			/** Events that the script sends without a call; browsers load a changed script within an hour */
			readonly automatic_events?: readonly ("outbound" | "download" | "form" | "not_found" | "scroll")[];
			/** Pages and events that count as a conversion without a call, once a visit, from now on. The list replaces the one before; a goal without `id` is new */
			readonly goals?: readonly {
				/** Given by the service; rows that the goal counted carry it as the property `goal_id` */
				readonly id?: string;
				readonly name: string;
				/** `page`: a page view by its path; `event`: a micro-conversion by its type */
				readonly kind: "page" | "event";
				/** Path of the page, or type of the micro-conversion, as a whole: `*` stands for any characters but `/`, `**` for any characters */
				readonly pattern: string;
				/** Events count as conversions only */
				readonly counts_as?: "conversion" | "microconversion";
				readonly conversion_type: string;
				/** Of each conversion, in the site's currency */
				readonly amount?: number;
			}[];
			readonly data_retention_months?: number | null;
			/** The site's id, required when `data_retention_months` gets shorter */
			readonly confirm?: string;
		};
		answer: PostSitesAnswer;
	};
	/** Delete data of some days or all days. Requires the role owner on the site, or a higher one. API keys are refused. */
	"DELETE /sites/{id}/data": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: {
			readonly from?: string | null;
			readonly to?: string | null;
			/** The site's id, as confirmation: deleted data cannot be restored */
			readonly confirm: string;
		};
		answer: DeleteSitesIdDataAnswer;
	};
	/** Data deletions of a site, newest first. Requires the role admin on the site, or a higher one. API keys are refused. */
	"GET /sites/{id}/data-deletions": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly deletions: readonly DeleteSitesIdDataAnswer[];
			readonly total: number;
		};
	};
	/** One deletion with its progress. Requires the role admin on the site, or a higher one. API keys are refused. */
	"GET /sites/{id}/data-deletions/{deletion_id}": {
		path: {
			/** Site slug */
			readonly id: string;
			readonly deletion_id: number;
		};
		query: Nothing;
		body: undefined;
		answer: DeleteSitesIdDataAnswer;
	};
	/** Remove the domain given in the query. Requires the role admin on the site, or a higher one. API keys are refused. */
	"DELETE /sites/{id}/domains": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: {
			readonly domain: string;
		};
		body: undefined;
		answer: {
			readonly removed: true;
			readonly domain: string;
		};
	};
	/** Authorized domains. Requires the role viewer on the site, or a higher one. API keys need the scope `sites:read`. Open to connected apps. */
	"GET /sites/{id}/domains": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly domains: readonly GetSitesIdDomainsAnswerDomains[];
			readonly total: number;
		};
	};
	/** Authorize a domain and its subdomains. Requires the role admin on the site, or a higher one. API keys are refused. */
	"POST /sites/{id}/domains": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: {
			readonly domain: string;
		};
		answer: GetSitesIdDomainsAnswerDomains;
	};
	/** Remove a domain. Requires the role admin on the site, or a higher one. API keys are refused. */
	"DELETE /sites/{id}/domains/{domain}": {
		path: {
			readonly id: string;
			readonly domain: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly removed: true;
			readonly domain: string;
		};
	};
	/** Count earlier visits that reached a goal. Adds a conversion at the first matching event of each visit that has none of the goal. Safe to repeat; no usage of the plan. Takes at most some ten seconds: see `is_complete`. Requires the role admin on the site, or a higher one. API keys are refused. */
	"POST /sites/{id}/goals/{goal_id}/count-earlier": {
		path: {
			/** Site slug */
			readonly id: string;
			/** `id` of one of the site's `goals` */
			readonly goal_id: string;
		};
		query: Nothing;
		body: {
			/** `true` answers how many visits would be counted */
			readonly dry_run?: boolean;
			/** Only days before this one, to continue where another request ended; the site's current day by default */
			readonly before?: string;
		};
		answer: {
			readonly goal_id: string;
			readonly dry_run: boolean;
			/** Visits that were counted; of a dry run: that would be */
			readonly visits: number;
			readonly from: string | null;
			readonly to: string | null;
			/** Imported page views or events of these days that match; they are not counted, as most have no visits and an import can be undone */
			readonly imported_events: number;
			/** `false`: time ran out; send the request again with `from` as `before` */
			readonly is_complete: boolean;
		};
	};
	/** Tracking snippet. Requires the role viewer on the site, or a higher one. API keys need the scope `sites:read`. Open to connected apps. */
	"GET /sites/{id}/pixel": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly account_id: string;
			readonly site_id: string;
			readonly script_tag: string;
			readonly tracker_url: string;
			readonly instructions: string;
		};
	};
	/** Check whether a page has the snippet and allows it to work. Reads the page (1 MB, 10 seconds, no redirects, no scripts). A tracker added by another script is not found. The limits are those of the site and of the user. Requires the role editor on the site, or a higher one. API keys are refused. At most 10 requests in a minute. At most 20 requests in a minute. */
	"POST /sites/{id}/pixel/check": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: {
			/** URL of the page: https, on a public address */
			readonly url: string;
		};
		answer: {
			readonly url: string;
			readonly status: number | null;
			readonly verdict: "ok" | "no_script" | "other_site" | "csp_blocks" | "unreachable" | "redirected" | "not_html";
			/** Why there was no answer */
			readonly reason?: string;
			/** The page loads a tracker */
			readonly script_found: boolean;
			readonly script_site: string | null;
			readonly csp: {
				/** Whether the page's content policy admits the script */
				readonly script_src_ok: boolean;
				/** Whether the page's content policy admits what it sends */
				readonly connect_src_ok: boolean;
				readonly header: string | null;
			} | null;
			/** The page, or its redirect target: redirects are not followed */
			readonly final_url: string;
			readonly checked_at: string;
		};
	};
	/** Rejected hits, by reason. Requires the role viewer on the site, or a higher one. API keys need the scope `sites:read`. Open to connected apps. */
	"GET /sites/{id}/pixel/rejections": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: {
			readonly minutes?: number | undefined;
		};
		body: undefined;
		answer: {
			readonly account_id: string;
			readonly window_minutes: number;
			readonly available: boolean;
			readonly accepted: number;
			readonly rejected: number;
			readonly reasons: readonly {
				readonly reason: string;
				readonly count: number;
				/** These hits were accepted; conversions count with amount 0 */
				readonly counted?: true;
				readonly origins: readonly {
					readonly origin: string;
					readonly count: number;
				}[];
			}[];
		};
	};
	/** Whether the snippet is installed. Requires the role viewer on the site, or a higher one. API keys need the scope `sites:read`. Open to connected apps. */
	"GET /sites/{id}/pixel/status": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly account_id: string;
			readonly site_id: string;
			/** A hit was accepted in the last 14 days */
			readonly installed: boolean;
			readonly first_hit_at: string | null;
			readonly last_hit_at: string | null;
			/** In the last 14 days */
			readonly total_hits: number;
			/** Requests for `/t.js` of the site since the service started; browsers cache it for an hour. With several processes: in the last fourteen days, at most five seconds late */
			readonly script_requests: number;
			readonly last_script_request_at: string | null;
		};
	};
	/** Share links of a site. Requires the role admin on the site, or a higher one. API keys are refused. */
	"GET /sites/{id}/share-links": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: undefined;
		answer: readonly GetSitesIdShareLinksAnswer[];
	};
	/** Create a share link. Requires the role admin on the site, or a higher one. API keys are refused. */
	"POST /sites/{id}/share-links": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: {
			/** Internal name; readers do not see it */
			readonly name: string;
			readonly password?: string | null;
			readonly segment_id?: string | null;
			/** Lists shown beside the overview */
			readonly lists?: readonly ("channels" | "sources" | "mediums" | "campaigns" | "terms" | "contents" | "referrers" | "pages" | "landing_pages" | "exit_pages" | "content_groups" | "countries" | "devices" | "browsers" | "systems" | "conversions" | "microconversions" | "properties" | "hours")[];
			/** Readers may filter by the dimensions shown */
			readonly may_filter?: boolean;
			/** Origins that may embed the report: scheme, host and port, such as https://www.example.com */
			readonly embed_origins?: readonly string[];
			readonly expires_at?: string | null;
		};
		answer: GetSitesIdShareLinksAnswer;
	};
	/** Remove a share link. Requires the role admin on the site, or a higher one. API keys are refused. */
	"DELETE /sites/{id}/share-links/{link_id}": {
		path: {
			/** Site slug */
			readonly id: string;
			readonly link_id: string;
		};
		query: Nothing;
		body: undefined;
		answer: undefined;
	};
	/** Change a share link, or disable it. A change ends open reports: their page opens the link again. Requires the role admin on the site, or a higher one. API keys are refused. */
	"PATCH /sites/{id}/share-links/{link_id}": {
		path: {
			/** Site slug */
			readonly id: string;
			readonly link_id: string;
		};
		query: Nothing;
		body: {
			readonly name?: string;
			/** null removes the password */
			readonly password?: string | null;
			readonly segment_id?: string | null;
			/** Lists shown beside the overview */
			readonly lists?: readonly ("channels" | "sources" | "mediums" | "campaigns" | "terms" | "contents" | "referrers" | "pages" | "landing_pages" | "exit_pages" | "content_groups" | "countries" | "devices" | "browsers" | "systems" | "conversions" | "microconversions" | "properties" | "hours")[];
			readonly may_filter?: boolean;
			/** Origins that may embed the report: scheme, host and port, such as https://www.example.com */
			readonly embed_origins?: readonly string[];
			readonly expires_at?: string | null;
			readonly is_active?: boolean;
		};
		answer: GetSitesIdShareLinksAnswer;
	};
	/** Give a share link a new URL. The old URL shows nothing from now on, on its page and in every frame. Requires the role admin on the site, or a higher one. API keys are refused. */
	"POST /sites/{id}/share-links/{link_id}/renew": {
		path: {
			/** Site slug */
			readonly id: string;
			readonly link_id: string;
		};
		query: Nothing;
		body: undefined;
		answer: GetSitesIdShareLinksAnswer;
	};
	/** Users with access to a site. Requires the role viewer on the site, or a higher one. API keys need the scope `sites:read`. Open to connected apps. */
	"GET /sites/{id}/users": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly users: readonly GetSitesIdUsersAnswerUsers[];
			readonly total: number;
		};
	};
	/** Give a user of the organization a role on a site. Requires the role admin on the site, or a higher one. API keys are refused. */
	"POST /sites/{id}/users": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: {
			readonly user_id: number;
			readonly role?: "viewer" | "editor" | "admin" | "owner";
		};
		answer: GetSitesIdUsersAnswerUsers;
	};
	/** Remove a user's role on a site. Requires the role admin on the site, or a higher one. API keys are refused. */
	"DELETE /sites/{id}/users/{user_id}": {
		path: {
			readonly id: string;
			readonly user_id: number;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly removed: true;
			readonly user_id: number;
		};
	};
	/** Change a user's role on a site. Requires the role admin on the site, or a higher one. API keys are refused. */
	"PATCH /sites/{id}/users/{user_id}": {
		path: {
			readonly id: string;
			readonly user_id: number;
		};
		query: Nothing;
		body: {
			readonly role: "viewer" | "editor" | "admin" | "owner";
		};
		answer: GetSitesIdUsersAnswerUsers;
	};
	/** Remove the UTM mapping given in the query. Requires the role editor on the site, or a higher one. API keys are refused. */
	"DELETE /sites/{id}/utm-mappings": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: {
			readonly custom_param: string;
		};
		body: undefined;
		answer: {
			readonly removed: true;
			readonly custom_param: string;
		};
	};
	/** UTM mappings. Requires the role viewer on the site, or a higher one. API keys need the scope `sites:read`. Open to connected apps. */
	"GET /sites/{id}/utm-mappings": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly mappings: readonly GetSitesIdUtmMappingsAnswerMappings[];
			readonly total: number;
		};
	};
	/** Change the UTM mapping given in the query. Requires the role editor on the site, or a higher one. API keys are refused. */
	"PATCH /sites/{id}/utm-mappings": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: {
			readonly mapping_id: number;
		};
		body: {
			readonly maps_to?: "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content";
			readonly is_active?: boolean;
		};
		answer: GetSitesIdUtmMappingsAnswerMappings;
	};
	/** Map a custom parameter to a campaign field. Requires the role editor on the site, or a higher one. API keys are refused. */
	"POST /sites/{id}/utm-mappings": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: {
			readonly custom_param: string;
			readonly maps_to: "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content";
		};
		answer: GetSitesIdUtmMappingsAnswerMappings;
	};
	/** Remove a UTM mapping. Requires the role editor on the site, or a higher one. API keys are refused. */
	"DELETE /sites/{id}/utm-mappings/{mapping_id}": {
		path: {
			readonly id: string;
			/** In this operation the `custom_param` */
			readonly mapping_id: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly removed: true;
			readonly custom_param: string;
		};
	};
	/** Change a UTM mapping. Requires the role editor on the site, or a higher one. API keys are refused. */
	"PATCH /sites/{id}/utm-mappings/{mapping_id}": {
		path: {
			readonly id: string;
			readonly mapping_id: number;
		};
		query: Nothing;
		body: {
			readonly maps_to?: "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content";
			readonly is_active?: boolean;
		};
		answer: GetSitesIdUtmMappingsAnswerMappings;
	};
	/** Conversions by type, over several sites. Requires a signed-in superadmin. */
	"GET /stats/aggregate/conversions": {
		path: Nothing;
		query: {
			/** Slugs of two or more sites; repeat it. Dates are in the time zone of the first one */
			readonly account_ids: readonly string[];
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			readonly sort_by?: "count" | "revenue" | "avg_value" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				readonly conversion_type: string;
				readonly count: number;
				readonly revenue: number;
				readonly avg_value: number;
				/** Number of sites that count in this row */
				readonly account_count: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
		};
	};
	/** Traffic by device type, over several sites. Requires a signed-in superadmin. */
	"GET /stats/aggregate/devices": {
		path: Nothing;
		query: {
			/** Slugs of two or more sites; repeat it. Dates are in the time zone of the first one */
			readonly account_ids: readonly string[];
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly {
			readonly name: string;
			readonly conversion_rate: number;
			readonly entrances: number;
			readonly engaged_entrances: number;
			readonly page_views: number;
			readonly microconversions: number;
			readonly conversions: number;
			readonly revenue: number;
			readonly bounce_rate: number;
			/** Share of all entrances */
			readonly percentage: number;
		}[];
	};
	/** Traffic by country, over several sites. Requires a signed-in superadmin. */
	"GET /stats/aggregate/geo/countries": {
		path: Nothing;
		query: GetStatsAggregateGeoCountriesQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				readonly country: string;
				readonly country_name: string;
				readonly entrances: number;
				readonly engaged_entrances: number;
				readonly page_views: number;
				readonly microconversions: number;
				readonly conversions: number;
				readonly revenue: number;
				readonly bounce_rate: number;
				/** Number of sites that count in this row */
				readonly account_count: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
		};
	};
	/** Sessions by landing page, over several sites. Requires a signed-in superadmin. */
	"GET /stats/aggregate/landing-pages": {
		path: Nothing;
		query: {
			/** Slugs of two or more sites; repeat it. Dates are in the time zone of the first one */
			readonly account_ids: readonly string[];
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			readonly sort_by?: "entrances" | "engaged_entrances" | "microconversions" | "conversions" | "revenue" | "bounce_rate" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				readonly landing_page: string;
				readonly content_grouping: string;
				readonly entrances: number;
				readonly engaged_entrances: number;
				readonly bounce_rate: number;
				readonly microconversions: number;
				readonly conversions: number;
				readonly conversion_rate: number;
				readonly revenue: number;
				/** Number of sites that count in this row */
				readonly account_count: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
		};
	};
	/** Traffic by medium, over several sites. Requires a signed-in superadmin. */
	"GET /stats/aggregate/mediums": {
		path: Nothing;
		query: GetStatsAggregateGeoCountriesQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				readonly name: string;
				readonly utm_medium: string;
				readonly conversion_rate: number;
				readonly entrances: number;
				readonly engaged_entrances: number;
				readonly page_views: number;
				readonly microconversions: number;
				readonly conversions: number;
				readonly revenue: number;
				readonly bounce_rate: number;
				readonly utm_source: string | null;
				readonly utm_campaign: string | null;
				/** Number of sites that count in this row */
				readonly account_count: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
		};
	};
	/** Headline figures of several sites. Requires a signed-in superadmin. */
	"GET /stats/aggregate/overview": {
		path: Nothing;
		query: {
			/** Slugs of two or more sites; repeat it. Dates are in the time zone of the first one */
			readonly account_ids: readonly string[];
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "none" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that includes today is compared with the same part of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Adds daily series */
			readonly include_series?: boolean | undefined;
			/** Adds the figures of each site */
			readonly include_per_account?: boolean | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly account_ids: readonly string[];
			readonly account_count: number;
			readonly date_range: {
				readonly start_date: string;
				readonly end_date: string;
			};
			readonly traffic: {
				/** Number of sites that count in this row */
				readonly account_count: number;
				readonly entrances: number;
				readonly engaged_entrances: number;
				readonly page_views: number;
				readonly microconversions: number;
				readonly conversions: number;
				readonly revenue: number;
				readonly bounce_rate: number;
				readonly pages_per_session: number;
				readonly conversion_rate: number;
				readonly by_account?: readonly {
					readonly account_id: string;
					readonly entrances: number;
					readonly engaged_entrances: number;
					readonly page_views: number;
					readonly microconversions: number;
					readonly conversions: number;
					readonly revenue: number;
					readonly bounce_rate: number;
					readonly conversion_rate: number;
				}[];
			};
			readonly conversions: GetStatsAggregateOverviewAnswerConversions;
			readonly comparison?: {
				readonly date_range: {
					readonly start_date: string;
					readonly end_date: string;
				};
				readonly entrances: number;
				readonly engaged_entrances: number;
				readonly page_views: number;
				readonly microconversions: number;
				readonly conversions: number;
				readonly revenue: number;
				readonly bounce_rate: number;
				readonly conversion_rate: number;
			};
			readonly entrances_series?: GetStatsAggregateOverviewAnswerEntrancesSeries;
			readonly page_views_series?: GetStatsAggregateOverviewAnswerEntrancesSeries;
			readonly conversions_series?: GetStatsAggregateOverviewAnswerEntrancesSeries;
		};
	};
	/** Page views by page, over several sites. Requires a signed-in superadmin. */
	"GET /stats/aggregate/pages": {
		path: Nothing;
		query: {
			/** Slugs of two or more sites; repeat it. Dates are in the time zone of the first one */
			readonly account_ids: readonly string[];
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			readonly sort_by?: "entrances" | "engaged_entrances" | "page_views" | "conversions" | "bounce_rate" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				readonly path: string;
				readonly content_grouping: string;
				readonly entrances: number;
				readonly engaged_entrances: number;
				readonly page_views: number;
				readonly conversions: number;
				readonly bounce_rate: number;
				/** Number of sites that count in this row */
				readonly account_count: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
		};
	};
	/** Traffic by source, over several sites. Requires a signed-in superadmin. */
	"GET /stats/aggregate/sources": {
		path: Nothing;
		query: GetStatsAggregateGeoCountriesQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				readonly name: string;
				readonly utm_source: string;
				readonly conversion_rate: number;
				readonly entrances: number;
				readonly engaged_entrances: number;
				readonly page_views: number;
				readonly microconversions: number;
				readonly conversions: number;
				readonly revenue: number;
				readonly bounce_rate: number;
				readonly utm_medium: string | null;
				readonly utm_campaign: string | null;
				/** Number of sites that count in this row */
				readonly account_count: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
		};
	};
	/** Traffic by browser. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `browsers`. */
	"GET /stats/browsers": {
		path: Nothing;
		query: GetStatsBrowsersQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				readonly browser: string;
				readonly entrances: number;
				readonly engaged_entrances: number;
				readonly page_views: number;
				readonly microconversions: number;
				readonly conversions: number;
				readonly revenue: number;
				readonly bounce_rate: number;
				/** Only with `include` */
				readonly visitors?: number;
				/** Only with `include` */
				readonly visit_duration?: number;
				/** Share of all entrances */
				readonly percentage: number;
				/** Only with `compare` */
				readonly entrances_prev?: number;
				/** Only with `compare` */
				readonly engaged_entrances_prev?: number;
				/** Only with `compare` */
				readonly page_views_prev?: number;
				/** Only with `compare` */
				readonly microconversions_prev?: number;
				/** Only with `compare` */
				readonly conversions_prev?: number;
				/** Only with `compare` */
				readonly revenue_prev?: number;
				/** Only with `compare` */
				readonly bounce_rate_prev?: number;
				/** Only with `compare` */
				readonly visitors_prev?: number;
				/** Only with `compare` */
				readonly visit_duration_prev?: number;
				/** Only with `compare` */
				readonly percentage_prev?: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: GetStatsBrowsersAnswerComparison;
			readonly meta?: GetStatsBrowsersAnswerMeta;
		};
	};
	/** Traffic by campaign. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `campaigns`. */
	"GET /stats/campaigns": {
		path: Nothing;
		query: GetStatsCampaignsQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly GetStatsCampaignsAnswerData[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: GetStatsCampaignsAnswerComparison;
			/** Only with `include_totals` */
			readonly totals?: GetStatsCampaignsAnswerComparison;
			readonly meta?: GetStatsBrowsersAnswerMeta;
		};
	};
	/** Top campaigns. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `campaigns`. */
	"GET /stats/campaigns/top": {
		path: Nothing;
		query: GetStatsCampaignsTopQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly GetStatsCampaignsAnswerData[];
	};
	/** Traffic by channel. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `channels`. */
	"GET /stats/channels": {
		path: Nothing;
		query: GetStatsCampaignsQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly GetStatsChannelsAnswerData[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: GetStatsChannelsAnswerComparison;
			/** Only with `include_totals` */
			readonly totals?: GetStatsChannelsAnswerComparison;
			readonly meta?: GetStatsBrowsersAnswerMeta;
		};
	};
	/** Traffic by content. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `contents`. */
	"GET /stats/contents": {
		path: Nothing;
		query: GetStatsCampaignsQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly GetStatsContentsAnswerData[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: GetStatsCampaignsAnswerComparison;
			/** Only with `include_totals` */
			readonly totals?: GetStatsCampaignsAnswerComparison;
			readonly meta?: GetStatsBrowsersAnswerMeta;
		};
	};
	/** Top contents. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `contents`. */
	"GET /stats/contents/top": {
		path: Nothing;
		query: GetStatsCampaignsTopQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly GetStatsContentsAnswerData[];
	};
	/** List of items of conversions of the last two years. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. */
	"GET /stats/conversion-items/raw": {
		path: Nothing;
		query: GetStatsConversionItemsRawQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				/** Day in the site's time zone */
				readonly date: string;
				readonly hour: number;
				readonly timestamp_utc: string;
				/** The same instant with the UTC offset of the site */
				readonly timestamp_local: string;
				readonly conversion_type: string;
				readonly country: string;
				readonly device_type: string;
				readonly channel_group: string;
				readonly utm_source: string;
				readonly utm_medium: string;
				readonly utm_campaign: string;
				readonly utm_term: string;
				readonly utm_content: string;
				readonly landing_page: string;
				readonly browser: string;
				readonly os: string;
				readonly properties: Readonly<Record<string, string>>;
				/** Click id of the session, else empty */
				readonly clid: string;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: {
				/** Rows of the comparison period */
				readonly total: number;
			};
			readonly meta?: {
				/** Only with `compare`, where the comparison period starts before it: the site's first day with data */
				readonly baseline_start?: string;
			};
		};
	};
	/** Conversions by type. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `conversions`. */
	"GET /stats/conversions": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that includes today is compared with the same part of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			readonly sort_by?: "count" | "revenue" | "avg_value" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Type of the event; repeat it to allow several values */
			readonly conversion_type?: readonly string[] | undefined;
			/** Add the SQL and the engine's time to `meta` */
			readonly explain?: boolean | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				readonly conversion_type: string;
				readonly count: number;
				readonly revenue: number;
				readonly avg_value: number;
				/** Only with `compare` */
				readonly count_prev?: number;
				/** Only with `compare` */
				readonly revenue_prev?: number;
				/** Only with `compare` */
				readonly avg_value_prev?: number;
				readonly by_source: readonly {
					readonly utm_source: string;
					readonly utm_medium: string;
					readonly utm_campaign: string;
					readonly utm_term: string;
					readonly utm_content: string;
					readonly conversions: number;
					readonly revenue: number;
					/** Share of the row */
					readonly percentage: number;
				}[];
				readonly by_country: readonly {
					readonly country: string;
					readonly conversions: number;
					readonly revenue: number;
					/** Share of the row */
					readonly percentage: number;
				}[];
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: {
				readonly count: number;
				readonly revenue: number;
				readonly avg_value: number;
			};
			readonly meta?: GetStatsBrowsersAnswerMeta;
		};
	};
	/** List of conversions. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. */
	"GET /stats/conversions/raw": {
		path: Nothing;
		query: GetStatsConversionItemsRawQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				/** The same as `timestamp_utc` */
				readonly timestamp: string;
				/** Day in the site's time zone */
				readonly date: string;
				readonly hour: number;
				readonly timestamp_utc: string;
				/** The same instant with the UTC offset of the site */
				readonly timestamp_local: string;
				readonly conversion_type: string;
				readonly country: string;
				readonly device_type: string;
				readonly channel_group: string;
				readonly utm_source: string;
				readonly utm_medium: string;
				readonly utm_campaign: string;
				readonly utm_term: string;
				readonly utm_content: string;
				readonly landing_page: string;
				readonly browser: string;
				readonly os: string;
				readonly properties: Readonly<Record<string, string>>;
				readonly amount: number;
				/** Click id of the session, else empty */
				readonly clid: string;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: {
				/** Rows of the comparison period */
				readonly total: number;
			};
			readonly meta?: {
				/** Only with `compare`, where the comparison period starts before it: the site's first day with data */
				readonly baseline_start?: string;
			};
		};
	};
	/** Traffic by device type, browser and operating system. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. */
	"GET /stats/devices": {
		path: Nothing;
		query: GetStatsDevicesQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly by_device: readonly GetStatsDevicesAnswerByDevice[];
			readonly by_browser: readonly GetStatsDevicesAnswerByBrowser[];
			readonly by_os: readonly GetStatsDevicesAnswerByOs[];
			/** Only with `compare` */
			readonly comparison?: {
				readonly by_device: readonly GetStatsDevicesAnswerByDevice[];
				readonly by_browser: readonly GetStatsDevicesAnswerByBrowser[];
				readonly by_os: readonly GetStatsDevicesAnswerByOs[];
			};
		};
	};
	/** Traffic by device type. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `devices`. */
	"GET /stats/devices/types": {
		path: Nothing;
		query: GetStatsBrowsersQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				readonly device_type: string;
				readonly device: string;
				readonly entrances: number;
				readonly engaged_entrances: number;
				readonly page_views: number;
				readonly microconversions: number;
				readonly conversions: number;
				readonly revenue: number;
				readonly bounce_rate: number;
				/** Only with `include` */
				readonly visitors?: number;
				/** Only with `include` */
				readonly visit_duration?: number;
				/** Share of all entrances */
				readonly percentage: number;
				/** Only with `compare` */
				readonly entrances_prev?: number;
				/** Only with `compare` */
				readonly engaged_entrances_prev?: number;
				/** Only with `compare` */
				readonly page_views_prev?: number;
				/** Only with `compare` */
				readonly microconversions_prev?: number;
				/** Only with `compare` */
				readonly conversions_prev?: number;
				/** Only with `compare` */
				readonly revenue_prev?: number;
				/** Only with `compare` */
				readonly bounce_rate_prev?: number;
				/** Only with `compare` */
				readonly visitors_prev?: number;
				/** Only with `compare` */
				readonly visit_duration_prev?: number;
				/** Only with `compare` */
				readonly percentage_prev?: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: GetStatsBrowsersAnswerComparison;
			readonly meta?: GetStatsBrowsersAnswerMeta;
		};
	};
	/** Exit pages: the last pages of visits. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `exit_pages`. */
	"GET /stats/exit-pages": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that includes today is compared with the same part of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			readonly sort_by?: "exits" | "exit_rate" | "page_views" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Text that the row's key contains, case-insensitive */
			readonly search?: string | undefined;
			/** Add totals over all pages */
			readonly include_totals?: boolean | undefined;
			/** Add the SQL and the engine's time to `meta` */
			readonly explain?: boolean | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				readonly path: string;
				/** Visits whose last page view this was */
				readonly exits: number;
				/** Exits as a share of the page views, 0-100 */
				readonly exit_rate: number;
				/** Page views of visits */
				readonly page_views: number;
				/** Only with `compare` */
				readonly exits_prev?: number;
				/** Only with `compare` */
				readonly exit_rate_prev?: number;
				/** Only with `compare` */
				readonly page_views_prev?: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: GetStatsExitPagesAnswerComparison;
			/** Only with `include_totals` */
			readonly totals?: GetStatsExitPagesAnswerComparison;
			readonly meta?: GetStatsBrowsersAnswerMeta;
		};
	};
	/** Explain the change of a metric by dimension values. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. */
	"POST /stats/explain": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
		};
		body: {
			readonly metric: "entrances" | "engaged_entrances" | "page_views" | "microconversions" | "conversions" | "revenue" | "visitors";
			/** First day, in the site's time zone */
			readonly date_from: string;
			/** Last day */
			readonly date_to: string;
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | null;
			readonly compare_start?: string | null;
			readonly compare_end?: string | null;
			readonly compare_align?: "elapsed" | null;
			readonly dimensions?: readonly ("channel_group" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "referrer_domain" | "landing_page" | "content_grouping" | "country" | "device_type" | "browser" | "os" | "path" | "conversion_type")[] | null;
			readonly filters?: PostStatsExplainBodyFilters | null;
		};
		answer: {
			readonly total: {
				readonly now: number;
				readonly before: number;
				/** `now` less `before` */
				readonly change: number;
			};
			readonly dimensions: readonly {
				readonly name: "channel_group" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "referrer_domain" | "landing_page" | "content_grouping" | "country" | "device_type" | "browser" | "os" | "path" | "conversion_type";
				/** Share of all movement within the dimension that the rows account for, 0-100 */
				readonly explained: number;
				/** The largest changes first, in either direction */
				readonly rows: readonly {
					readonly value: string;
					readonly now: number;
					readonly before: number;
					/** `now` less `before` */
					readonly change: number;
					/** Of the total change, in percent; negative for a change in the other direction */
					readonly share: number;
				}[];
			}[];
		};
	};
	/** Traffic, events and revenue by source. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. */
	"GET /stats/funnel": {
		path: Nothing;
		query: GetStatsDevicesQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly account_id: string;
			readonly date_from: string;
			readonly date_to: string;
			/** At most 1,000, by entrances */
			readonly rows: readonly {
				readonly utm_source: string;
				readonly utm_medium: string;
				readonly utm_campaign: string;
				readonly utm_term: string;
				readonly utm_content: string;
				readonly entrances: number;
				readonly page_views: number;
				/** Count by type, for the 1,000 most frequent types */
				readonly microconversions: Readonly<Record<string, number>>;
				/** Count by type, for the 1,000 most frequent types */
				readonly conversions: Readonly<Record<string, number>>;
				/** Sum by type of conversion */
				readonly revenue: Readonly<Record<string, number>>;
			}[];
			/** Of all rows, not only the listed ones */
			readonly totals: {
				readonly entrances: number;
				readonly page_views: number;
				/** Count by type, for the 1,000 most frequent types */
				readonly microconversions: Readonly<Record<string, number>>;
				/** Count by type, for the 1,000 most frequent types */
				readonly conversions: Readonly<Record<string, number>>;
				/** Sum by type of conversion */
				readonly revenue: Readonly<Record<string, number>>;
			};
			readonly microconversion_types: readonly string[];
			readonly conversion_types: readonly string[];
		};
	};
	/** Funnel: sessions that completed steps in order. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. */
	"POST /stats/funnel": {
		path: Nothing;
		query: GetStatsDevicesQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: {
			/** A text that starts with `/` is a page path, or with a final `*` all paths with that prefix; any other text is a type of microconversion or conversion */
			readonly steps: readonly string[];
			readonly name?: string;
		};
		answer: {
			readonly name: string;
			readonly date_range: {
				readonly start_date: string;
				readonly end_date: string;
				readonly days: number;
			};
			readonly steps: readonly {
				readonly step_number: number;
				readonly name: string;
				/** Sessions that completed all steps up to this one, in order */
				readonly count: number;
				/** Share of step 1, 0-100 */
				readonly conversion_rate: number;
				/** Share lost since the previous step, 0-100; 0 at step 1 */
				readonly drop_off_rate: number;
			}[];
			readonly total_entries: number;
			readonly total_completions: number;
			readonly overall_conversion_rate: number;
		};
	};
	/** Traffic by country. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `countries`. */
	"GET /stats/geo/countries": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that includes today is compared with the same part of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			readonly sort_by?: "entrances" | "engaged_entrances" | "page_views" | "conversions" | "revenue" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Add totals over all pages */
			readonly include_totals?: boolean | undefined;
			/** Columns and metrics to add; some reports add metrics only */
			readonly include?: readonly ("device" | "browser" | "os" | "channel_group" | "visitors" | "visit_duration")[] | undefined;
			/** Add the SQL and the engine's time to `meta` */
			readonly explain?: boolean | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				readonly country: string;
				readonly country_name: string;
				readonly entrances: number;
				readonly page_views: number;
				readonly engaged_entrances: number;
				readonly bounce_rate: number;
				readonly conversions: number;
				readonly revenue: number;
				/** Only with `include` */
				readonly visitors?: number;
				/** Only with `include` */
				readonly visit_duration?: number;
				/** Only with `compare` */
				readonly entrances_prev?: number;
				/** Only with `compare` */
				readonly page_views_prev?: number;
				/** Only with `compare` */
				readonly engaged_entrances_prev?: number;
				/** Only with `compare` */
				readonly bounce_rate_prev?: number;
				/** Only with `compare` */
				readonly conversions_prev?: number;
				/** Only with `compare` */
				readonly revenue_prev?: number;
				/** Only with `compare` */
				readonly visitors_prev?: number;
				/** Only with `compare` */
				readonly visit_duration_prev?: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: GetStatsCampaignsAnswerComparison;
			/** Only with `include_totals` */
			readonly totals?: GetStatsCampaignsAnswerComparison;
			readonly meta?: GetStatsBrowsersAnswerMeta;
		};
	};
	/** Sessions by landing page. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `landing_pages`. */
	"GET /stats/landing-pages": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that includes today is compared with the same part of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			readonly sort_by?: "entrances" | "engaged_entrances" | "microconversions" | "conversions" | "revenue" | "bounce_rate" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Add totals over all pages */
			readonly include_totals?: boolean | undefined;
			/** Content group; repeat it to allow several values */
			readonly content_grouping?: readonly string[] | undefined;
			/** `false`: one row for each page, not for each of its content groups */
			readonly include_content_group?: boolean | undefined;
			/** Text that the path contains */
			readonly path_filter?: string | undefined;
			/** Columns and metrics to add; some reports add metrics only */
			readonly include?: readonly ("device" | "browser" | "os" | "channel_group" | "visitors" | "visit_duration")[] | undefined;
			/** Add the five campaign columns */
			readonly include_utm?: boolean | undefined;
			/** Add the SQL and the engine's time to `meta` */
			readonly explain?: boolean | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				readonly landing_page: string;
				/** Not with `include_content_group=false` */
				readonly content_grouping?: string;
				readonly entrances: number;
				readonly engaged_entrances: number;
				readonly bounce_rate: number;
				readonly microconversions: number;
				readonly conversions: number;
				readonly conversion_rate: number;
				readonly revenue: number;
				/** Only with `include` */
				readonly visitors?: number;
				/** Only with `include` */
				readonly visit_duration?: number;
				/** Only with `compare` */
				readonly entrances_prev?: number;
				/** Only with `compare` */
				readonly engaged_entrances_prev?: number;
				/** Only with `compare` */
				readonly bounce_rate_prev?: number;
				/** Only with `compare` */
				readonly microconversions_prev?: number;
				/** Only with `compare` */
				readonly conversions_prev?: number;
				/** Only with `compare` */
				readonly conversion_rate_prev?: number;
				/** Only with `compare` */
				readonly revenue_prev?: number;
				/** Only with `compare` */
				readonly visitors_prev?: number;
				/** Only with `compare` */
				readonly visit_duration_prev?: number;
				readonly utm_source?: string;
				readonly utm_medium?: string;
				readonly utm_campaign?: string;
				readonly utm_term?: string;
				readonly utm_content?: string;
				readonly device_type?: string;
				readonly browser?: string;
				readonly os?: string;
				readonly channel_group?: string;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: GetStatsLandingPagesAnswerComparison;
			/** Only with `include_totals` */
			readonly totals?: GetStatsLandingPagesAnswerComparison;
			readonly meta?: GetStatsBrowsersAnswerMeta;
		};
	};
	/** Sessions by the landing page's content group. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `content_groups`. */
	"GET /stats/landing-pages/by-content-group": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that includes today is compared with the same part of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			readonly sort_by?: "entrances" | "engaged_entrances" | "microconversions" | "conversions" | "revenue" | "bounce_rate" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Add the SQL and the engine's time to `meta` */
			readonly explain?: boolean | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly {
			readonly content_grouping: string;
			readonly entrances: number;
			readonly engaged_entrances: number;
			readonly bounce_rate: number;
			readonly microconversions: number;
			readonly conversions: number;
			readonly conversion_rate: number;
			readonly revenue: number;
			/** Only with `compare` */
			readonly entrances_prev?: number;
			/** Only with `compare` */
			readonly engaged_entrances_prev?: number;
			/** Only with `compare` */
			readonly bounce_rate_prev?: number;
			/** Only with `compare` */
			readonly microconversions_prev?: number;
			/** Only with `compare` */
			readonly conversions_prev?: number;
			/** Only with `compare` */
			readonly conversion_rate_prev?: number;
			/** Only with `compare` */
			readonly revenue_prev?: number;
			readonly unique_pages: number;
		}[];
	};
	/** Top landing pages. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `landing_pages`. */
	"GET /stats/landing-pages/top": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that includes today is compared with the same part of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			readonly sort_by?: "entrances" | "engaged_entrances" | "microconversions" | "conversions" | "revenue" | "bounce_rate" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Content group; repeat it to allow several values */
			readonly content_grouping?: readonly string[] | undefined;
			/** `false`: one row for each page, not for each of its content groups */
			readonly include_content_group?: boolean | undefined;
			/** Columns and metrics to add; some reports add metrics only */
			readonly include?: readonly ("device" | "browser" | "os" | "channel_group" | "visitors" | "visit_duration")[] | undefined;
			readonly limit?: number | undefined;
			/** Add the SQL and the engine's time to `meta` */
			readonly explain?: boolean | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly {
			readonly landing_page: string;
			/** Not with `include_content_group=false` */
			readonly content_grouping?: string;
			readonly entrances: number;
			readonly engaged_entrances: number;
			readonly bounce_rate: number;
			readonly microconversions: number;
			readonly conversions: number;
			readonly conversion_rate: number;
			readonly revenue: number;
			/** Only with `include` */
			readonly visitors?: number;
			/** Only with `include` */
			readonly visit_duration?: number;
			/** Only with `compare` */
			readonly entrances_prev?: number;
			/** Only with `compare` */
			readonly engaged_entrances_prev?: number;
			/** Only with `compare` */
			readonly bounce_rate_prev?: number;
			/** Only with `compare` */
			readonly microconversions_prev?: number;
			/** Only with `compare` */
			readonly conversions_prev?: number;
			/** Only with `compare` */
			readonly conversion_rate_prev?: number;
			/** Only with `compare` */
			readonly revenue_prev?: number;
			/** Only with `compare` */
			readonly visitors_prev?: number;
			/** Only with `compare` */
			readonly visit_duration_prev?: number;
		}[];
	};
	/** Visitors and events of a site now. Figures are at most one second old and include hits within two seconds. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. */
	"GET /stats/live": {
		path: Nothing;
		query: GetStatsLiveQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly now: {
				/** Visits with a hit in the window */
				readonly active_visits: number;
				/** A visit is active for this long after its last hit */
				readonly window_minutes: number;
			};
			/** The last 30 minutes including the current one, oldest first */
			readonly minutes: readonly {
				readonly at: string;
				readonly page_views: number;
				readonly entrances: number;
			}[];
			/** By active visits */
			readonly pages: readonly {
				/** A visit counts for each page it viewed or sent an event from in the window */
				readonly path: string;
				/** Visits with a hit in the window */
				readonly active_visits: number;
			}[];
			/** By active visits */
			readonly sources: readonly {
				/** `utm_source` */
				readonly source: string;
				/** Visits with a hit in the window */
				readonly active_visits: number;
			}[];
			/** By active visits */
			readonly countries: readonly {
				readonly country: string;
				/** Visits with a hit in the window */
				readonly active_visits: number;
			}[];
			/** By active visits */
			readonly devices: readonly {
				readonly device: string;
				/** Visits with a hit in the window */
				readonly active_visits: number;
			}[];
		};
	};
	/** Visitors and events of a site, as a stream. At most 5 streams per user at a time. A stream ends with its credential, and when the caller loses access to the site. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. */
	"GET /stats/live/stream": {
		path: Nothing;
		query: GetStatsLiveQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: Response;
	};
	/** Traffic by medium. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `mediums`. */
	"GET /stats/mediums": {
		path: Nothing;
		query: GetStatsCampaignsQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				readonly utm_medium: string;
				readonly entrances: number;
				readonly page_views: number;
				readonly engaged_entrances: number;
				readonly bounce_rate: number;
				readonly conversions: number;
				readonly revenue: number;
				/** Only with `include` */
				readonly visitors?: number;
				/** Only with `include` */
				readonly visit_duration?: number;
				/** Only with `compare` */
				readonly entrances_prev?: number;
				/** Only with `compare` */
				readonly page_views_prev?: number;
				/** Only with `compare` */
				readonly engaged_entrances_prev?: number;
				/** Only with `compare` */
				readonly bounce_rate_prev?: number;
				/** Only with `compare` */
				readonly conversions_prev?: number;
				/** Only with `compare` */
				readonly revenue_prev?: number;
				/** Only with `compare` */
				readonly visitors_prev?: number;
				/** Only with `compare` */
				readonly visit_duration_prev?: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: GetStatsCampaignsAnswerComparison;
			/** Only with `include_totals` */
			readonly totals?: GetStatsCampaignsAnswerComparison;
			readonly meta?: GetStatsBrowsersAnswerMeta;
		};
	};
	/** Microconversions by type. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `microconversions`. */
	"GET /stats/microconversions": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that includes today is compared with the same part of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			readonly sort_by?: "count" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Type of the event; repeat it to allow several values */
			readonly conversion_type?: readonly string[] | undefined;
			/** Add the SQL and the engine's time to `meta` */
			readonly explain?: boolean | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				readonly conversion_type: string;
				readonly count: number;
				/** Only with `compare` */
				readonly count_prev?: number;
				readonly by_source: readonly {
					readonly utm_source: string;
					readonly utm_medium: string;
					readonly utm_campaign: string;
					readonly utm_term: string;
					readonly utm_content: string;
					readonly count: number;
					/** Share of the row */
					readonly percentage: number;
				}[];
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: {
				readonly count: number;
			};
			readonly meta?: GetStatsBrowsersAnswerMeta;
		};
	};
	/** Types of microconversion in the period. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. */
	"GET /stats/microconversions-types": {
		path: Nothing;
		query: GetStatsDevicesQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly string[];
	};
	/** List of microconversions of the last two years. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. */
	"GET /stats/microconversions/raw": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that includes today is compared with the same part of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			/** Type of the event; repeat it to allow several values */
			readonly conversion_type?: readonly string[] | undefined;
			/** Landing page; repeat it to allow several values */
			readonly landing_page?: readonly string[] | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			/** Alias of `page_size`; takes precedence */
			readonly limit?: number | undefined;
			/** Newest rows first; `sort_by` and `sort_order` are ignored */
			readonly newest_first?: boolean | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				/** Day in the site's time zone */
				readonly date: string;
				readonly hour: number;
				readonly timestamp_utc: string;
				/** The same instant with the UTC offset of the site */
				readonly timestamp_local: string;
				readonly conversion_type: string;
				readonly country: string;
				readonly device_type: string;
				readonly channel_group: string;
				readonly utm_source: string;
				readonly utm_medium: string;
				readonly utm_campaign: string;
				readonly utm_term: string;
				readonly utm_content: string;
				readonly landing_page: string;
				readonly browser: string;
				readonly os: string;
				readonly properties: Readonly<Record<string, string>>;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: {
				/** Rows of the comparison period */
				readonly total: number;
			};
			readonly meta?: {
				/** Only with `compare`, where the comparison period starts before it: the site's first day with data */
				readonly baseline_start?: string;
			};
		};
	};
	/** One type of microconversion. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. */
	"GET /stats/microconversions/{type}": {
		path: {
			/** Type of the event */
			readonly type: string;
		};
		query: GetStatsDevicesQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly conversion_type: string;
			readonly date_from: string;
			readonly date_to: string;
			readonly totals: {
				readonly count: number;
			};
			readonly by_device: readonly {
				readonly device_type: string;
				readonly count: number;
				readonly percentage: number;
			}[];
			readonly by_country: readonly {
				readonly country: string;
				readonly count: number;
				readonly percentage: number;
			}[];
			readonly by_landing_page: readonly {
				readonly landing_page: string;
				readonly count: number;
				readonly percentage: number;
			}[];
			readonly by_source: readonly {
				readonly utm_source: string;
				readonly utm_medium: string;
				readonly count: number;
				readonly percentage: number;
			}[];
		};
	};
	/** Traffic by operating system. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `systems`. */
	"GET /stats/operating-systems": {
		path: Nothing;
		query: GetStatsBrowsersQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				readonly os: string;
				readonly entrances: number;
				readonly engaged_entrances: number;
				readonly page_views: number;
				readonly microconversions: number;
				readonly conversions: number;
				readonly revenue: number;
				readonly bounce_rate: number;
				/** Only with `include` */
				readonly visitors?: number;
				/** Only with `include` */
				readonly visit_duration?: number;
				/** Share of all entrances */
				readonly percentage: number;
				/** Only with `compare` */
				readonly entrances_prev?: number;
				/** Only with `compare` */
				readonly engaged_entrances_prev?: number;
				/** Only with `compare` */
				readonly page_views_prev?: number;
				/** Only with `compare` */
				readonly microconversions_prev?: number;
				/** Only with `compare` */
				readonly conversions_prev?: number;
				/** Only with `compare` */
				readonly revenue_prev?: number;
				/** Only with `compare` */
				readonly bounce_rate_prev?: number;
				/** Only with `compare` */
				readonly visitors_prev?: number;
				/** Only with `compare` */
				readonly visit_duration_prev?: number;
				/** Only with `compare` */
				readonly percentage_prev?: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: GetStatsBrowsersAnswerComparison;
			readonly meta?: GetStatsBrowsersAnswerMeta;
		};
	};
	/** Headline figures of a site. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links. */
	"GET /stats/overview": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that includes today is compared with the same part of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			/** Adds series; `auto`: hourly when both periods are one day each, else daily; hourly for at most 92 days; weeks start on Monday */
			readonly granularity?: "auto" | "hourly" | "daily" | "weekly" | "monthly" | undefined;
			/** Metrics of the series; default: all except the rates. Repeat it */
			readonly series?: readonly ("entrances" | "engaged_entrances" | "page_views" | "microconversions" | "conversions" | "revenue" | "visitors" | "bounce_rate" | "conversion_rate")[] | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly date_range: {
				readonly start_date: string;
				readonly end_date: string;
				readonly days: number;
			};
			readonly traffic: GetStatsOverviewAnswerTraffic;
			readonly conversions: GetStatsAggregateOverviewAnswerConversions;
			readonly traffic_change?: GetStatsOverviewAnswerTraffic;
			readonly conversions_change?: GetStatsAggregateOverviewAnswerConversions;
			readonly entrances_series?: GetStatsOverviewAnswerEntrancesSeries;
			readonly entrances_series_compare?: GetStatsOverviewAnswerEntrancesSeries;
			readonly engaged_entrances_series?: GetStatsOverviewAnswerEntrancesSeries;
			readonly engaged_entrances_series_compare?: GetStatsOverviewAnswerEntrancesSeries;
			readonly page_views_series?: GetStatsOverviewAnswerEntrancesSeries;
			readonly page_views_series_compare?: GetStatsOverviewAnswerEntrancesSeries;
			readonly microconversions_series?: GetStatsOverviewAnswerEntrancesSeries;
			readonly microconversions_series_compare?: GetStatsOverviewAnswerEntrancesSeries;
			readonly conversions_series?: GetStatsOverviewAnswerEntrancesSeries;
			readonly conversions_series_compare?: GetStatsOverviewAnswerEntrancesSeries;
			readonly revenue_series?: GetStatsOverviewAnswerEntrancesSeries;
			readonly revenue_series_compare?: GetStatsOverviewAnswerEntrancesSeries;
			readonly visitors_series?: GetStatsOverviewAnswerEntrancesSeries;
			readonly visitors_series_compare?: GetStatsOverviewAnswerEntrancesSeries;
			readonly bounce_rate_series?: GetStatsOverviewAnswerEntrancesSeries;
			readonly bounce_rate_series_compare?: GetStatsOverviewAnswerEntrancesSeries;
			readonly conversion_rate_series?: GetStatsOverviewAnswerEntrancesSeries;
			readonly conversion_rate_series_compare?: GetStatsOverviewAnswerEntrancesSeries;
		};
	};
	/** Page views by page. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `pages`. */
	"GET /stats/pages": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that includes today is compared with the same part of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			readonly sort_by?: "page_views" | "entrances" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Content group; repeat it to allow several values */
			readonly content_grouping?: readonly string[] | undefined;
			/** `false`: one row for each page, not for each of its content groups */
			readonly include_content_group?: boolean | undefined;
			/** Text that the path contains */
			readonly path_filter?: string | undefined;
			/** Columns and metrics to add; some reports add metrics only */
			readonly include?: readonly ("device" | "browser" | "os" | "channel_group" | "visitors")[] | undefined;
			/** Add the five campaign columns */
			readonly include_utm?: boolean | undefined;
			/** Add the SQL and the engine's time to `meta` */
			readonly explain?: boolean | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				readonly path: string;
				/** Not with `include_content_group=false` */
				readonly content_grouping?: string;
				readonly page_views: number;
				readonly entrances: number;
				/** Only with `include` */
				readonly visitors?: number;
				/** Only with `compare` */
				readonly page_views_prev?: number;
				/** Only with `compare` */
				readonly entrances_prev?: number;
				/** Only with `compare` */
				readonly visitors_prev?: number;
				readonly utm_source?: string;
				readonly utm_medium?: string;
				readonly utm_campaign?: string;
				readonly utm_term?: string;
				readonly utm_content?: string;
				readonly device_type?: string;
				readonly browser?: string;
				readonly os?: string;
				readonly channel_group?: string;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: {
				readonly entrances: number;
				readonly engaged_entrances: number;
				readonly page_views: number;
				readonly conversions: number;
				readonly revenue: number;
				/** Only with `include` */
				readonly visitors?: number;
			};
			readonly meta?: GetStatsBrowsersAnswerMeta;
		};
	};
	/** Page views by content group. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `content_groups`. */
	"GET /stats/pages/content-groups": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that includes today is compared with the same part of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			readonly sort_by?: "page_views" | "entrances" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Add the SQL and the engine's time to `meta` */
			readonly explain?: boolean | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly {
			readonly content_grouping: string;
			readonly page_views: number;
			readonly entrances: number;
			/** Only with `compare` */
			readonly page_views_prev?: number;
			/** Only with `compare` */
			readonly entrances_prev?: number;
			readonly unique_pages: number;
		}[];
	};
	/** Top pages. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `pages`. */
	"GET /stats/pages/top": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that includes today is compared with the same part of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			readonly sort_by?: "page_views" | "entrances" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Columns and metrics to add; some reports add metrics only */
			readonly include?: readonly ("device" | "browser" | "os" | "channel_group" | "visitors")[] | undefined;
			readonly limit?: number | undefined;
			/** Add the SQL and the engine's time to `meta` */
			readonly explain?: boolean | undefined;
		} & GetChannelGroupsStatsChannelsQuery & {
			/** Source */
			readonly utm_source?: string | undefined;
			/** Medium */
			readonly utm_medium?: string | undefined;
			/** Campaign */
			readonly utm_campaign?: string | undefined;
			/** Term */
			readonly utm_term?: string | undefined;
			/** Content */
			readonly utm_content?: string | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown` */
			readonly country?: string | undefined;
			/** `desktop`, `mobile`, `tablet`, or `unknown` for imported rows */
			readonly device_type?: string | undefined;
			/** Browser */
			readonly browser?: string | undefined;
			/** Operating system */
			readonly os?: string | undefined;
			/** Channel */
			readonly channel_group?: string | undefined;
		};
		body: undefined;
		answer: readonly {
			readonly path: string;
			readonly page_views: number;
			readonly entrances: number;
			readonly engaged_entrances: number;
			readonly bounce_rate: number;
			/** Only with `include` */
			readonly visitors?: number;
			/** Only with `compare` */
			readonly page_views_prev?: number;
			/** Only with `compare` */
			readonly entrances_prev?: number;
			/** Only with `compare` */
			readonly engaged_entrances_prev?: number;
			/** Only with `compare` */
			readonly bounce_rate_prev?: number;
			/** Only with `compare` */
			readonly visitors_prev?: number;
		}[];
	};
	/** Values of a property, with their sources. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. */
	"GET /stats/properties/breakdown": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that includes today is compared with the same part of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			/** Type of the event; repeat it to allow several values */
			readonly conversion_type?: readonly string[] | undefined;
			/** Name of the property */
			readonly property_key: string;
			/** Type of the events; `both`: conversions and microconversions */
			readonly table?: "conversions" | "microconversions" | "conversion_items" | "both" | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly property_key: string;
			/** The 100 most frequent ones */
			readonly property_values: readonly string[];
			/** Events with the property, whatever its value */
			readonly total_events: number;
			readonly date_from: string;
			readonly date_to: string;
			/** The 100 sources with the most of these events */
			readonly data: readonly {
				readonly utm_source: string;
				readonly utm_medium: string;
				readonly utm_campaign: string;
				readonly total: number;
				/** Count by value, for the listed values */
				readonly values: Readonly<Record<string, number>>;
			}[];
			/** Count by value, for the listed values */
			readonly totals: Readonly<Record<string, number>>;
		};
	};
	/** Names of event properties. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `properties`. */
	"GET /stats/properties/keys": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that includes today is compared with the same part of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			/** Type of the event; repeat it to allow several values */
			readonly conversion_type?: readonly string[] | undefined;
			/** Type of the events; `both`: conversions and microconversions */
			readonly table?: "conversions" | "microconversions" | "conversion_items" | "both" | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly {
			readonly key: string;
			readonly conversions_count: number;
			readonly microconversions_count: number;
			readonly total_count: number;
		}[];
	};
	/** Values of a property, with their sources. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. */
	"GET /stats/properties/values": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that includes today is compared with the same part of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			/** Type of the event; repeat it to allow several values */
			readonly conversion_type?: readonly string[] | undefined;
			/** Name of the property */
			readonly property_key: string;
			/** Type of the events; `both`: conversions and microconversions */
			readonly table?: "conversions" | "microconversions" | "conversion_items" | "both" | undefined;
			readonly group_by?: "utm_source" | "utm_medium" | "utm_campaign" | "all" | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				readonly property_value: string;
				readonly utm_source?: string;
				readonly utm_medium?: string;
				readonly utm_campaign?: string;
				readonly conversions_count: number;
				readonly microconversions_count: number;
				readonly revenue: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: {
				/** Rows of the comparison period */
				readonly total: number;
			};
			readonly meta?: {
				/** Only with `compare`, where the comparison period starts before it: the site's first day with data */
				readonly baseline_start?: string;
			};
		};
	};
	/** Query any metrics by any dimensions. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to share links that show `hours`. */
	"POST /stats/query": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** Add the SQL and the engine's time to `meta` */
			readonly explain?: boolean | undefined;
		};
		body: PostStatsQueryBody;
		answer: {
			readonly data: readonly PostStatsQueryAnswerData[];
			readonly meta: {
				/** Number of rows on all pages */
				readonly total_rows: number;
				readonly has_more: boolean;
				readonly granularity: "total" | "daily" | "hourly";
				readonly dimensions: readonly ("date" | "hour" | "day_of_week" | "country" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "device_type" | "browser" | "os" | "channel_group" | "path" | "content_grouping" | "landing_page" | "referrer_domain" | "conversion_type")[];
				readonly metrics: readonly ("entrances" | "engaged_entrances" | "page_views" | "microconversions" | "conversions" | "revenue" | "visitors" | "visit_duration" | "average_order_value" | "bounce_rate")[];
				/** Only with `compare`, where the comparison period starts before it: the site's first day with data */
				readonly baseline_start?: string;
				/** The SQL statements with placeholders for values; several are separated by a semicolon and an empty line */
				readonly sql?: string;
				/** Milliseconds of the engine; 0 for a cached result */
				readonly engine_ms?: number;
			};
			readonly comparison_data?: readonly PostStatsQueryAnswerData[];
			readonly comparison_meta?: {
				readonly date_from: string;
				readonly date_to: string;
				readonly mode: "previous" | "yoy" | "yoy_weekday" | "custom";
				/** Absent with `compare_rows` */
				readonly total_rows?: number;
			};
		};
	};
	/** Download a query as a CSV file. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. */
	"POST /stats/query/export": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** Name of the file; letters, digits, `.`, `_` and `-` */
			readonly filename?: string | undefined;
		};
		body: PostStatsQueryBody;
		answer: Response;
	};
	/** Traffic by referring domain. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `referrers`. */
	"GET /stats/referrers": {
		path: Nothing;
		query: GetStatsCampaignsQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly GetStatsReferrersAnswerData[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: GetStatsCampaignsAnswerComparison;
			/** Only with `include_totals` */
			readonly totals?: GetStatsCampaignsAnswerComparison;
			readonly meta?: GetStatsBrowsersAnswerMeta;
		};
	};
	/** Top referring domains. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `referrers`. */
	"GET /stats/referrers/top": {
		path: Nothing;
		query: GetStatsCampaignsTopQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly GetStatsReferrersAnswerData[];
	};
	/** Traffic by source. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `sources`. */
	"GET /stats/sources": {
		path: Nothing;
		query: GetStatsCampaignsQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly GetStatsSourcesAnswerData[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: GetStatsCampaignsAnswerComparison;
			/** Only with `include_totals` */
			readonly totals?: GetStatsCampaignsAnswerComparison;
			readonly meta?: GetStatsBrowsersAnswerMeta;
		};
	};
	/** Top sources. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `sources`. */
	"GET /stats/sources/top": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` is given */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data, where the comparison period starts before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that includes today is compared with the same part of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** An unsaved segment: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Takes precedence over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` omits imported rows */
			readonly imports?: "include" | "exclude" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
			readonly country?: readonly string[] | undefined;
			readonly sort_by?: "entrances" | "engaged_entrances" | "page_views" | "conversions" | "revenue" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Landing page; repeat it to allow several values */
			readonly landing_page?: readonly string[] | undefined;
			/** Columns and metrics to add; some reports add metrics only */
			readonly include?: readonly ("device" | "browser" | "os" | "channel_group" | "visitors" | "visit_duration")[] | undefined;
			readonly limit?: number | undefined;
			/** Add the SQL and the engine's time to `meta` */
			readonly explain?: boolean | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly GetStatsSourcesAnswerData[];
	};
	/** Traffic by term. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `terms`. */
	"GET /stats/terms": {
		path: Nothing;
		query: GetStatsCampaignsQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly GetStatsTermsAnswerData[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
			/** Only with `compare` */
			readonly comparison?: GetStatsCampaignsAnswerComparison;
			/** Only with `include_totals` */
			readonly totals?: GetStatsCampaignsAnswerComparison;
			readonly meta?: GetStatsBrowsersAnswerMeta;
		};
	};
	/** Top terms. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `terms`. */
	"GET /stats/terms/top": {
		path: Nothing;
		query: GetStatsCampaignsTopQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly GetStatsTermsAnswerData[];
	};
	/** Top channels. Requires the role viewer on the site, or a higher one. API keys need the scope `stats:read`. Open to connected apps. Open to share links that show `channels`. */
	"GET /stats/top-channels": {
		path: Nothing;
		query: GetStatsCampaignsTopQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly GetStatsChannelsAnswerData[];
	};
	/** All users, oldest first. Requires a signed-in superadmin. */
	"GET /users": {
		path: Nothing;
		query: {
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			readonly include_inactive?: boolean | undefined;
			/** Only users whose name or address contains this, case-insensitive */
			readonly q?: string | undefined;
		};
		body: undefined;
		answer: {
			readonly users: readonly Post2faVerifyLoginAnswerUser[];
			readonly total: number;
		};
	};
	/** Create a user. Requires a signed-in superadmin. */
	"POST /users": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly email: string;
			readonly name: string;
			/** 12 to 128 characters, by the password policy */
			readonly password: string;
			readonly role?: "superadmin" | "user";
			/** Sites that the user can read */
			readonly account_ids?: readonly string[];
		};
		answer: Post2faVerifyLoginAnswerUser;
	};
	/** Delete the caller's account, and organizations without other members. Requires a signed-in user. Refused while impersonating. */
	"DELETE /users/me": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly password: string;
			/** From the authenticator app, or a backup code; required where two-factor authentication is on */
			readonly code?: string;
		};
		answer: {
			readonly message: string;
			/** Slugs of the organizations that only this user belonged to */
			readonly organizations_deleted: readonly string[];
		};
	};
	/** The current user. Requires a signed-in user, or an API key with the scope `accounts:read`. */
	"GET /users/me": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: Post2faVerifyLoginAnswerUser;
	};
	/** Change the caller's name. Requires a signed-in user. */
	"PATCH /users/me": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly name: string;
		};
		answer: Post2faVerifyLoginAnswerUser;
	};
	/** Cancel a pending change of the address. Requires a signed-in user. Refused while impersonating. */
	"DELETE /users/me/email": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly message: string;
		};
	};
	/** The caller's address, and its pending change. Requires a signed-in user. Refused while impersonating. */
	"GET /users/me/email": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			/** The current address, valid until both addresses have confirmed */
			readonly email: string;
			readonly pending_change: GetUsersMeEmailAnswerPendingChange | null;
		};
	};
	/** Change the caller's address; takes effect once both addresses have confirmed by mail. Requires a signed-in user. Refused while impersonating. At most 5 requests from one address in an hour. */
	"POST /users/me/email": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly new_email: string;
			readonly password: string;
		};
		answer: {
			/** The current address, valid until both addresses have confirmed */
			readonly email: string;
			readonly pending_change: GetUsersMeEmailAnswerPendingChange | null;
			readonly message: string;
		};
	};
	/** Change the caller's password; ends all other sessions. Requires a signed-in user. Refused while impersonating. */
	"POST /users/me/password": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly current_password: string;
			/** Common passwords and those with the local part of the email address are refused */
			readonly new_password: string;
		};
		answer: {
			readonly message: string;
			readonly sessions_terminated: number;
		};
	};
	/** The caller's display preferences. Requires a signed-in user. */
	"GET /users/me/preferences": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: GetUsersMePreferencesAnswer;
	};
	/** Change the caller's display preferences. Requires a signed-in user. Refused while impersonating. */
	"PATCH /users/me/preferences": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly language?: "en" | "es";
			readonly theme?: "system" | "light" | "dark";
			readonly week_start?: "monday" | "sunday" | "saturday";
			readonly density?: "comfortable" | "compact";
			readonly default_site?: string | null;
			readonly pinned_sites?: readonly string[];
			/** Whether single-key shortcuts are on */
			readonly shortcuts?: boolean;
		};
		answer: GetUsersMePreferencesAnswer;
	};
	/** Deactivate a user; resources the user created stay. Requires a signed-in superadmin. */
	"DELETE /users/{user_id}": {
		path: {
			readonly user_id: number;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly deleted: true;
			readonly user_id: number;
		};
	};
	/** One user. Requires a signed-in superadmin. */
	"GET /users/{user_id}": {
		path: {
			readonly user_id: number;
		};
		query: Nothing;
		body: undefined;
		answer: Post2faVerifyLoginAnswerUser;
	};
	/** Change a user's name, role or status. Requires a signed-in superadmin. */
	"PATCH /users/{user_id}": {
		path: {
			readonly user_id: number;
		};
		query: Nothing;
		body: {
			readonly name?: string;
			readonly role?: "superadmin" | "user";
			readonly is_active?: boolean;
		};
		answer: Post2faVerifyLoginAnswerUser;
	};
	/** Address of the caller. Requires a signed-in user. */
	"GET /utils/my-ip": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly ip: string;
		};
	};
	/** Current warnings: of the site, and to superadmins those of the installation. Requires the role viewer on the site, or a higher one. API keys are refused. */
	"GET /warnings": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: {
			readonly warnings: readonly GetAdminSystemAnswerWarnings[];
		};
	};
	/** Webhook endpoints. Requires the role viewer on the site, or a higher one. API keys need the scope `accounts:read`. */
	"GET /webhooks": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			readonly limit?: number | undefined;
			readonly offset?: number | undefined;
			readonly include_inactive?: boolean | undefined;
		};
		body: undefined;
		answer: {
			readonly endpoints: readonly GetWebhooksAnswerEndpoints[];
			readonly total: number;
		};
	};
	/** Add a webhook endpoint; its secret is shown only in this response. Requires the role editor on the site, or a higher one. API keys are refused. */
	"POST /webhooks": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly name: string;
			/** `https:` URL on a public address */
			readonly url: string;
			readonly event_types: readonly ("alert.triggered" | "alert.resolved" | "export.completed" | "export.failed" | "goal.reached")[];
			/** Sent with each request, at most 20; not `host`, `content-*`, `x-service-*` and `webhook-*` */
			readonly headers?: Readonly<Record<string, string>>;
			readonly description?: string | null;
		};
		answer: {
			readonly id: string;
			readonly account_id: string;
			readonly name: string;
			/** Complete for users who may change it; others see `[hidden]` in place of the query */
			readonly url: string;
			readonly event_types: readonly string[];
			/** Values are shown to users who may change them, others see `[hidden]` */
			readonly headers: Readonly<Record<string, string>>;
			readonly description: string | null;
			readonly secret_last_4: string;
			readonly secret_version: number;
			/** Until then deliveries are also signed with the previous secret */
			readonly previous_secret_expires_at: string | null;
			readonly is_active: boolean;
			/** A test has succeeded; events are sent in any case */
			readonly is_verified: boolean;
			/** Why the service disabled it: the receiver answered 410, or failed for 3 days */
			readonly disabled_reason: "gone" | "failing" | null;
			readonly created_by: number | null;
			readonly created_at: string;
			readonly updated_at: string | null;
			readonly last_delivery_at: string | null;
			readonly last_success_at: string | null;
			readonly last_failure_at: string | null;
			readonly last_failure_reason: string | null;
			/** Shown once */
			readonly secret: string;
		};
	};
	/** Replay several deliveries. Requires the role editor on the site, or a higher one. API keys are refused. At most 30 requests in an hour. */
	"POST /webhooks/bulk/replay": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly delivery_ids: readonly string[];
			/** Also replays successful deliveries */
			readonly force?: boolean;
		};
		answer: {
			readonly replayed: number;
			/** Successful deliveries, skipped without `force` */
			readonly skipped: number;
			readonly errors: readonly string[];
		};
	};
	/** Event types of webhooks. Requires a signed-in user, or an API key with the scope `accounts:read`. */
	"GET /webhooks/event-types": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly event_types: readonly {
				readonly type: string;
				readonly name: string;
				readonly description: string;
			}[];
		};
	};
	/** Remove a webhook endpoint with its delivery log. Requires the role editor on the site, or a higher one. API keys are refused. */
	"DELETE /webhooks/{endpoint_id}": {
		path: {
			readonly endpoint_id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: undefined;
	};
	/** One webhook endpoint. Requires the role viewer on the site, or a higher one. API keys need the scope `accounts:read`. */
	"GET /webhooks/{endpoint_id}": {
		path: {
			readonly endpoint_id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetWebhooksAnswerEndpoints;
	};
	/** Change, enable or disable a webhook endpoint. Requires the role editor on the site, or a higher one. API keys are refused. */
	"PATCH /webhooks/{endpoint_id}": {
		path: {
			readonly endpoint_id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly name?: string;
			/** `https:` URL on a public address */
			readonly url?: string;
			readonly event_types?: readonly ("alert.triggered" | "alert.resolved" | "export.completed" | "export.failed" | "goal.reached")[];
			readonly is_active?: boolean;
			/** Sent with each request, at most 20; not `host`, `content-*`, `x-service-*` and `webhook-*` */
			readonly headers?: Readonly<Record<string, string>>;
			readonly description?: string | null;
		};
		answer: GetWebhooksAnswerEndpoints;
	};
	/** Deliveries of the last 30 days. Requires the role viewer on the site, or a higher one. API keys need the scope `accounts:read`. */
	"GET /webhooks/{endpoint_id}/deliveries": {
		path: {
			readonly endpoint_id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
			readonly limit?: number | undefined;
			readonly offset?: number | undefined;
			readonly status?: "pending" | "success" | "failed" | "retrying" | undefined;
		};
		body: undefined;
		answer: {
			readonly deliveries: readonly {
				readonly id: number;
				readonly delivery_id: string;
				readonly endpoint_id: string;
				/** The same in every delivery of one event */
				readonly event_id: string;
				readonly event_type: string;
				readonly status: "pending" | "success" | "failed" | "retrying";
				/** Number of attempts */
				readonly attempt_number: number;
				readonly max_attempts: number;
				readonly next_retry_at: string | null;
				readonly response_status_code: number | null;
				readonly response_headers: Readonly<Record<string, string>>;
				readonly response_time_ms: number | null;
				readonly error_type: "http_status" | "redirect" | "timeout" | "dns" | "connection" | "tls" | "blocked_address" | null;
				readonly error_message: string | null;
				readonly payload_size_bytes: number;
				readonly created_at: string;
				readonly completed_at: string | null;
			}[];
			readonly total: number;
		};
	};
	/** One delivery with payload and response. Requires the role viewer on the site, or a higher one. API keys need the scope `accounts:read`. */
	"GET /webhooks/{endpoint_id}/deliveries/{delivery_id}": {
		path: {
			readonly endpoint_id: string;
			readonly delivery_id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: {
			readonly id: number;
			readonly delivery_id: string;
			readonly endpoint_id: string;
			/** The same in every delivery of one event */
			readonly event_id: string;
			readonly event_type: string;
			readonly status: "pending" | "success" | "failed" | "retrying";
			/** Number of attempts */
			readonly attempt_number: number;
			readonly max_attempts: number;
			readonly next_retry_at: string | null;
			readonly response_status_code: number | null;
			readonly response_headers: Readonly<Record<string, string>>;
			readonly response_time_ms: number | null;
			readonly error_type: "http_status" | "redirect" | "timeout" | "dns" | "connection" | "tls" | "blocked_address" | null;
			readonly error_message: string | null;
			readonly payload_size_bytes: number;
			readonly created_at: string;
			readonly completed_at: string | null;
			/** As sent; without `data` beyond 10 KB, and without the token in `download_url` for keys without `stats:read` */
			readonly payload: Readonly<Record<string, unknown>>;
			readonly response_body: string | null;
		};
	};
	/** Attempts of a delivery. Requires the role viewer on the site, or a higher one. API keys need the scope `accounts:read`. */
	"GET /webhooks/{endpoint_id}/deliveries/{delivery_id}/logs": {
		path: {
			readonly endpoint_id: string;
			readonly delivery_id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: readonly {
			readonly id: number;
			readonly delivery_id: string;
			readonly attempt_number: number;
			readonly attempted_at: string;
			readonly request_method: string;
			/** Shown as the endpoint's `url` */
			readonly request_url: string;
			readonly response_status_code: number | null;
			readonly response_time_ms: number | null;
			readonly error_type: "http_status" | "redirect" | "timeout" | "dns" | "connection" | "tls" | "blocked_address" | null;
			readonly error_message: string | null;
			readonly success: boolean;
		}[];
	};
	/** Replay a delivery. Requires the role editor on the site, or a higher one. API keys are refused. At most 300 requests in an hour. */
	"POST /webhooks/{endpoint_id}/deliveries/{delivery_id}/replay": {
		path: {
			readonly endpoint_id: string;
			readonly delivery_id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Also replays successful deliveries */
			readonly force?: boolean;
		} | undefined;
		answer: {
			readonly success: boolean;
			readonly new_delivery_id: string;
			readonly message: string;
		};
	};
	/** Rotate the secret of an endpoint; the old one also signs for 24 hours. Requires the role editor on the site, or a higher one. API keys are refused. */
	"POST /webhooks/{endpoint_id}/rotate-secret": {
		path: {
			readonly endpoint_id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: {
			/** Shown once */
			readonly new_secret: string;
			readonly previous_secret_expires_at: string;
			readonly secret_version: number;
		};
	};
	/** Health of an endpoint in the last hours. Requires the role viewer on the site, or a higher one. API keys need the scope `accounts:read`. */
	"GET /webhooks/{endpoint_id}/stats": {
		path: {
			readonly endpoint_id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
			readonly hours?: number | undefined;
		};
		body: undefined;
		answer: {
			readonly endpoint: GetWebhooksAnswerEndpoints;
			readonly stats: {
				readonly total_deliveries: number;
				readonly successful: number;
				readonly failed: number;
				/** Deliveries waiting for their first or next attempt */
				readonly pending: number;
				/** Of the finished deliveries, 0 to 100 */
				readonly success_rate: number;
				readonly avg_response_time_ms: number;
			};
			readonly recent_failures: readonly {
				readonly delivery_id: string;
				readonly error_type: "http_status" | "redirect" | "timeout" | "dns" | "connection" | "tls" | "blocked_address" | null;
				readonly error_message: string | null;
				readonly created_at: string;
			}[];
		};
	};
	/** Send a test event to an endpoint and wait for the response. Requires the role editor on the site, or a higher one. API keys are refused. At most 30 requests in 10 minutes. */
	"POST /webhooks/{endpoint_id}/test": {
		path: {
			readonly endpoint_id: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly event_type?: "alert.triggered" | "alert.resolved" | "export.completed" | "export.failed" | "goal.reached";
			/** Adds the fields of a real event */
			readonly include_sample_context?: boolean;
		} | undefined;
		answer: {
			readonly success: boolean;
			readonly delivery_id: string;
			readonly response_status: number | null;
			readonly response_time_ms: number | null;
			readonly verified: boolean;
			/** Only with `success` false */
			readonly error_type?: "http_status" | "redirect" | "timeout" | "dns" | "connection" | "tls" | "blocked_address";
			/** Only with `success` false */
			readonly error_message?: string;
		};
	};
}

/** Lists that come in pages, and the parameter that tells the pages apart. */
export const pagedBy = {
	"GET /admin/jobs": "page",
	"GET /alerts/history": "offset",
	"GET /audit/logs": "page",
	"GET /channel-groups/stats/channels": "page",
	"GET /exports": "offset",
	"GET /imports": "offset",
	"GET /integrations/bigquery/logs": "offset",
	"GET /ip-allowlist/audit": "offset",
	"GET /lens/insights": "page",
	"GET /lens/reports": "page",
	"GET /stats/aggregate/conversions": "page",
	"GET /stats/aggregate/geo/countries": "page",
	"GET /stats/aggregate/landing-pages": "page",
	"GET /stats/aggregate/mediums": "page",
	"GET /stats/aggregate/pages": "page",
	"GET /stats/aggregate/sources": "page",
	"GET /stats/browsers": "page",
	"GET /stats/campaigns": "page",
	"GET /stats/channels": "page",
	"GET /stats/contents": "page",
	"GET /stats/conversion-items/raw": "page",
	"GET /stats/conversions": "page",
	"GET /stats/conversions/raw": "page",
	"GET /stats/devices/types": "page",
	"GET /stats/exit-pages": "page",
	"GET /stats/geo/countries": "page",
	"GET /stats/landing-pages": "page",
	"GET /stats/mediums": "page",
	"GET /stats/microconversions": "page",
	"GET /stats/microconversions/raw": "page",
	"GET /stats/operating-systems": "page",
	"GET /stats/pages": "page",
	"GET /stats/properties/values": "page",
	"GET /stats/referrers": "page",
	"GET /stats/sources": "page",
	"GET /stats/terms": "page",
	"GET /users": "page",
	"GET /webhooks": "offset",
	"GET /webhooks/{endpoint_id}/deliveries": "offset",
} as const;
