// Written from docs/openapi.json by packages/dashboard/scripts/generate-api.ts. Do not edit.
type Nothing = Readonly<Record<never, never>>;

type DeleteChannelGroupsRuleIdQuery = {
	/** Slug of the site */
	readonly account_id: string;
	/** Leave a live rule alone: `rule_is_live` */
	readonly only_if_inactive?: boolean | undefined;
};

type DeleteSitesIdDataAnswer = {
	readonly id: number;
	readonly account_id: string;
	readonly reason: "request" | "purge";
	readonly from: string | null;
	readonly to: string | null;
	/** `completed`: gone from every report, file and cache */
	readonly status: "pending" | "running" | "completed" | "failed";
	/** The part of the deletion that runs */
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
	/** E.g. `mail`, or the name of a schedule */
	readonly kind: string;
	/** `pending` waits, also for another attempt; `failed` was given up */
	readonly status: "pending" | "running" | "done" | "failed";
	/** So far */
	readonly attempts: number;
	/** Of a waiting job */
	readonly next_run_at: string | null;
	/** Why the last attempt failed; without data of anybody */
	readonly last_error: string | null;
	readonly created_at: string;
	/** When it was done or given up */
	readonly finished_at: string | null;
};

type GetAlertsHistoryAnswerAlerts = {
	/** `alert_id` in events */
	readonly id: number;
	/** May name a rule that is gone */
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
	/** The rule's `custom_condition` then */
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
	/** Governs `custom_webhook_url` only */
	readonly notify_webhook: boolean;
	/** Empty: the organization's owners. People who are not users of the site are asked by mail and get nothing until they agree */
	readonly email_recipients: readonly string[];
	readonly cooldown_minutes: number;
	readonly custom_condition: GetAlertsRulesAnswerRulesCustomCondition | null;
	/** Cut after its host. Given back in a change as it is shown, it stays as it is */
	readonly slack_webhook_url: string | null;
	/** Cut after its host for those who may not change the rule */
	readonly custom_webhook_url: string | null;
	readonly is_active: boolean;
	/** `firing`: the condition holds, or an incident is open */
	readonly state: "ok" | "firing" | "insufficient_data" | "error";
	readonly last_evaluated_at: string | null;
	readonly trigger_count: number;
	readonly last_triggered_at: string | null;
	readonly created_by: number | null;
	readonly created_at: string;
	readonly updated_at: string | null;
};

type GetAlertsRulesAnswerRulesCustomCondition = {
	/** Needed with `metric` `custom` */
	readonly metric?: "page_views" | "entrances" | "engaged_entrances" | "microconversions" | "conversions" | "revenue";
	readonly conversion_type?: string;
	/** Needed with `source_change` */
	readonly utm_source?: string;
	/** Advanced filters */
	readonly filters?: string;
	/** Needed with `goal_reached` */
	readonly period?: "day" | "week" | "month";
	readonly goal_name?: string;
};

type GetAnnotationsAnswer = {
	readonly id: number;
	readonly account_id: string;
	readonly date: string;
	/** On the site's clock; null: the whole day */
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
	/** Slugs of the sites that the key opens now */
	readonly account_ids: readonly string[];
	readonly all_sites: boolean;
	readonly expires_at: string | null;
	/** Kept to the minute */
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
	/** null on the default rules */
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
	/** `legacy_service`: of a migration job */
	readonly source: "ga4_csv" | "plausible_zip" | "umami_csv" | "matomo_csv" | "access_log" | "legacy_service";
	readonly file_name: string;
	readonly file_size_bytes: number;
	readonly file_sha256: string;
	/** `false` once its rows were asked for */
	readonly dry_run: boolean;
	readonly status: "pending" | "validating" | "validated" | "importing" | "completed" | "failed" | "cancelled" | "undone";
	/** Of the state it is in */
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
	/** Numbers of the first lines */
	readonly sample_lines: readonly number[];
	/** Member, line and what is wrong, of the first lines where it is known */
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
	/** Whom the rights in Google Cloud belong to */
	readonly service_account_email: string;
	readonly sync_frequency: "hourly" | "daily" | "manual";
	/** Kinds of data that are synced */
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
	/** Parts that are behind it, failed ones too */
	readonly completed_chunks: number;
	readonly failed_chunks: readonly {
		readonly date_from: string;
		readonly date_to: string;
		readonly error: string;
	}[];
	readonly status: "running" | "success" | "failed" | "partial" | "cancelled";
	/** While it runs: why it has to be tried again */
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
	/** Money a week, below 0 a loss */
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
	/** Where it lies with 95 % */
	readonly current_interval: {
		readonly low: number;
		readonly high: number;
	} | null;
	readonly baseline_value: number | null;
	/** Where it lies with 95 % */
	readonly baseline_interval: {
		readonly low: number;
		readonly high: number;
	} | null;
	readonly change_percentage: number | null;
	/** Least change that counts; without a baseline the least value */
	readonly threshold: number;
	readonly confidence: "high" | "medium" | "low";
	readonly days_with_data: number;
	readonly events: number;
	readonly conversions: number | null;
	/** The value that the baseline is of, where it is no earlier week */
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
	/** Whether the site is looked at */
	readonly is_enabled: boolean;
	/** Whether anything is mailed */
	readonly notify_email: boolean;
	readonly notify_on_red: boolean;
	readonly notify_on_yellow: boolean;
	readonly notify_on_green: boolean;
	/** Empty for those who may not change them */
	readonly email_recipients: readonly string[];
	/** At 6:00 of the site's clock, every day or on Mondays; `manual`: only when a report is asked for */
	readonly analysis_frequency: "daily" | "weekly" | "manual";
	/** Null as long as nobody has changed anything */
	readonly created_at: string | null;
	readonly updated_at: string | null;
};

type GetMailReportsAnswerReports = {
	readonly id: number;
	readonly account_id: string;
	readonly frequency: "weekly" | "monthly";
	readonly recipients: readonly {
		readonly email: string;
		/** Only `active` ones get mails. `unconfirmed`: has been asked and may yet agree. `no_access`: cannot open the site, and did not agree in time */
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
	/** The import that its rows are; it is undone there */
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
	/** A funnel, an open query, or a report */
	readonly kind: "funnel" | "query" | "report";
	readonly name: string;
	/** The saved query, in a form that its screen chooses; 16 KB at most */
	readonly definition: Readonly<Record<string, unknown>>;
	readonly is_shared: boolean;
	readonly created_by: number | null;
	readonly created_by_name: string | null;
	readonly created_at: string;
	readonly updated_at: string;
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
	/** The address to pass on; null where it cannot be read any more, and has to be renewed to be seen */
	readonly url: string | null;
	/** How the last part of the address begins */
	readonly token_prefix: string;
	readonly has_password: boolean;
	readonly segment_id: string | null;
	readonly lists: readonly ("channels" | "sources" | "mediums" | "campaigns" | "terms" | "contents" | "referrers" | "pages" | "landing_pages" | "exit_pages" | "content_groups" | "countries" | "devices" | "browsers" | "systems" | "conversions" | "microconversions" | "properties" | "hours")[];
	readonly may_filter: boolean;
	readonly embed_origins: readonly string[];
	readonly expires_at: string | null;
	/** How often it was opened */
	readonly views: number;
	readonly last_seen_at: string | null;
	readonly is_active: boolean;
	/** Only `open` shows anything */
	readonly state: "open" | "off" | "expired" | "segment_gone";
	readonly created_at: string;
	readonly updated_at: string;
};

type GetSitesIdUsersAnswerUsers = {
	readonly user_id: number;
	readonly email: string;
	readonly name: string;
	readonly role: "viewer" | "editor" | "admin" | "owner";
	/** `organization` where the role follows from leading it, and is changed there */
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
	/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several values */
	readonly country?: readonly string[] | undefined;
	/** `desktop`, `mobile`, `tablet`, or `unknown` of imported rows; repeat it to allow several values */
	readonly device_type?: readonly string[] | undefined;
	/** Browser; repeat it to allow several values */
	readonly browser?: readonly string[] | undefined;
	/** Operating system; repeat it to allow several values */
	readonly os?: readonly string[] | undefined;
	/** Channel; repeat it to allow several values */
	readonly channel_group?: readonly string[] | undefined;
};

type GetStatsAggregateGeoCountriesQuery = {
	/** Slugs of two sites or more; repeat it. Dates are those of the first one's time zone */
	readonly account_ids: readonly string[];
	/** Relative range; overrides the dates */
	readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
	/** Id or name of a saved segment */
	readonly segment?: string | undefined;
	/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
	readonly segment_filters?: string | undefined;
	/** `field:operator:value` entries separated by commas */
	readonly filters?: string | undefined;
	/** `exclude` leaves imported rows out */
	readonly imports?: "include" | "exclude" | undefined;
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
	/** Only with `compare`, where the earlier days begin before it: the site's first day with data */
	readonly baseline_start?: string;
	/** The statements, their values as placeholders; several are separated by a semicolon and an empty line */
	readonly sql?: string;
	/** Milliseconds that the engine worked; 0 where it had answered this before */
	readonly engine_ms?: number;
};

type GetStatsBrowsersQuery = {
	/** Slug of the site; required, unless `account_id` names it */
	readonly site_id?: string | undefined;
	/** Alias of `site_id` */
	readonly account_id?: string | undefined;
	/** Relative range; overrides the dates */
	readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
	/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
	readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
	/** First day of `compare=custom` */
	readonly compare_start?: string | undefined;
	/** Last day of `compare=custom` */
	readonly compare_end?: string | undefined;
	/** A range that holds today is compared with as much of the other one, to the hour */
	readonly compare_align?: "elapsed" | undefined;
	/** Id or name of a saved segment */
	readonly segment?: string | undefined;
	/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
	readonly segment_filters?: string | undefined;
	/** `field:operator:value` entries separated by commas */
	readonly filters?: string | undefined;
	/** `exclude` leaves imported rows out */
	readonly imports?: "include" | "exclude" | undefined;
	readonly page?: number | undefined;
	readonly page_size?: number | undefined;
	readonly sort_by?: "entrances" | "engaged_entrances" | "page_views" | "conversions" | "revenue" | undefined;
	readonly sort_order?: "asc" | "desc" | undefined;
	/** Columns and numbers to add; some reports add numbers alone */
	readonly include?: readonly ("device" | "browser" | "os" | "channel_group" | "visitors" | "visit_duration")[] | undefined;
	/** Add to `meta` the SQL that was asked and how long the engine worked */
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
	/** Slug of the site; required, unless `account_id` names it */
	readonly site_id?: string | undefined;
	/** Alias of `site_id` */
	readonly account_id?: string | undefined;
	/** Relative range; overrides the dates */
	readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
	/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
	readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
	/** First day of `compare=custom` */
	readonly compare_start?: string | undefined;
	/** Last day of `compare=custom` */
	readonly compare_end?: string | undefined;
	/** A range that holds today is compared with as much of the other one, to the hour */
	readonly compare_align?: "elapsed" | undefined;
	/** Id or name of a saved segment */
	readonly segment?: string | undefined;
	/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
	readonly segment_filters?: string | undefined;
	/** `field:operator:value` entries separated by commas */
	readonly filters?: string | undefined;
	/** `exclude` leaves imported rows out */
	readonly imports?: "include" | "exclude" | undefined;
	readonly page?: number | undefined;
	readonly page_size?: number | undefined;
	readonly sort_by?: "entrances" | "engaged_entrances" | "page_views" | "conversions" | "revenue" | undefined;
	readonly sort_order?: "asc" | "desc" | undefined;
	/** Part of the row's key, in any case */
	readonly search?: string | undefined;
	/** Add the sums over all pages */
	readonly include_totals?: boolean | undefined;
	/** Columns and numbers to add; some reports add numbers alone */
	readonly include?: readonly ("device" | "browser" | "os" | "channel_group" | "visitors" | "visit_duration")[] | undefined;
	/** Add to `meta` the SQL that was asked and how long the engine worked */
	readonly explain?: boolean | undefined;
};

type GetStatsCampaignsTopQuery = {
	/** Slug of the site; required, unless `account_id` names it */
	readonly site_id?: string | undefined;
	/** Alias of `site_id` */
	readonly account_id?: string | undefined;
	/** Relative range; overrides the dates */
	readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
	/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
	readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
	/** First day of `compare=custom` */
	readonly compare_start?: string | undefined;
	/** Last day of `compare=custom` */
	readonly compare_end?: string | undefined;
	/** A range that holds today is compared with as much of the other one, to the hour */
	readonly compare_align?: "elapsed" | undefined;
	/** Id or name of a saved segment */
	readonly segment?: string | undefined;
	/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
	readonly segment_filters?: string | undefined;
	/** `field:operator:value` entries separated by commas */
	readonly filters?: string | undefined;
	/** `exclude` leaves imported rows out */
	readonly imports?: "include" | "exclude" | undefined;
	readonly sort_by?: "entrances" | "engaged_entrances" | "page_views" | "conversions" | "revenue" | undefined;
	readonly sort_order?: "asc" | "desc" | undefined;
	/** Columns and numbers to add; some reports add numbers alone */
	readonly include?: readonly ("device" | "browser" | "os" | "channel_group" | "visitors" | "visit_duration")[] | undefined;
	readonly limit?: number | undefined;
	/** Add to `meta` the SQL that was asked and how long the engine worked */
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
	/** Slug of the site; required, unless `account_id` names it */
	readonly site_id?: string | undefined;
	/** Alias of `site_id` */
	readonly account_id?: string | undefined;
	/** Relative range; overrides the dates */
	readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
	/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
	readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
	/** First day of `compare=custom` */
	readonly compare_start?: string | undefined;
	/** Last day of `compare=custom` */
	readonly compare_end?: string | undefined;
	/** A range that holds today is compared with as much of the other one, to the hour */
	readonly compare_align?: "elapsed" | undefined;
	/** Id or name of a saved segment */
	readonly segment?: string | undefined;
	/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
	readonly segment_filters?: string | undefined;
	/** `field:operator:value` entries separated by commas */
	readonly filters?: string | undefined;
	/** `exclude` leaves imported rows out */
	readonly imports?: "include" | "exclude" | undefined;
	/** Type of the event; repeat it to allow several values */
	readonly conversion_type?: readonly string[] | undefined;
	/** Landing page; repeat it to allow several values */
	readonly landing_page?: readonly string[] | undefined;
	readonly page?: number | undefined;
	readonly page_size?: number | undefined;
	/** Alias of `page_size`; goes before it */
	readonly limit?: number | undefined;
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
	/** Slug of the site; required, unless `account_id` names it */
	readonly site_id?: string | undefined;
	/** Alias of `site_id` */
	readonly account_id?: string | undefined;
	/** Relative range; overrides the dates */
	readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
	/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
	readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
	/** First day of `compare=custom` */
	readonly compare_start?: string | undefined;
	/** Last day of `compare=custom` */
	readonly compare_end?: string | undefined;
	/** A range that holds today is compared with as much of the other one, to the hour */
	readonly compare_align?: "elapsed" | undefined;
	/** Id or name of a saved segment */
	readonly segment?: string | undefined;
	/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
	readonly segment_filters?: string | undefined;
	/** `field:operator:value` entries separated by commas */
	readonly filters?: string | undefined;
	/** `exclude` leaves imported rows out */
	readonly imports?: "include" | "exclude" | undefined;
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
	/** Slug of the site; required, unless `account_id` names it */
	readonly site_id?: string | undefined;
	/** Alias of `site_id` */
	readonly account_id?: string | undefined;
	/** Id or name of a saved segment */
	readonly segment?: string | undefined;
	/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
	readonly segment_filters?: string | undefined;
	/** `field:operator:value` entries separated by commas */
	readonly filters?: string | undefined;
	/** `exclude` leaves imported rows out */
	readonly imports?: "include" | "exclude" | undefined;
};

type GetStatsOverviewAnswerEntrancesSeries = {
	readonly metric: "entrances" | "engaged_entrances" | "page_views" | "microconversions" | "conversions" | "revenue" | "visitors" | "bounce_rate" | "conversion_rate";
	readonly points: readonly GetStatsOverviewAnswerEntrancesSeriesPoints[];
	/** Of the range; hours of visitors add up to more */
	readonly total: number;
	/** Per point, 2 decimals */
	readonly average: number;
};

type GetStatsOverviewAnswerEntrancesSeriesPoints = {
	/** Of weeks and months the first day within the range */
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
	/** Whether single keys do something */
	readonly shortcuts: boolean;
};

type GetWebhooksAnswerEndpoints = {
	readonly id: string;
	readonly account_id: string;
	readonly name: string;
	/** Whole to those who may change it; to others its query reads `[hidden]` */
	readonly url: string;
	readonly event_types: readonly string[];
	/** The values are shown to those who may change them, to others `[hidden]` */
	readonly headers: Readonly<Record<string, string>>;
	readonly description: string | null;
	readonly secret_last_4: string;
	readonly secret_version: number;
	/** Until then the secret before signs too */
	readonly previous_secret_expires_at: string | null;
	readonly is_active: boolean;
	/** A test has succeeded; events are sent either way */
	readonly is_verified: boolean;
	/** Why the service switched it off: its receiver answered 410, or failed for 3 days */
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
	/** Features of the plan that not every plan has */
	readonly plan_features: readonly string[];
	readonly created_at: string;
	readonly updated_at: string;
};

type PatchAdminOrganizationsSlugPlanAnswerPlanLimits = {
	readonly seats: number | null;
	readonly sites: number | null;
	readonly monthly_events: number | null;
	readonly lifetime_events: number | null;
	/** Of one user or key */
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
	/** Shown this once; each works once */
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
	/** Sites that this address may not open */
	readonly ip_filtered_accounts: readonly string[];
	readonly client_ip: string;
};

type Post2faVerifyLoginAnswerUser = {
	readonly id: number;
	readonly email: string;
	readonly name: string;
	readonly role: "superadmin" | "user";
	/** Slugs of the sites in reach */
	readonly account_ids: readonly string[];
	readonly is_active: boolean;
	readonly email_verified_at: string | null;
	readonly last_login_at: string | null;
	readonly created_at: string;
	readonly two_factor_enabled: boolean;
	readonly two_factor_enabled_at: string | null;
};

type PostAssistantChatAnswer = {
	/** Text of the model: plain, or with a little Markdown. Show no HTML, link or image of it */
	readonly response: string;
	readonly conversation_id: string;
	readonly tools_used: readonly PostAssistantChatAnswerToolsUsed[];
	/** Made by the service of what the tools answered */
	readonly charts: readonly PostAssistantChatAnswerCharts[];
	/** Made by the service of what the tools answered */
	readonly tables: readonly {
		readonly title: string;
		readonly columns: readonly string[];
		readonly rows: readonly (readonly (string | number | boolean | null)[])[];
	}[];
	/** Of all rounds; an estimate where the endpoint does not count */
	readonly input_tokens: number;
	readonly output_tokens: number;
};

type PostAssistantChatAnswerCharts = {
	readonly type: "line" | "bar";
	readonly title: string;
	readonly data: readonly Readonly<Record<string, string | number | boolean | null>>[];
	/** Field of `data` along the axis */
	readonly x_key: string;
	/** Field of `data` that is drawn */
	readonly y_key: string;
	/** Unit; null = a count */
	readonly y_label: string | null;
};

type PostAssistantChatAnswerToolsUsed = {
	readonly tool_name: string;
	readonly success: boolean;
	readonly duration_ms: number;
	/** As the model gave them, without the site */
	readonly arguments: Readonly<Record<string, unknown>>;
};

type PostAssistantChatBody = {
	/** The question */
	readonly message: string;
	/** Site slug */
	readonly account_id?: string;
	/** Goes on with a conversation; null begins one */
	readonly conversation_id?: string | null;
	/** Language of the answer, as `en` or `pt-BR` */
	readonly language?: string;
};

type PostAuthRegisterAnswer = {
	/** Always 0: whether an account was made is told by mail alone */
	readonly user_id: number;
	readonly email: string;
	readonly name: string;
	/** Empty: confirming the address signs in */
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
	/** After an error begin no more queries */
	readonly fail_fast?: boolean;
	/** Run nothing */
	readonly dry_run?: boolean;
	readonly include_timing?: boolean;
	readonly parallel_limit?: number;
};

type PostBatchBodyQueries = {
	/** Its key in `results` */
	readonly id: string;
	/** Path of a GET route below `/stats`, or `/stats/query`, `/stats/explain`, or `/stats/funnel` with `steps`; none that gives raw rows or aggregates */
	readonly endpoint: string;
	/** Query parameters, `site_id` among them; with `/stats/query`, `/stats/explain` and the steps of `/stats/funnel` the body too */
	readonly params?: Readonly<Record<string, unknown>>;
	/** Queries that must have succeeded before */
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
	/** While the status is `completed`; needs no credential */
	readonly download_url: string | null;
	readonly download_expires_at: string | null;
	readonly started_at: string | null;
	/** When the file was ready, or the export failed */
	readonly completed_at: string | null;
	readonly created_at: string;
	readonly error_message: string | null;
	/** User */
	readonly created_by: number | null;
	/** All of them hold */
	readonly filters: PostExportsBodyFilters;
};

type PostExportsBody = {
	/** Kind of the rows */
	readonly export_type: "pages" | "sources" | "mediums" | "campaigns" | "terms" | "countries" | "devices" | "browsers" | "os" | "conversions" | "microconversions" | "time_series" | "landing_pages";
	/** First day, in the site's time zone */
	readonly date_from: string;
	/** Last day */
	readonly date_to: string;
	/** All of them hold */
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
	/** `desktop`, `mobile`, `tablet`, or `unknown` of imported rows */
	readonly device_type?: string;
	/** Browser */
	readonly browser?: string;
	/** Operating system */
	readonly os?: string;
	/** Content group of the page; with all types but `pages`, of the landing page */
	readonly content_grouping?: string;
	/** Type of conversion or microconversion */
	readonly conversion_type?: string;
	/** `field:operator:value` entries separated by commas */
	readonly advanced_filters?: string;
	/** `exclude` leaves imported rows out */
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
		/** Of the row, or line, from 0 */
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
	/** Money a week */
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
	/** null on system segments */
	readonly created_at: string | null;
	/** null on system segments */
	readonly updated_at: string | null;
};

type PostSegmentsAnswerFilters = {
	/** All of them hold */
	readonly conditions: readonly PostSegmentsAnswerFiltersConditions[];
	/** In one of them every condition holds */
	readonly groups: readonly {
		readonly conditions: readonly PostSegmentsAnswerFiltersConditions[];
	}[];
	/** In none of them every condition holds */
	readonly not_groups: readonly {
		readonly conditions: readonly PostSegmentsAnswerFiltersConditions[];
	}[];
};

type PostSegmentsAnswerFiltersConditions = {
	readonly field: "path" | "content_grouping" | "landing_page" | "referrer" | "referrer_domain" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "country" | "device_type" | "browser" | "os" | "channel" | "channel_group" | "conversion_type" | "hour" | "day_of_week";
	readonly operator: "eq" | "neq" | "contains" | "not_contains" | "starts_with" | "ends_with" | "regex" | "not_regex" | "in" | "not_in";
	/** A list for `in` and `not_in`, a text for the others */
	readonly value: string | readonly string[];
};

type PostSegmentsBodyFilters = {
	/** All of them hold */
	readonly conditions?: readonly PostSegmentsBodyFiltersConditions[];
	/** In one of them every condition holds */
	readonly groups?: readonly {
		readonly conditions?: readonly PostSegmentsBodyFiltersConditions[];
	}[];
	/** In none of them every condition holds */
	readonly not_groups?: readonly {
		readonly conditions?: readonly PostSegmentsBodyFiltersConditions[];
	}[];
};

type PostSegmentsBodyFiltersConditions = {
	readonly field: "path" | "content_grouping" | "landing_page" | "referrer" | "referrer_domain" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "country" | "device_type" | "browser" | "os" | "channel" | "channel_group" | "conversion_type" | "hour" | "day_of_week";
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
	readonly data_retention_months: number | null;
	/** A shorter period that was set and does not apply yet */
	readonly data_retention_pending: {
		readonly months: number;
		readonly applies_at: string;
	} | null;
	/** When a deleted site goes with all its data; null = it is not deleted */
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
		/** A dimension or metric of the answer */
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
	/** How many backup codes are left. For whoever is signed in. Closed to superadmins who act as somebody else. */
	"GET /2fa/backup-codes": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly remaining: number;
			readonly generated_at: string;
		};
	};
	/** Make new backup codes; the earlier ones die. For whoever is signed in. Closed to superadmins who act as somebody else. */
	"POST /2fa/backup-codes/regenerate": {
		path: Nothing;
		query: Nothing;
		body: {
			/** Six digits of the authenticator app */
			readonly code: string;
		};
		answer: {
			/** Shown this once; each works once */
			readonly backup_codes: readonly string[];
			readonly count: number;
			readonly generated_at: string;
		};
	};
	/** Switch the second factor off. For whoever is signed in. Closed to superadmins who act as somebody else. */
	"POST /2fa/disable": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly password: string;
			/** Of the app, or a backup code */
			readonly code: string;
		};
		answer: {
			readonly message: string;
		};
	};
	/** Begin the setup of an authenticator app. For whoever is signed in. Closed to superadmins who act as somebody else. */
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
			/** The same as a PNG */
			readonly qr_code_data_url: string;
			readonly expires_in_minutes: number;
		};
	};
	/** Give up the setup. For whoever is signed in. Closed to superadmins who act as somebody else. */
	"POST /2fa/setup/cancel": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly message: string;
		};
	};
	/** End the setup with a first code; ends the other sessions. For whoever is signed in. Closed to superadmins who act as somebody else. */
	"POST /2fa/setup/verify": {
		path: Nothing;
		query: Nothing;
		body: {
			/** Six digits of the authenticator app */
			readonly code: string;
		};
		answer: Post2faSetupVerifyAnswer;
	};
	/** Whether the second factor is on. For whoever is signed in. Closed to superadmins who act as somebody else. */
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
	/** End the setup with a first code; ends the other sessions. For whoever is signed in. Closed to superadmins who act as somebody else. */
	"POST /2fa/verify": {
		path: Nothing;
		query: Nothing;
		body: {
			/** Six digits of the authenticator app */
			readonly code: string;
		};
		answer: Post2faSetupVerifyAnswer;
	};
	/** Second step of a sign-in. Open to everybody. */
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
	/** Stop acting as another user; the browser has its own session back. For whoever is signed in. */
	"DELETE /admin/impersonate-user": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly message: string;
		};
	};
	/** Act as another user, for an hour at most. For superadmins who are signed in. */
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
			/** Seconds; the whole impersonation ends after an hour */
			readonly expires_in: number;
		};
	};
	/** Jobs that wait, run, were done within a day or given up within thirty, youngest first. For superadmins who are signed in. */
	"GET /admin/jobs": {
		path: Nothing;
		query: {
			/** `pending` waits, also for another attempt; `failed` was given up */
			readonly status?: "pending" | "running" | "done" | "failed" | undefined;
			/** E.g. `mail` */
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
	/** Let a job that was given up begin anew. For superadmins who are signed in. Closed to superadmins who act as somebody else. */
	"POST /admin/jobs/{id}/retry": {
		path: {
			readonly id: number;
		};
		query: Nothing;
		body: undefined;
		answer: GetAdminJobsAnswerJobs;
	};
	/** Put an organization on another plan. For superadmins who are signed in. Closed to superadmins who act as somebody else. */
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
	/** How the service fares: health, versions, disk, stores, memory, jobs, schedules, backups and mail. For superadmins who are signed in. */
	"GET /admin/system": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly status: "healthy" | "degraded" | "unhealthy";
			readonly checks: Readonly<Record<string, {
				readonly status: "healthy" | "unhealthy";
				readonly latency_ms?: number;
				readonly message?: string;
			}>>;
			readonly process: {
				readonly version: string;
				readonly environment: string;
				/** Version of the runtime */
				readonly node: string;
				/** What the answering process does */
				readonly roles: readonly string[];
				/** Where links in mails lead */
				readonly root_url: string;
				readonly started_at: string;
				readonly uptime_seconds: number;
			};
			readonly memory: readonly {
				readonly process: "main" | "event_store";
				/** Null where the system does not tell, or the process is down */
				readonly bytes: number | null;
			}[];
			readonly disks: readonly {
				/** `spool` is named where it is another disk */
				readonly place: "data" | "spool";
				readonly free_bytes: number;
				readonly total_bytes: number;
				readonly state: "enough" | "little" | "none";
			}[];
			/** Null while it cannot be asked */
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
			/** Null where the answering process does not collect */
			readonly spool: {
				/** Accepted hits that are not in the event store yet */
				readonly waiting_bytes: number;
				/** Age of the oldest of them; 0 = none wait */
				readonly waiting_seconds: number;
				/** Beyond this, hits are refused */
				readonly max_bytes: number;
				/** Rows that the event store refused; they lie in `spool/refused` */
				readonly refused_rows: number;
				readonly damaged_files: number;
			} | null;
			readonly jobs: {
				readonly kinds: readonly {
					readonly kind: string;
					readonly pending: number;
					readonly running: number;
					readonly failed: number;
					/** Within a day */
					readonly done: number;
				}[];
				/** Since when the longest waiting job could have been done */
				readonly due_since: string | null;
			};
			readonly schedules: readonly {
				readonly name: string;
				/** In UTC; six fields begin with seconds */
				readonly cron: string;
				/** End of the last run that is still known */
				readonly last_run_at: string | null;
				readonly last_status: "done" | "failed" | null;
				readonly next_run_at: string | null;
			}[];
			readonly backups: {
				/** When the last complete backup was made; null = never */
				readonly last_done_at: string | null;
				/** Size of that backup */
				readonly bytes: number | null;
				/** Null unless the last attempt failed */
				readonly last_failed_at: string | null;
				readonly last_error: string | null;
			};
			readonly mail: {
				/** `outbox`: mails are files in the data directory */
				readonly mode: "smtp" | "outbox";
				readonly waiting: number;
				/** Within thirty days */
				readonly given_up: number;
				/** Of the youngest mail that could not leave */
				readonly last_error: {
					readonly job_id: number;
					readonly message: string;
					readonly status: "pending" | "running" | "failed";
				} | null;
			};
		};
	};
	/** Delete a user for good; what the user set up for others stays. For superadmins who are signed in. Closed to superadmins who act as somebody else. */
	"DELETE /admin/users/{user_id}": {
		path: {
			readonly user_id: number;
		};
		query: Nothing;
		body: {
			/** The exact address, as a safeguard */
			readonly email: string;
		};
		answer: {
			readonly deleted: true;
			readonly user_id: number;
			/** Slugs of the organizations that were the user's alone; their sites collect nothing more */
			readonly organizations: readonly string[];
		};
	};
	/** What alert rules found. For the viewers of the site and those above them. Not for keys. */
	"GET /alerts/history": {
		path: Nothing;
		query: GetAlertsHistoryQuery & {
			readonly rule_id?: number | undefined;
			readonly status?: "active" | "acknowledged" | "resolved" | "false_positive" | undefined;
			/** First day of their beginning, in the site's time zone */
			readonly from_date?: string | undefined;
			/** Last day of their beginning, in the site's time zone */
			readonly to_date?: string | undefined;
		};
		body: undefined;
		answer: {
			readonly alerts: readonly GetAlertsHistoryAnswerAlerts[];
			readonly total: number;
		};
	};
	/** Acknowledge, resolve or dismiss what a rule found. For the editors of the site and those above them. Not for keys. */
	"PATCH /alerts/history/{alert_id}": {
		path: {
			readonly alert_id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** When absent, an active alert is acknowledged, and others stay as they are */
			readonly status?: "acknowledged" | "resolved" | "false_positive";
			readonly notes?: string | null;
		};
		answer: GetAlertsHistoryAnswerAlerts;
	};
	/** Alert rules of a site. For the viewers of the site and those above them. Not for keys. */
	"GET /alerts/rules": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			readonly include_inactive?: boolean | undefined;
		};
		body: undefined;
		answer: {
			readonly rules: readonly GetAlertsRulesAnswerRules[];
			readonly total: number;
		};
	};
	/** Watch a figure of a site. For the editors of the site and those above them. Not for keys. */
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
			/** `7d` when absent, `24h` with `alert_type` `error_rate` */
			readonly baseline_period?: "24h" | "7d" | "30d" | "90d";
			readonly comparison_window?: "15m" | "1h" | "6h" | "24h";
			readonly notify_email?: boolean;
			readonly notify_slack?: boolean;
			/** Governs `custom_webhook_url` only */
			readonly notify_webhook?: boolean;
			/** Empty: the organization's owners. People who are not users of the site are asked by mail and get nothing until they agree */
			readonly email_recipients?: readonly string[];
			readonly cooldown_minutes?: number;
			readonly description?: string | null;
			readonly custom_condition?: GetAlertsRulesAnswerRulesCustomCondition | null;
			/** A Slack incoming webhook; https, a public address */
			readonly slack_webhook_url?: string | null;
			/** Gets the events of this rule as JSON; https, a public address */
			readonly custom_webhook_url?: string | null;
		};
		answer: GetAlertsRulesAnswerRules;
	};
	/** Remove an alert rule; its history stays. For the editors of the site and those above them. Not for keys. */
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
	/** One alert rule. For the viewers of the site and those above them. Not for keys. */
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
	/** Change an alert rule, or switch it off. For the editors of the site and those above them. Not for keys. */
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
			/** Governs `custom_webhook_url` only */
			readonly notify_webhook?: boolean;
			/** Empty: the organization's owners. People who are not users of the site are asked by mail and get nothing until they agree */
			readonly email_recipients?: readonly string[];
			readonly cooldown_minutes?: number;
			readonly description?: string | null;
			readonly custom_condition?: GetAlertsRulesAnswerRulesCustomCondition | null;
			/** A Slack incoming webhook; https, a public address */
			readonly slack_webhook_url?: string | null;
			/** Gets the events of this rule as JSON; https, a public address */
			readonly custom_webhook_url?: string | null;
			readonly is_active?: boolean;
		};
		answer: GetAlertsRulesAnswerRules;
	};
	/** What a rule would say now, and a test notification. For the editors of the site and those above them. Not for keys. At most 30 requests in an hour. */
	"POST /alerts/rules/{id}/test": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** To the rule's addresses; of its mails, one to the caller alone */
			readonly send_notification?: boolean;
		} | undefined;
		answer: {
			/** false: the metric cannot be read at present */
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
	/** How much alert rules found. For the viewers of the site and those above them. Not for keys. */
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
			/** Its name; in the last 30 days */
			readonly most_triggered_rule: string | null;
			readonly last_trigger: string | null;
		};
	};
	/** Annotations of a site, in the order of their days. For the viewers of the site and those above them. Not for keys. */
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
	/** Write something beside the figures of a day. For the editors of the site and those above them. Not for keys. */
	"POST /annotations": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** A day of the site; it may be yet to come */
			readonly date: string;
			/** On the site's clock; null: the whole day */
			readonly hour?: number | null;
			readonly text: string;
			readonly kind?: "note" | "release" | "campaign";
		};
		answer: GetAnnotationsAnswer;
	};
	/** Remove an annotation. For the editors of the site and those above them. Not for keys. */
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
	/** One annotation. For the viewers of the site and those above them. Not for keys. */
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
	/** Change an annotation. For the editors of the site and those above them. Not for keys. */
	"PATCH /annotations/{id}": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** A day of the site; it may be yet to come */
			readonly date?: string;
			/** On the site's clock; null: the whole day */
			readonly hour?: number | null;
			readonly text?: string;
			readonly kind?: "note" | "release" | "campaign";
		};
		answer: GetAnnotationsAnswer;
	};
	/** The caller's tokens. For whoever is signed in, and for keys with the scope `accounts:read`. Closed to superadmins who act as somebody else. */
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
	/** Create a token; its value is shown only in this answer. For whoever is signed in. Closed to superadmins who act as somebody else. At most 60 requests in an hour. */
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
			/** Slugs of the sites that the key opens now */
			readonly account_ids: readonly string[];
			readonly all_sites: boolean;
			readonly expires_at: string | null;
			/** Kept to the minute */
			readonly last_used_at: string | null;
			readonly is_active: boolean;
			readonly revoked_at: string | null;
			readonly created_at: string;
			/** The value; shown only here */
			readonly token: string;
		};
	};
	/** Scopes that the caller may grant. For whoever is signed in, and for keys with the scope `accounts:read`. Closed to superadmins who act as somebody else. */
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
	/** Revoke a token. For whoever is signed in. Closed to superadmins who act as somebody else. */
	"DELETE /api-tokens/{token_id}": {
		path: {
			readonly token_id: number;
		};
		query: Nothing;
		body: undefined;
		answer: GetApiTokensAnswerTokens;
	};
	/** One token. For whoever is signed in, and for keys with the scope `accounts:read`. Closed to superadmins who act as somebody else. */
	"GET /api-tokens/{token_id}": {
		path: {
			readonly token_id: number;
		};
		query: Nothing;
		body: undefined;
		answer: GetApiTokensAnswerTokens;
	};
	/** Ask about a site, answered from its reports. For whoever is signed in. Closed to superadmins who act as somebody else. */
	"POST /assistant/chat": {
		path: Nothing;
		query: {
			/** Site slug, where the body does not name it */
			readonly account_id?: string | undefined;
		};
		body: PostAssistantChatBody;
		answer: PostAssistantChatAnswer;
	};
	/** Remove one of your conversations for good. For the viewers of the site and those above them. Not for keys. Closed to superadmins who act as somebody else. */
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
	/** One of your conversations. For the viewers of the site and those above them. Not for keys. Closed to superadmins who act as somebody else. */
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
				/** Made by the service of what the tools answered */
				readonly charts: readonly PostAssistantChatAnswerCharts[];
				/** Made by the service of what the tools answered */
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
	/** Your conversations about a site, the last answered first. For the viewers of the site and those above them. Not for keys. Closed to superadmins who act as somebody else. */
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
				/** The beginning of the first question */
				readonly title: string;
				readonly message_count: number;
				readonly created_at: string;
				readonly updated_at: string;
				/** There is room for more messages */
				readonly is_active: boolean;
			}[];
			readonly total: number;
		};
	};
	/** What the assistant can read of a site. For whoever is signed in. Closed to superadmins who act as somebody else. */
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
	/** Every action that the audit log knows. For whoever is signed in. */
	"GET /audit/actions": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			/** By their names; also those that nothing has left an entry of yet */
			readonly actions: readonly {
				/** `resource.verb` */
				readonly action: string;
				readonly resource_type: string;
			}[];
		};
	};
	/** Who changed what, newest first. For whoever is signed in. */
	"GET /audit/logs": {
		path: Nothing;
		query: {
			/** E.g. `site.updated`; all of them: `GET /audit/actions` */
			readonly action?: string | undefined;
			/** E.g. `site` */
			readonly resource_type?: string | undefined;
			/** Author, or who acted as the author */
			readonly user_id?: number | undefined;
			/** Site */
			readonly account_id?: string | undefined;
			/** Slug; what concerns the organization and its sites */
			readonly organization?: string | undefined;
			/** Moment, or a day that is included */
			readonly from_date?: string | undefined;
			/** Moment, or a day that is included; days are those of UTC */
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
				/** Changed fields as `[old, new]`, or facts; `impersonated_by`: id of the superadmin who acted as this user */
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
	/** Mail a link to a new password; every address gets the same answer. Open to everybody. At most 3 requests from one address in an hour. */
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
	/** Whether the session is an impersonation. For whoever is signed in. */
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
	/** End the current session. For whoever is signed in. */
	"POST /auth/logout": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly message: string;
		};
	};
	/** The current user. For whoever is signed in, and for keys with the scope `accounts:read`. */
	"GET /auth/me": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: Post2faVerifyLoginAnswerUser;
	};
	/** Exchange the refresh cookie for a new access token. Open to everybody. */
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
	/** Register, where `REGISTRATION` is open; an address that is registered gets the same answer. Open to everybody. At most 3 requests from one address in an hour. */
	"POST /auth/register": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly email: string;
			readonly name: string;
			/** Not a common one, and without the e-mail address's local part */
			readonly password: string;
			/** Must be true */
			readonly accept_terms: boolean;
		};
		answer: PostAuthRegisterAnswer;
	};
	/** Set a new password with the mailed token; ends all sessions, and what apps were allowed. Open to everybody. */
	"POST /auth/reset-password": {
		path: Nothing;
		query: Nothing;
		body: {
			/** From the link in the mail */
			readonly token: string;
			/** Not a common one, and without the e-mail address's local part */
			readonly new_password: string;
		};
		answer: {
			readonly message: string;
			readonly sessions_terminated: number;
		};
	};
	/** Revoke all sessions, the current one too unless `include_current` is `false`. For whoever is signed in. */
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
	/** The caller's sessions. For whoever is signed in. Closed to superadmins who act as somebody else. */
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
	/** Revoke one session. For whoever is signed in. */
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
	/** Sign in. Open to everybody. */
	"POST /auth/token": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly email: string;
			readonly password: string;
		};
		answer: Post2faVerifyLoginAnswer2 | Post2faVerifyLoginAnswer;
	};
	/** Many reports in one request. For whoever is signed in, and for keys with the scope `stats:read`. Open to shared links. */
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
				/** The whole answer of the route, with `success` */
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
				/** More than one query ran at once */
				readonly parallel_execution: boolean;
			};
			readonly timestamp: string;
		};
	};
	/** Check a batch without running it. For whoever is signed in, and for keys with the scope `stats:read`. */
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
	/** Where invoices go, when not to the owner who paid. For owners of an organization and superadmins (`billing:manage`). Closed to superadmins who act as somebody else. */
	"GET /billing/accounting-email": {
		path: Nothing;
		query: {
			/** Organization; the caller's own when it is not named */
			readonly org_id?: string | undefined;
		};
		body: undefined;
		answer: {
			readonly accounting_email: string | null;
		};
	};
	/** Say where invoices go; null: to the owner who pays. For owners of an organization and superadmins (`billing:manage`). Closed to superadmins who act as somebody else. */
	"PUT /billing/accounting-email": {
		path: Nothing;
		query: {
			/** Organization; the caller's own when it is not named */
			readonly org_id?: string | undefined;
		};
		body: {
			readonly email: string | null;
		};
		answer: {
			readonly accounting_email: string | null;
		};
	};
	/** Begin to buy a plan, at the payment provider's pages. For owners of an organization and superadmins (`billing:manage`). Closed to superadmins who act as somebody else. */
	"POST /billing/checkout": {
		path: Nothing;
		query: Nothing;
		body: {
			/** Organization; the caller's own when it is not named */
			readonly org_id?: string;
			/** `growth` and `scale` are sold */
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
	/** Whether a coupon may be used, and what is then to be paid. For owners of an organization and superadmins (`billing:manage`). Closed to superadmins who act as somebody else. */
	"POST /billing/coupons/validate": {
		path: Nothing;
		query: {
			/** Organization; the caller's own when it is not named */
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
	/** Invoices, newest first. For owners of an organization and superadmins (`billing:manage`). Closed to superadmins who act as somebody else. */
	"GET /billing/invoices": {
		path: Nothing;
		query: {
			/** Organization; the caller's own when it is not named */
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
	/** Periods that are over, and what followed where the plan was exceeded. For owners of an organization and superadmins (`billing:manage`). Closed to superadmins who act as somebody else. */
	"GET /billing/overage-status": {
		path: Nothing;
		query: {
			/** Organization; the caller's own when it is not named */
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
	/** What an organization has bought and uses. For owners of an organization and superadmins (`billing:manage`). Closed to superadmins who act as somebody else. */
	"GET /billing/overview": {
		path: Nothing;
		query: {
			/** Organization; the caller's own when it is not named */
			readonly org_id?: string | undefined;
		};
		body: undefined;
		answer: {
			readonly subscription: GetBillingOverviewAnswerSubscription | null;
			readonly usage: {
				readonly human_events: number;
				readonly agent_events: number;
				readonly event_limit: number | null;
				/** Of the limit; over 100 beyond it */
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
	/** The plans, smallest first. Open to everybody. */
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
	/** Open the payment provider's pages for cards, invoices and changes. For owners of an organization and superadmins (`billing:manage`). Closed to superadmins who act as somebody else. */
	"POST /billing/portal": {
		path: Nothing;
		query: Nothing;
		body: {
			/** Organization; the caller's own when it is not named */
			readonly org_id?: string;
			readonly return_url?: string;
		};
		answer: {
			readonly portal_url: string;
		};
	};
	/** Take an event of the payment provider. Open to everybody. At most 1200 requests from one address in a minute. */
	"POST /billing/provider-webhook": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly received: boolean;
		};
	};
	/** The subscription; null when there is none. For owners of an organization and superadmins (`billing:manage`). Closed to superadmins who act as somebody else. */
	"GET /billing/subscription": {
		path: Nothing;
		query: {
			/** Organization; the caller's own when it is not named */
			readonly org_id?: string | undefined;
		};
		body: undefined;
		answer: GetBillingOverviewAnswerSubscription | null;
	};
	/** Cancel the subscription at the end of its period. For owners of an organization and superadmins (`billing:manage`). Closed to superadmins who act as somebody else. */
	"POST /billing/subscription/cancel": {
		path: Nothing;
		query: {
			/** Organization; the caller's own when it is not named */
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
	/** What happened to subscriptions, newest first. For owners of an organization and superadmins (`billing:manage`). Closed to superadmins who act as somebody else. */
	"GET /billing/subscription/history": {
		path: Nothing;
		query: {
			/** Organization; the caller's own when it is not named */
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
			/** Fields of the subscription; null: there was none */
			readonly previous_state: Readonly<Record<string, unknown>> | null;
			/** Fields of the subscription; null: there was none */
			readonly new_state: Readonly<Record<string, unknown>> | null;
			readonly success: boolean;
			readonly error_message: string | null;
			readonly error_code: string | null;
			readonly ip_address: string | null;
			readonly created_at: string;
		}[];
	};
	/** Let a cancelled subscription go on. For owners of an organization and superadmins (`billing:manage`). Closed to superadmins who act as somebody else. */
	"POST /billing/subscription/resume": {
		path: Nothing;
		query: {
			/** Organization; the caller's own when it is not named */
			readonly org_id?: string | undefined;
		};
		body: undefined;
		answer: {
			readonly success: boolean;
			readonly message: string;
			readonly subscription: GetBillingOverviewAnswerSubscription;
		};
	};
	/** Events of the period at hand, pooled over the organization's sites. For owners of an organization and superadmins (`billing:manage`). Closed to superadmins who act as somebody else. */
	"GET /billing/usage/current": {
		path: Nothing;
		query: {
			/** Organization; the caller's own when it is not named */
			readonly org_id?: string | undefined;
		};
		body: undefined;
		answer: {
			readonly org_id: string;
			readonly plan_tier: "free" | "growth" | "scale" | "enterprise";
			/** `warning`: from 80 % on; `exceeded`: collecting goes on; `stopped`: nothing is collected any more */
			readonly status: "ok" | "warning" | "exceeded" | "stopped";
			readonly period_start: string;
			readonly period_end: string;
			readonly human_events: number;
			readonly agent_events: number;
			readonly event_limit: number | null;
			/** Of the limit; over 100 beyond it */
			readonly percentage: number;
			readonly is_unlimited: boolean;
			readonly days_remaining: number;
			readonly last_synced_at: string;
		};
	};
	/** Events of the periods, newest first. For owners of an organization and superadmins (`billing:manage`). Closed to superadmins who act as somebody else. */
	"GET /billing/usage/history": {
		path: Nothing;
		query: {
			/** Organization; the caller's own when it is not named */
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
	/** Addresses whose hits are not counted. For the viewers of the site and those above them. Not for keys. */
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
			/** Of the entries listed */
			readonly total: number;
			readonly active_count: number;
		};
	};
	/** Stop counting the hits of an address or range. For the editors of the site and those above them. Not for keys. */
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
	/** Count the hits of an address again. For the editors of the site and those above them. Not for keys. */
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
	/** One blocklist entry. For the viewers of the site and those above them. Not for keys. */
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
	/** Change a blocklist entry. For the editors of the site and those above them. Not for keys. */
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
	/** Suspicion scores of all hits, those that reports leave out included. For the viewers of the site and those above them. Not for keys. */
	"GET /bot-stats/overview": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			/** Days that end today */
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
			/** Ten at most, by count */
			readonly top_flags: readonly {
				readonly flag: "empty_user_agent" | "known_bot_pattern" | "headless_user_agent" | "suspicious_user_agent" | "platform_mismatch" | "mobile_mismatch" | "sec_fetch_inconsistent" | "missing_client_hints" | "missing_sec_fetch" | "missing_accept_language" | "incomplete_accept_encoding";
				readonly count: number;
				readonly description: string;
			}[];
			/** One point a day, days without hits too */
			readonly daily_trend: readonly {
				readonly date: string;
				readonly total_hits: number;
				readonly suspicious_hits: number;
				readonly avg_score: number;
			}[];
		};
	};
	/** The most suspicious sessions of the last seven days. For the viewers of the site and those above them. Not for keys. */
	"GET /bot-stats/suspicious-sessions": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			/** Sessions above this score */
			readonly min_score?: number | undefined;
			readonly limit?: number | undefined;
		};
		body: undefined;
		answer: readonly {
			readonly session_id: string;
			readonly max_score: number;
			/** Of all its hits */
			readonly flags: readonly ("empty_user_agent" | "known_bot_pattern" | "headless_user_agent" | "suspicious_user_agent" | "platform_mismatch" | "mobile_mismatch" | "sec_fetch_inconsistent" | "missing_client_hints" | "missing_sec_fetch" | "missing_accept_language" | "incomplete_accept_encoding")[];
			readonly hit_count: number;
			readonly first_seen: string;
			readonly last_seen: string;
			/** Kept for suspicious hits only, else empty */
			readonly user_agent: string;
			readonly country: string;
		}[];
	};
	/** Channel rules of a site. For the viewers of the site and those above them. Keys need the scope `sites:read`. Open to connected apps. */
	"GET /channel-groups": {
		path: Nothing;
		query: {
			/** Slug of the site */
			readonly account_id: string;
			/** List drafts too */
			readonly include_inactive?: boolean | undefined;
			readonly include_defaults?: boolean | undefined;
		};
		body: undefined;
		answer: {
			/** In the order in which they are asked */
			readonly rules: readonly GetChannelGroupsAnswerRules[];
			readonly total: number;
			readonly default_count: number;
			readonly custom_count: number;
		};
	};
	/** Add a channel rule. For the editors of the site and those above them. Not for keys. */
	"POST /channel-groups": {
		path: Nothing;
		query: {
			/** Slug of the site */
			readonly account_id: string;
		};
		body: {
			readonly channel_name: string;
			/** RE2 expression on the source, case-insensitive, found anywhere in it */
			readonly source_pattern?: string | null;
			/** RE2 expression on the medium, case-insensitive, found anywhere in it */
			readonly medium_pattern?: string | null;
			/** RE2 expression on the campaign, case-insensitive, found anywhere in it */
			readonly campaign_pattern?: string | null;
			/** The highest is asked first */
			readonly priority?: number;
			/** false = a draft */
			readonly is_active?: boolean;
		};
		answer: GetChannelGroupsAnswerRules;
	};
	/** All channel rules of a site, to be imported elsewhere. For the viewers of the site and those above them. Keys need the scope `sites:read`. Open to connected apps. */
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
	/** Replace the channel rules of a site. For the editors of the site and those above them. Not for keys. */
	"POST /channel-groups/import": {
		path: Nothing;
		query: {
			/** Slug of the site */
			readonly account_id: string;
			/** Say what would happen and change nothing */
			readonly dry_run?: boolean | undefined;
			/** `all` replaces every own rule; `drafts` replaces the drafts, and stores drafts */
			readonly scope?: "all" | "drafts" | undefined;
		};
		body: {
			readonly version: 1;
			readonly rules: readonly unknown[];
		};
		answer: {
			/** Rows without a fault */
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
	/** Traffic by channel. For the viewers of the site and those above them. Keys need the scope `sites:read` or `stats:read`. Open to connected apps. */
	"GET /channel-groups/stats/channels": {
		path: Nothing;
		query: {
			/** Slug of the site */
			readonly account_id: string;
			/** Relative range, `30d` unless dates are given; overrides them */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** ISO 3166-1 alpha-2 code or `Unknown`; repeat it to allow several */
			readonly country?: readonly string[] | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
		} & GetChannelGroupsStatsChannelsQuery;
		body: undefined;
		answer: {
			readonly channels: readonly {
				/** Empty on rows that were imported without a channel */
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
			/** Channels on all pages */
			readonly total: number;
		};
	};
	/** The channel that a visit would get. For the viewers of the site and those above them. Keys need the scope `sites:read`. Open to connected apps. */
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
			/** Ask drafts too */
			readonly include_inactive?: boolean;
			/** A rule that is not saved, asked as if it were live */
			readonly rule?: {
				/** Of the rule that it stands for; 0 for a new one */
				readonly id?: number;
				readonly channel_name: string;
				/** RE2 expression on the source, case-insensitive, found anywhere in it */
				readonly source_pattern?: string | null;
				/** RE2 expression on the medium, case-insensitive, found anywhere in it */
				readonly medium_pattern?: string | null;
				/** RE2 expression on the campaign, case-insensitive, found anywhere in it */
				readonly campaign_pattern?: string | null;
				/** The highest is asked first */
				readonly priority?: number;
			};
			/** More visits, of which only the channels are told */
			readonly visits?: readonly {
				readonly source?: string;
				readonly medium?: string;
				readonly campaign?: string;
			}[];
		};
		answer: {
			readonly channel: string;
			/** Its id is 0 where it is the `rule` of the body and not saved */
			readonly matched_rule: GetChannelGroupsAnswerRules | null;
			/** Of `visits`, in their order; only with them */
			readonly channels?: readonly string[];
		};
	};
	/** Remove a channel rule. For the editors of the site and those above them. Not for keys. */
	"DELETE /channel-groups/{rule_id}": {
		path: {
			readonly rule_id: number;
		};
		query: DeleteChannelGroupsRuleIdQuery;
		body: undefined;
		answer: undefined;
	};
	/** One channel rule. For the viewers of the site and those above them. Keys need the scope `sites:read`. Open to connected apps. */
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
	/** Change a channel rule. For the editors of the site and those above them. Not for keys. */
	"PATCH /channel-groups/{rule_id}": {
		path: {
			readonly rule_id: number;
		};
		query: DeleteChannelGroupsRuleIdQuery;
		body: {
			readonly channel_name?: string;
			/** RE2 expression on the source, case-insensitive, found anywhere in it */
			readonly source_pattern?: string | null;
			/** RE2 expression on the medium, case-insensitive, found anywhere in it */
			readonly medium_pattern?: string | null;
			/** RE2 expression on the campaign, case-insensitive, found anywhere in it */
			readonly campaign_pattern?: string | null;
			/** The highest is asked first */
			readonly priority?: number;
			readonly is_active?: boolean;
		};
		answer: GetChannelGroupsAnswerRules;
	};
	/** What this installation offers. Open to everybody. */
	"GET /config": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			/** Of the service */
			readonly version: string;
			/** No account exists yet: the link in the service's output makes the first one */
			readonly setup_required: boolean;
			readonly registration: "invited" | "open" | "closed";
			/** `outbox`: mails are files in the data directory, nobody receives them */
			readonly mail: "smtp" | "outbox";
			/** Who takes payments for plans; `none`: whoever runs the service sets them */
			readonly payments: "none" | "stripe";
			/** Parts that only some installations have */
			readonly features: readonly ("provisioning" | "assistant" | "billing" | "imports" | "bigquery" | "lens" | "migration")[];
			/** Of the dashboard. Mails, and the pages that they lead to, are English */
			readonly languages: readonly ("en" | "es")[];
			readonly limits: {
				/** A visit ends so long after its last hit */
				readonly session_timeout_minutes: number;
				/** Largest amount of one conversion, of either sign */
				readonly max_amount: number;
				/** Largest file that can be imported */
				readonly max_import_bytes: number;
			};
		};
	};
	/** Mail the link that confirms an address again. Open to everybody. At most 3 requests from one address in an hour. */
	"POST /email/resend-verification": {
		path: Nothing;
		query: Nothing;
		body: {
			/** A session may leave it out: its own address */
			readonly email?: string;
		} | undefined;
		answer: {
			readonly message: string;
		};
	};
	/** Whether the caller's e-mail address is confirmed. For whoever is signed in. */
	"GET /email/verification-status": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly verified: boolean;
			readonly email: string;
		};
	};
	/** Confirm an e-mail address with the mailed token, and sign in. Open to everybody. */
	"POST /email/verify": {
		path: Nothing;
		query: Nothing;
		body: {
			/** From the link in the mail */
			readonly token: string;
		};
		answer: PostEmailVerifyAnswer | Post2faVerifyLoginAnswer;
	};
	/** Exports of a site. For the viewers of the site and those above them. Keys need the scope `stats:read`. */
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
				/** While the status is `completed`; needs no credential */
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
			/** Of the exports listed on all pages */
			readonly total: number;
		};
	};
	/** Export to a file: at once below 10,000 rows, else in the background. For the viewers of the site and those above them. Keys need the scope `stats:read`. */
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
	/** The file of an export; the link is its own credential for 24 hours. Open to everybody. */
	"GET /exports/download/{download_token}": {
		path: {
			readonly download_token: string;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
			/** Not a parameter here; `account_id` names the site */
			readonly site_id?: unknown | undefined;
		};
		body: undefined;
		answer: readonly Readonly<Record<string, unknown>>[] | Response;
	};
	/** What an export would be like. For the viewers of the site and those above them. Keys need the scope `stats:read`. */
	"POST /exports/estimate": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: PostExportsBody;
		answer: PostExportsAnswerEstimate;
	};
	/** A file of at most 10,000 rows, at once. For the viewers of the site and those above them. Keys need the scope `stats:read`. */
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
			/** All of them hold */
			readonly filters?: PostExportsBodyFilters;
			/** `csv` when absent; with `Accept: application/x-ndjson` JSON comes as an object a line */
			readonly format?: "csv" | "json" | "parquet";
		};
		answer: readonly Readonly<Record<string, unknown>>[] | Response;
	};
	/** Cancel an export that waits, or remove one with its file. For the viewers of the site and those above them. Keys need the scope `stats:read`. */
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
	/** One export. For the viewers of the site and those above them. Keys need the scope `stats:read`. */
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
	/** Imports, newest first. For the viewers of the site and those above them. Not for keys. */
	"GET /imports": {
		path: Nothing;
		query: GetAlertsHistoryQuery;
		body: undefined;
		answer: {
			readonly imports: readonly GetImportsAnswerImports[];
			readonly total: number;
		};
	};
	/** Import a file of another tool: first a report, unless `dry_run` is `false`. For the admins of the site and those above them. Not for keys. At most 60 requests in an hour. */
	"POST /imports": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: FormData;
		answer: GetImportsAnswerImports;
	};
	/** Cancel an import, or remove one without rows. For the admins of the site and those above them. Not for keys. */
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
	/** One import with its report. For the viewers of the site and those above them. Not for keys. */
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
	/** Import the rows of a dry run. For the admins of the site and those above them. Not for keys. */
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
	/** Remove exactly the rows of an import. For the admins of the site and those above them. Not for keys. */
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
	/** Disconnect a site; what is in BigQuery stays there. For the admins of its organization and those above them. Not for keys. */
	"DELETE /integrations/bigquery": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: undefined;
	};
	/** The integration of a site, null when there is none. For the viewers of the site and those above them. Not for keys. */
	"GET /integrations/bigquery": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetIntegrationsBigqueryAnswer | null;
	};
	/** Change what is synced and how often, or pause it. For the admins of its organization and those above them. Not for keys. */
	"PATCH /integrations/bigquery": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly sync_frequency?: "hourly" | "daily" | "manual";
			/** Kinds of data that are synced */
			readonly data_types?: readonly ("traffic" | "traffic_hourly" | "conversions" | "microconversions" | "pages" | "landing_pages" | "accounts")[];
			/** `false` pauses it */
			readonly is_active?: boolean;
			/** Days before today with which it begins */
			readonly backfill_days?: number;
		};
		answer: GetIntegrationsBigqueryAnswer;
	};
	/** Connect a site with BigQuery: tries the key, creates dataset and tables, begins the first sync. For the admins of its organization and those above them. Not for keys. At most 30 requests in an hour. */
	"POST /integrations/bigquery": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Content of the service account's key file; stored sealed, never shown */
			readonly service_account: Readonly<Record<string, unknown>>;
			/** Google Cloud project */
			readonly gcp_project_id: string;
			/** Created when missing */
			readonly dataset_id?: string;
			readonly location?: "EU" | "US" | "europe-west1" | "us-central1" | "us-east1";
			readonly sync_frequency?: "hourly" | "daily" | "manual";
			/** Kinds of data that are synced */
			readonly data_types?: readonly ("traffic" | "traffic_hourly" | "conversions" | "microconversions" | "pages" | "landing_pages" | "accounts")[];
			/** Days before today with which it begins */
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
	/** Sync up to a year of the past, in parts. For the admins of its organization and those above them. Not for keys. */
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
			/** Days of one part */
			readonly chunk_days?: number;
		};
		answer: {
			/** `running`: it takes longer than the answer waits */
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
	/** Syncs of a site, newest first. For the viewers of the site and those above them. Not for keys. */
	"GET /integrations/bigquery/logs": {
		path: Nothing;
		query: GetAlertsHistoryQuery;
		body: undefined;
		answer: {
			readonly logs: readonly GetIntegrationsBigqueryLogsAnswerLogs[];
			readonly total: number;
		};
	};
	/** One sync of the log. For the viewers of the site and those above them. Not for keys. */
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
	/** Sync again what of a sync has failed. For the admins of its organization and those above them. Not for keys. */
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
			/** `running`: it takes longer than the answer waits */
			readonly status: "running" | "success" | "failed" | "partial" | "cancelled";
			readonly original_log_id: number;
			readonly new_sync_id: string;
			readonly sync_type: "initial" | "incremental" | "backfill" | "retry";
			readonly total_rows: number;
			readonly message: string;
		};
	};
	/** The tables in BigQuery and their columns. For whoever is signed in. */
	"GET /integrations/bigquery/schema": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly tables: Readonly<Record<string, {
				readonly description: string;
				/** What it is chosen by; null: it is always there */
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
	/** Create what of dataset and tables is missing. For the admins of its organization and those above them. Not for keys. At most 30 requests in an hour. */
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
	/** Sync days now; they replace what of them is in BigQuery. For the admins of its organization and those above them. Not for keys. */
	"POST /integrations/bigquery/sync": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** First day; two days before the last sync when absent */
			readonly date_from?: string;
			/** Last day; today when absent */
			readonly date_to?: string;
		} | undefined;
		answer: {
			/** `running`: it takes longer than the answer waits */
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
	/** Accept an invitation with a new account. Open to everybody. At most 10 requests from one address in an hour. */
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
	/** Accept an invitation as the signed-in user. For whoever is signed in. At most 10 requests from one address in an hour. */
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
	/** What an invitation is for. Open to everybody. */
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
	/** Who came to the site from which address, newest first. For the admins of the site and those above them. Not for keys. */
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
	/** What the IP allowlist says to an address. For the admins of the site and those above them. Not for keys. */
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
	/** What the IP allowlist says to the caller's address. For the admins of the site and those above them. Not for keys. */
	"GET /ip-allowlist/check-current": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: PostIpAllowlistCheckAnswer;
	};
	/** The patterns as text, one a line. For the admins of the site and those above them. Not for keys. */
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
	/** Let the addresses of a text in. For the admins of the site and those above them. Not for keys. */
	"POST /ip-allowlist/import": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** One pattern a line; `#` begins a comment, which becomes the label */
			readonly text: string;
			/** Of lines without a slash; those with one are ranges */
			readonly default_pattern_type?: "ip" | "cidr" | "regex";
			readonly label_prefix?: string | null;
			/** Leaves out what the site has; otherwise it is an error */
			readonly skip_duplicates?: boolean;
		};
		answer: PostIpAllowlistImportAnswer;
	};
	/** Patterns of the IP allowlist. For the admins of the site and those above them. Not for keys. */
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
			/** Of the patterns listed */
			readonly total: number;
			readonly active_count: number;
		};
	};
	/** Let addresses in. For the admins of the site and those above them. Not for keys. */
	"POST /ip-allowlist/patterns": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: PostIpAllowlistPatternsBody;
		answer: PostIpAllowlistCheckAnswerMatchedPattern;
	};
	/** Let many addresses in. For the admins of the site and those above them. Not for keys. */
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
	/** Remove many patterns of the IP allowlist. For the admins of the site and those above them. Not for keys. Closed to superadmins who act as somebody else. */
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
	/** Remove a pattern of the IP allowlist. For the admins of the site and those above them. Not for keys. */
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
	/** One pattern of the IP allowlist. For the admins of the site and those above them. Not for keys. */
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
	/** Change a pattern of the IP allowlist. For the admins of the site and those above them. Not for keys. */
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
	/** Settings of the IP allowlist. For the admins of the site and those above them. Not for keys. */
	"GET /ip-allowlist/settings": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetIpAllowlistSettingsAnswer;
	};
	/** Switch the IP allowlist on or off. For the admins of the site and those above them. Not for keys. */
	"PUT /ip-allowlist/settings": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly is_enabled?: boolean;
			/** Keys, and apps that a user has connected */
			readonly enforce_for_api_tokens?: boolean;
			/** Users who are signed in */
			readonly enforce_for_dashboard?: boolean;
		};
		answer: GetIpAllowlistSettingsAnswer;
	};
	/** The same as `POST /assistant/chat`. For whoever is signed in. Closed to superadmins who act as somebody else. */
	"POST /lens/chat": {
		path: Nothing;
		query: {
			/** Site slug, where the body does not name it */
			readonly account_id?: string | undefined;
		};
		body: PostAssistantChatBody;
		answer: PostAssistantChatAnswer;
	};
	/** Questions of a site in the present month. For the viewers of the site and those above them. Not for keys. */
	"GET /lens/chat/usage": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: {
			readonly questions_used: number;
			/** A month of the site's time zone */
			readonly questions_limit: number;
			/** Beyond the limit, given by the operator for this month */
			readonly bonus_questions: number;
			/** Those beyond the usual number included */
			readonly questions_remaining: number;
			readonly period_start: string;
			readonly period_end: string;
			readonly percentage_used: number;
		};
	};
	/** Count a question that a client of its own answers; those of the assistant count by themselves. For the viewers of the site and those above them. Not for keys. Closed to superadmins who act as somebody else. */
	"POST /lens/chat/usage/increment": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: {
			/** False: nothing was counted */
			readonly can_ask: boolean;
			/** Those beyond the usual number included */
			readonly questions_remaining: number;
			readonly message: string | null;
		};
	};
	/** What rules found of a site: the worst first, of equals the newest. For the viewers of the site and those above them. Not for keys. */
	"GET /lens/insights": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			/** Several: repeat the parameter */
			readonly insight_type?: readonly ("anomaly" | "opportunity" | "trend" | "alert" | "health")[] | undefined;
			/** Several: repeat the parameter */
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
	/** Insights by rule, type, or the value that they are about. For the viewers of the site and those above them. Not for keys. */
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
	/** How many insights a site has, without those that were dismissed. For the viewers of the site and those above them. Not for keys. */
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
			/** Whether a red one is unread */
			readonly has_critical: boolean;
		};
	};
	/** One insight. For the viewers of the site and those above them. Not for keys. */
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
	/** Put an insight away; it does not come back as long as it lasts. For the editors of the site and those above them. Not for keys. */
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
	/** Say what an insight was worth; the last word of each user counts. For the editors of the site and those above them. Not for keys. */
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
	/** Mark an insight as read, for all. For the editors of the site and those above them. Not for keys. */
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
	/** Mark an insight as unread, for all. For the editors of the site and those above them. Not for keys. */
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
	/** Reports of a site, the latest period first. For the viewers of the site and those above them. Not for keys. */
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
	/** Make a report now; one of the same period is made anew. For the editors of the site and those above them. Not for keys. At most 30 requests in an hour. */
	"POST /lens/reports/generate": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly report_type: "weekly" | "monthly";
			/** Last of seven days, or a day of the month; the last week or month that has ended when absent */
			readonly period_end?: string | null;
		};
		answer: PostLensReportsGenerateAnswer;
	};
	/** The last weekly or monthly report. For the viewers of the site and those above them. Not for keys. */
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
	/** One report. For the viewers of the site and those above them. Not for keys. */
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
	/** Whether a site is looked at, and who is told. For the viewers of the site and those above them. Not for keys. */
	"GET /lens/settings": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: undefined;
		answer: GetLensSettingsAnswer;
	};
	/** Change how a site is looked at, and who is told. For the editors of the site and those above them. Not for keys. */
	"PATCH /lens/settings": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Whether the site is looked at */
			readonly is_enabled?: boolean;
			/** Whether anything is mailed */
			readonly notify_email?: boolean;
			readonly notify_on_red?: boolean;
			readonly notify_on_yellow?: boolean;
			readonly notify_on_green?: boolean;
			/** Who gets mails. Empty: the owners of the organization hear of insights, and nobody gets reports. People who are not users of the site are asked first */
			readonly email_recipients?: readonly string[];
			/** At 6:00 of the site's clock, every day or on Mondays; `manual`: only when a report is asked for */
			readonly analysis_frequency?: "daily" | "weekly" | "manual";
		};
		answer: GetLensSettingsAnswer;
	};
	/** Mail reports of a site. For the editors of the site and those above them. Not for keys. */
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
	/** Send a summary of a site every week or month. For the editors of the site and those above them. Not for keys. */
	"POST /mail-reports": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** At 7:00 of the site's clock, on Mondays or on the first of the month */
			readonly frequency: "weekly" | "monthly";
			/** Whoever has unsubscribed stays so. People who are not users of the site are asked by mail and get nothing until they agree */
			readonly recipients: readonly string[];
			readonly is_active?: boolean;
		};
		answer: GetMailReportsAnswerReports;
	};
	/** Remove a mail report. For the editors of the site and those above them. Not for keys. */
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
	/** One mail report. For the editors of the site and those above them. Not for keys. */
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
	/** Change a mail report; given recipients replace the present ones. For the editors of the site and those above them. Not for keys. */
	"PATCH /mail-reports/{id}": {
		path: {
			readonly id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** At 7:00 of the site's clock, on Mondays or on the first of the month */
			readonly frequency?: "weekly" | "monthly";
			/** Whoever has unsubscribed stays so. People who are not users of the site are asked by mail and get nothing until they agree */
			readonly recipients?: readonly string[];
			readonly is_active?: boolean;
		};
		answer: GetMailReportsAnswerReports;
	};
	/** Send the last report to yourself. For the editors of the site and those above them. Not for keys. At most 10 requests in an hour. */
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
	/** Migration jobs of a site, newest first. For the admins of its organization and those above them. Not for keys. */
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
	/** Bring figures over from the older service. For the admins of its organization and those above them. Not for keys. */
	"POST /migration/accounts/{id}/jobs": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: {
			/** Of a user of the older service */
			readonly v1_email: string;
			/** At the older service; kept sealed until the figures are fetched */
			readonly v1_password: string;
			/** Id of the account at the older service */
			readonly v1_account_id: string;
			/** First day */
			readonly date_from: string;
			/** Last day, included */
			readonly date_to: string;
			readonly migrate_conversions?: boolean;
			readonly migrate_microconversions?: boolean;
			/** Entrances too */
			readonly migrate_pageviews?: boolean;
		};
		answer: {
			readonly job_id: number;
			readonly status: "pending" | "running" | "completed" | "failed" | "cancelled";
			readonly message: string;
		};
	};
	/** One migration job. For the admins of the organization concerned and those above them. */
	"GET /migration/jobs/{job_id}": {
		path: {
			readonly job_id: number;
		};
		query: Nothing;
		body: undefined;
		answer: GetMigrationAccountsIdJobsAnswerJobs;
	};
	/** Cancel a migration job; what it has written goes. For the admins of the organization concerned and those above them. */
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
	/** How far a migration job is. For the admins of the organization concerned and those above them. */
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
	/** Try to sign in at the older service. For the admins of the organization concerned and those above them. At most 60 requests from one address in an hour. */
	"POST /migration/test-connection": {
		path: Nothing;
		query: Nothing;
		body: {
			/** Of a user of the older service */
			readonly email: string;
			/** At the older service; kept sealed until the figures are fetched */
			readonly password: string;
			/** Id of the account at the older service */
			readonly account_id: string;
		};
		answer: {
			readonly valid: boolean;
			readonly account_name: string | null;
			readonly error: string | null;
		};
	};
	/** Ask the user to let an app read one site. Open to everybody. At most 60 requests from one address in a minute. */
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
			/** Comes back as it is */
			readonly state?: string | undefined;
			/** SHA-256 of the verifier as base64url */
			readonly code_challenge: string;
			readonly code_challenge_method: "S256";
			/** What the tokens are for: the address of the MCP server or of the REST API */
			readonly resource?: string | undefined;
		};
		body: undefined;
		answer: undefined;
	};
	/** Apps that may read a site of the caller. For whoever is signed in. Closed to superadmins who act as somebody else. */
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
	/** Take from an app what it was allowed; its next request fails. For whoever is signed in. */
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
	/** An app's request that waits for a decision; its id is the secret that opens it. Open to everybody. */
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
				/** Chosen by whoever wrote the app */
				readonly client_name: string;
				/** Where the answer goes: a host, or the private scheme of an app */
				readonly redirect_host: string;
			};
			readonly scopes: readonly ("analytics:read" | "offline_access")[];
			/** What the tokens will be bound to */
			readonly resource: string | null;
			readonly expires_at: string;
			/** Who is signed in */
			readonly user: {
				readonly id: number;
				readonly email: string;
			} | null;
			/** The signed-in user's active sites */
			readonly sites: readonly {
				readonly id: string;
				readonly name: string;
			}[];
		};
	};
	/** Approve or deny an app's request. For whoever is signed in. Closed to superadmins who act as somebody else. */
	"POST /oauth/consent/{request_id}/decision": {
		path: {
			readonly request_id: string;
		};
		query: Nothing;
		body: {
			readonly decision: "approve" | "deny";
			/** The site that the app may read; with `approve` */
			readonly site_id?: string;
		};
		answer: {
			/** Where the browser goes next */
			readonly redirect_to: string;
		};
	};
	/** Sign up while an app's request waits. Open to everybody. At most 3 requests from one address in an hour. */
	"POST /oauth/onboarding": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly request_id: string;
			readonly email: string;
			readonly name: string;
			/** Not a common one, and without the e-mail address's local part */
			readonly password: string;
			/** Must be true */
			readonly accept_terms: boolean;
			/** A site is made when it is given */
			readonly site_name?: string;
			readonly domain?: string;
		};
		answer: PostAuthRegisterAnswer;
	};
	/** Register an app (RFC 7591). Open to everybody. At most 10 requests from one address in an hour. */
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
	/** Give up a token; a refresh token takes the whole grant with it. Open to everybody. At most 60 requests from one address in a minute. */
	"POST /oauth/revoke": {
		path: Nothing;
		query: Nothing;
		body: URLSearchParams;
		answer: Readonly<Record<string, unknown>>;
	};
	/** Exchange a code or a refresh token for tokens. Open to everybody. At most 60 requests from one address in a minute. */
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
	/** This description, OpenAPI 3.1. Open to everybody. */
	"GET /openapi.json": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: unknown;
	};
	/** The caller's organizations. For whoever is signed in, and for keys with the scope `accounts:read`. */
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
	/** Create an organization; a personal one becomes it. For whoever is signed in. */
	"POST /organizations": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly name: string;
		};
		answer: PatchAdminOrganizationsSlugPlanAnswer;
	};
	/** Delete an organization: its sites and keys become inactive. For the owners of the organization and those above them. Not for keys. */
	"DELETE /organizations/{slug}": {
		path: {
			/** Organization slug */
			readonly slug: string;
		};
		query: Nothing;
		body: {
			/** The exact name, as a safeguard */
			readonly name: string;
		};
		answer: {
			readonly message: string;
		};
	};
	/** One organization. For the members of the organization and those above them. Keys need the scope `accounts:read`. */
	"GET /organizations/{slug}": {
		path: {
			/** Organization slug */
			readonly slug: string;
		};
		query: Nothing;
		body: undefined;
		answer: PatchAdminOrganizationsSlugPlanAnswer;
	};
	/** Rename an organization; its slug stays. For the owners of the organization and those above them. Not for keys. */
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
	/** Invitations. For the admins of the organization and those above them. Not for keys. */
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
				readonly invited_by_name: string | null;
				/** It can still be accepted */
				readonly is_active: boolean;
				readonly expires_at: string;
				readonly accepted_at: string | null;
				readonly created_at: string;
			}[];
			readonly total: number;
		};
	};
	/** Invite an address. For the admins of the organization and those above them. Not for keys. At most 100 requests in an hour. */
	"POST /organizations/{slug}/invitations": {
		path: {
			/** Organization slug */
			readonly slug: string;
		};
		query: Nothing;
		body: {
			readonly email: string;
			readonly role?: "member" | "admin" | "owner";
			/** Sites that a member may read; owners and admins have all */
			readonly site_ids?: readonly string[];
		};
		answer: {
			readonly invitation_id: number;
			/** Shown only here, and mailed */
			readonly invitation_link: string;
			readonly expires_at: string;
		};
	};
	/** Revoke an invitation. For the admins of the organization and those above them. Not for keys. */
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
	/** Send an invitation again, with a new link. For the admins of the organization and those above them. Not for keys. At most 100 requests in an hour. */
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
	/** Members. For the members of the organization and those above them. Not for keys. */
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
				/** Active sites in reach */
				readonly site_count: number;
				readonly created_at: string;
			}[];
			readonly total: number;
		};
	};
	/** Make a user of the organization's sites a member. For the admins of the organization and those above them. Not for keys. */
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
	/** Remove a member, or leave. For the members of the organization and those above them. Not for keys. */
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
	/** Give a member another role. For the admins of the organization and those above them. Not for keys. */
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
	/** What a member may do on each site. For the members of the organization and those above them. Not for keys. */
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
	/** Give a member a role on sites. For the admins of the organization and those above them. Not for keys. */
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
			/** Not sites of the organization */
			readonly invalid: readonly string[];
		};
	};
	/** Take a member's role on a site away. For the admins of the organization and those above them. Not for keys. */
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
	/** The organization's sites in the caller's reach. For the members of the organization and those above them. Keys need the scope `accounts:read`. */
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
	/** Passthrough referrers. For the viewers of the site and those above them. Not for keys. */
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
			/** Of the referrers listed */
			readonly total: number;
			readonly active_count: number;
		};
	};
	/** Let arrivals from a domain keep the attribution of the running session. For the editors of the site and those above them. Not for keys. */
	"POST /passthrough-referrers": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Stands for its subdomains too; scheme, path, port and a leading www. are stripped */
			readonly domain: string;
			/** Of a visit that arrives without a running session */
			readonly utm_source: string;
			readonly utm_medium?: string;
			readonly utm_campaign?: string;
			readonly utm_term?: string;
			readonly service_name?: string;
			readonly is_active?: boolean;
		};
		answer: GetPassthroughReferrersAnswerReferrers;
	};
	/** Remove a passthrough referrer. For the editors of the site and those above them. Not for keys. */
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
	/** One passthrough referrer. For the viewers of the site and those above them. Not for keys. */
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
	/** Change a passthrough referrer. For the editors of the site and those above them. Not for keys. */
	"PATCH /passthrough-referrers/{referrer_id}": {
		path: {
			readonly referrer_id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Stands for its subdomains too; scheme, path, port and a leading www. are stripped */
			readonly domain?: string;
			/** Of a visit that arrives without a running session */
			readonly utm_source?: string;
			readonly utm_medium?: string;
			readonly utm_campaign?: string;
			readonly utm_term?: string;
			readonly service_name?: string;
			readonly is_active?: boolean;
		};
		answer: GetPassthroughReferrersAnswerReferrers;
	};
	/** Set up a site for an address, with a provision key. Open to everybody. At most 5 requests from one address in an hour. At most 100 requests in an hour. */
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
			/** IANA zone; UTC when absent */
			readonly timezone?: string;
		};
		answer: {
			readonly success: true;
			readonly account_id: string;
			readonly snippet: string;
			/** Reads reports and settings; shown only here, and mailed */
			readonly api_key: string;
			readonly dashboard_url: string;
			/** Has the claim mail sent again; the link that claims is in the mail only */
			readonly claim_url: string;
			readonly free_quota: {
				readonly events_total: number;
			};
			readonly next_steps: readonly string[];
		};
	};
	/** Choose a password with the mailed link, and sign in. Open to everybody. */
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
	/** Have the claim mail sent again. Open to everybody. At most 3 requests from one address in an hour. At most 3 requests in an hour. */
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
	/** Referrer mappings. For the viewers of the site and those above them. Not for keys. */
	"GET /referrer-mappings": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			readonly include_inactive?: boolean | undefined;
		};
		body: undefined;
		answer: {
			/** In the order in which they are asked */
			readonly mappings: readonly GetReferrerMappingsAnswerMappings[];
			/** Of the mappings listed */
			readonly total: number;
			readonly active_count: number;
		};
	};
	/** Name the visits that come from a referrer. For the editors of the site and those above them. Not for keys. */
	"POST /referrer-mappings": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Compared with the referrer's domain: lower-case, without a leading www. */
			readonly referrer_pattern: string;
			readonly match_type?: "exact" | "contains" | "starts_with" | "ends_with" | "regex";
			readonly utm_source: string;
			readonly utm_medium?: string;
			readonly utm_campaign?: string;
			readonly utm_term?: string;
			readonly utm_content?: string;
			readonly label?: string | null;
			readonly description?: string | null;
			/** The highest is asked first */
			readonly priority?: number;
			readonly is_active?: boolean;
		};
		answer: GetReferrerMappingsAnswerMappings;
	};
	/** Remove a referrer mapping. For the editors of the site and those above them. Not for keys. */
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
	/** One referrer mapping. For the viewers of the site and those above them. Not for keys. */
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
	/** Change a referrer mapping. For the editors of the site and those above them. Not for keys. */
	"PATCH /referrer-mappings/{mapping_id}": {
		path: {
			readonly mapping_id: number;
		};
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** Compared with the referrer's domain: lower-case, without a leading www. */
			readonly referrer_pattern?: string;
			readonly match_type?: "exact" | "contains" | "starts_with" | "ends_with" | "regex";
			readonly utm_source?: string;
			readonly utm_medium?: string;
			readonly utm_campaign?: string;
			readonly utm_term?: string;
			readonly utm_content?: string;
			readonly label?: string | null;
			readonly description?: string | null;
			/** The highest is asked first */
			readonly priority?: number;
			readonly is_active?: boolean;
		};
		answer: GetReferrerMappingsAnswerMappings;
	};
	/** Your saved views of a site, and those that others share, by name. For the viewers of the site and those above them. Not for keys. */
	"GET /saved-views": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
			/** A funnel, an open query, or a report */
			readonly kind?: "funnel" | "query" | "report" | undefined;
		};
		body: undefined;
		answer: readonly GetSavedViewsAnswer[];
	};
	/** Keep a view. For the viewers of the site and those above them. Not for keys. */
	"POST /saved-views": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			/** A funnel, an open query, or a report */
			readonly kind: "funnel" | "query" | "report";
			readonly name: string;
			/** The saved query, in a form that its screen chooses; 16 KB at most */
			readonly definition: Readonly<Record<string, unknown>>;
			/** Everybody who sees the site has it. Editors may share */
			readonly is_shared?: boolean;
		};
		answer: GetSavedViewsAnswer;
	};
	/** Remove a view of yours; admins may remove all that are shared. For the viewers of the site and those above them. Not for keys. */
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
	/** One saved view. For the viewers of the site and those above them. Not for keys. */
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
	/** Change a view of yours; admins may change all that are shared. For the viewers of the site and those above them. Not for keys. */
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
			/** The saved query, in a form that its screen chooses; 16 KB at most */
			readonly definition?: Readonly<Record<string, unknown>>;
			/** Everybody who sees the site has it. Editors may share */
			readonly is_shared?: boolean;
		};
		answer: GetSavedViewsAnswer;
	};
	/** Segments of a site, the system ones first. For the viewers of the site and those above them. Not for keys. */
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
	/** Save a segment. For the editors of the site and those above them. Not for keys. */
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
	/** Remove a segment. For the editors of the site and those above them. Not for keys. */
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
	/** One segment. For the viewers of the site and those above them. Not for keys. */
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
	/** Change a segment. For the editors of the site and those above them. Not for keys. */
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
	/** Change a segment. For the editors of the site and those above them. Not for keys. */
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
	/** Copy a segment under a new name. For the editors of the site and those above them. Not for keys. */
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
	/** Open a shared link. Answers a bearer for 60 minutes that reads what the link shows, of one site, and nothing else. It ends when the link is changed, switched off or removed. A link that shows nothing is 404, whatever the reason. Open to everybody. */
	"POST /share/{token}/session": {
		path: {
			/** What the shared address holds */
			readonly token: string;
		};
		query: Nothing;
		body: {
			readonly password?: string;
		};
		answer: {
			/** A bearer for the reports of this link */
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
			/** Pages that may frame the report */
			readonly embed_origins: readonly string[];
		};
	};
	/** Sites in the caller's reach. For whoever is signed in, and for keys with the scope `sites:read`. */
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
				readonly data_retention_months: number | null;
				/** A shorter period that was set and does not apply yet */
				readonly data_retention_pending: {
					readonly months: number;
					readonly applies_at: string;
				} | null;
				/** When a deleted site goes with all its data; null = it is not deleted */
				readonly purge_at: string | null;
				readonly lens_tier: "guard";
				readonly created_at: string;
				readonly updated_at: string | null;
				readonly created_by: number | null;
				readonly user_count: number;
				readonly role: "viewer" | "editor" | "admin" | "owner";
			}[];
			readonly total: number;
			/** Sites in the caller's reach that this address may not open; they are left out of the list */
			readonly ip_filtered_accounts: readonly string[];
		};
	};
	/** Create a site. For whoever is signed in. */
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
	/** Time zones that a site can be set to. For whoever is signed in, and for keys with the scope `sites:read`. */
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
	/** Delete a site: it collects nothing more, stays readable, and is purged 30 days later. For the owners of the site and those above them. Not for keys. */
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
	/** One site. For the viewers of the site and those above them. Keys need the scope `sites:read`. Open to connected apps. */
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
			readonly data_retention_months: number | null;
			/** A shorter period that was set and does not apply yet */
			readonly data_retention_pending: {
				readonly months: number;
				readonly applies_at: string;
			} | null;
			/** When a deleted site goes with all its data; null = it is not deleted */
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
			/** Features of the plan of the site's organization that not every plan has; writes of other ones are refused */
			readonly plan_features: readonly ("webhooks" | "audit" | "ip_allowlist")[];
		};
	};
	/** Change a site's settings. For the admins of the site and those above them. Not for keys. */
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
			readonly data_retention_months?: number | null;
			/** The site's id, where `data_retention_months` becomes shorter */
			readonly confirm?: string;
		};
		answer: PostSitesAnswer;
	};
	/** Delete what was counted, of some days or all. For the owners of the site and those above them. Not for keys. */
	"DELETE /sites/{id}/data": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: {
			readonly from?: string | null;
			readonly to?: string | null;
			/** The site's id, once more: nothing brings the data back */
			readonly confirm: string;
		};
		answer: DeleteSitesIdDataAnswer;
	};
	/** What was deleted of a site and is being deleted, newest first. For the admins of the site and those above them. Not for keys. */
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
	/** One deletion with its progress. For the admins of the site and those above them. Not for keys. */
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
	/** Remove a domain named in the query. For the admins of the site and those above them. Not for keys. */
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
	/** Authorized domains. For the viewers of the site and those above them. Keys need the scope `sites:read`. Open to connected apps. */
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
	/** Authorize a domain and its subdomains. For the admins of the site and those above them. Not for keys. */
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
	/** Remove a domain. For the admins of the site and those above them. Not for keys. */
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
	/** Tracking snippet. For the viewers of the site and those above them. Keys need the scope `sites:read`. Open to connected apps. */
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
	/** Whether a page has the snippet, and lets it work. Reads the page (1 MB, 10 seconds, no redirects, no scripts). A tracker that another script puts in is not seen. The limits are those of the site and of the user. For the editors of the site and those above them. Not for keys. At most 10 requests in a minute. At most 20 requests in a minute. */
	"POST /sites/{id}/pixel/check": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: {
			/** The page; https, a public address */
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
			/** The page, or where it leads: redirects are not followed */
			readonly final_url: string;
			readonly checked_at: string;
		};
	};
	/** Hits that were turned away, by reason. For the viewers of the site and those above them. Keys need the scope `sites:read`. Open to connected apps. */
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
				readonly origins: readonly {
					readonly origin: string;
					readonly count: number;
				}[];
			}[];
		};
	};
	/** Whether the snippet is installed. For the viewers of the site and those above them. Keys need the scope `sites:read`. Open to connected apps. */
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
			/** Of the last 14 days */
			readonly total_hits: number;
			/** Requests of `/t.js` for the site since the service began; browsers keep it for an hour. Where it is several processes, those of fourteen days, at most five seconds late */
			readonly script_requests: number;
			readonly last_script_request_at: string | null;
		};
	};
	/** Shared links of a site. For the admins of the site and those above them. Not for keys. */
	"GET /sites/{id}/share-links": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: undefined;
		answer: readonly GetSitesIdShareLinksAnswer[];
	};
	/** Share a site's report by a link. For the admins of the site and those above them. Not for keys. */
	"POST /sites/{id}/share-links": {
		path: {
			/** Site slug */
			readonly id: string;
		};
		query: Nothing;
		body: {
			/** By which you know it; readers do not see it */
			readonly name: string;
			readonly password?: string | null;
			readonly segment_id?: string | null;
			/** What is shown beside the overview */
			readonly lists?: readonly ("channels" | "sources" | "mediums" | "campaigns" | "terms" | "contents" | "referrers" | "pages" | "landing_pages" | "exit_pages" | "content_groups" | "countries" | "devices" | "browsers" | "systems" | "conversions" | "microconversions" | "properties" | "hours")[];
			/** Readers may filter, by what the lists show */
			readonly may_filter?: boolean;
			/** Pages that may frame the report: scheme, host and port, such as https://www.example.com */
			readonly embed_origins?: readonly string[];
			readonly expires_at?: string | null;
		};
		answer: GetSitesIdShareLinksAnswer;
	};
	/** Remove a shared link. For the admins of the site and those above them. Not for keys. */
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
	/** Change a shared link, or switch it off. Every change ends what readers have open: their page asks for the link again. For the admins of the site and those above them. Not for keys. */
	"PATCH /sites/{id}/share-links/{link_id}": {
		path: {
			/** Site slug */
			readonly id: string;
			readonly link_id: string;
		};
		query: Nothing;
		body: {
			readonly name?: string;
			/** null: none is asked for any more */
			readonly password?: string | null;
			readonly segment_id?: string | null;
			/** What is shown beside the overview */
			readonly lists?: readonly ("channels" | "sources" | "mediums" | "campaigns" | "terms" | "contents" | "referrers" | "pages" | "landing_pages" | "exit_pages" | "content_groups" | "countries" | "devices" | "browsers" | "systems" | "conversions" | "microconversions" | "properties" | "hours")[];
			readonly may_filter?: boolean;
			/** Pages that may frame the report: scheme, host and port, such as https://www.example.com */
			readonly embed_origins?: readonly string[];
			readonly expires_at?: string | null;
			readonly is_active?: boolean;
		};
		answer: GetSitesIdShareLinksAnswer;
	};
	/** Give a shared link another address. The address before shows nothing from now on, on its page and in every frame. For the admins of the site and those above them. Not for keys. */
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
	/** Users who reach a site. For the viewers of the site and those above them. Keys need the scope `sites:read`. Open to connected apps. */
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
	/** Give a user of the organization a role on a site. For the admins of the site and those above them. Not for keys. */
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
	/** Take a user's role on a site away. For the admins of the site and those above them. Not for keys. */
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
	/** Give a user another role on a site. For the admins of the site and those above them. Not for keys. */
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
	/** Remove the mapping of a parameter named in the query. For the editors of the site and those above them. Not for keys. */
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
	/** UTM mappings. For the viewers of the site and those above them. Keys need the scope `sites:read`. Open to connected apps. */
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
	/** Change a UTM mapping named in the query. For the editors of the site and those above them. Not for keys. */
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
	/** Let a custom parameter fill a campaign field. For the editors of the site and those above them. Not for keys. */
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
	/** Remove the mapping of a parameter. For the editors of the site and those above them. Not for keys. */
	"DELETE /sites/{id}/utm-mappings/{mapping_id}": {
		path: {
			readonly id: string;
			/** Here the `custom_param` */
			readonly mapping_id: string;
		};
		query: Nothing;
		body: undefined;
		answer: {
			readonly removed: true;
			readonly custom_param: string;
		};
	};
	/** Change a UTM mapping. For the editors of the site and those above them. Not for keys. */
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
	/** Conversions by type, over several sites. For superadmins who are signed in. */
	"GET /stats/aggregate/conversions": {
		path: Nothing;
		query: {
			/** Slugs of two sites or more; repeat it. Dates are those of the first one's time zone */
			readonly account_ids: readonly string[];
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
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
				/** Sites that have a count in this row */
				readonly account_count: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
		};
	};
	/** Traffic by device type, over several sites. For superadmins who are signed in. */
	"GET /stats/aggregate/devices": {
		path: Nothing;
		query: {
			/** Slugs of two sites or more; repeat it. Dates are those of the first one's time zone */
			readonly account_ids: readonly string[];
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
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
	/** Traffic by country, over several sites. For superadmins who are signed in. */
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
				/** Sites that have a count in this row */
				readonly account_count: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
		};
	};
	/** Sessions by landing page, over several sites. For superadmins who are signed in. */
	"GET /stats/aggregate/landing-pages": {
		path: Nothing;
		query: {
			/** Slugs of two sites or more; repeat it. Dates are those of the first one's time zone */
			readonly account_ids: readonly string[];
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
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
				/** Sites that have a count in this row */
				readonly account_count: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
		};
	};
	/** Traffic by medium, over several sites. For superadmins who are signed in. */
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
				/** Sites that have a count in this row */
				readonly account_count: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
		};
	};
	/** Headline figures of several sites. For superadmins who are signed in. */
	"GET /stats/aggregate/overview": {
		path: Nothing;
		query: {
			/** Slugs of two sites or more; repeat it. Dates are those of the first one's time zone */
			readonly account_ids: readonly string[];
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "none" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that holds today is compared with as much of the other one, to the hour */
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
				/** Sites that have a count in this row */
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
	/** Page views by page, over several sites. For superadmins who are signed in. */
	"GET /stats/aggregate/pages": {
		path: Nothing;
		query: {
			/** Slugs of two sites or more; repeat it. Dates are those of the first one's time zone */
			readonly account_ids: readonly string[];
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
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
				/** Sites that have a count in this row */
				readonly account_count: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
		};
	};
	/** Traffic by source, over several sites. For superadmins who are signed in. */
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
				/** Sites that have a count in this row */
				readonly account_count: number;
			}[];
			readonly total: number;
			readonly page: number;
			readonly page_size: number;
			readonly has_next: boolean;
			readonly has_prev: boolean;
		};
	};
	/** Traffic by browser. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `browsers`. */
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
	/** Traffic by campaign. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `campaigns`. */
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
	/** The first campaigns. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `campaigns`. */
	"GET /stats/campaigns/top": {
		path: Nothing;
		query: GetStatsCampaignsTopQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly GetStatsCampaignsAnswerData[];
	};
	/** Traffic by channel. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `channels`. */
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
	/** Traffic by content. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `contents`. */
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
	/** The first contents. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `contents`. */
	"GET /stats/contents/top": {
		path: Nothing;
		query: GetStatsCampaignsTopQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly GetStatsContentsAnswerData[];
	};
	/** Items of conversions one by one, of the last two years. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. */
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
				/** The same instant with the site's offset */
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
				/** Rows of the earlier days */
				readonly total: number;
			};
			readonly meta?: {
				/** Only with `compare`, where the earlier days begin before it: the site's first day with data */
				readonly baseline_start?: string;
			};
		};
	};
	/** Conversions by type. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `conversions`. */
	"GET /stats/conversions": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that holds today is compared with as much of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			readonly sort_by?: "count" | "revenue" | "avg_value" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Type of the event; repeat it to allow several values */
			readonly conversion_type?: readonly string[] | undefined;
			/** Add to `meta` the SQL that was asked and how long the engine worked */
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
	/** Conversions one by one. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. */
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
				/** The same instant with the site's offset */
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
				/** Rows of the earlier days */
				readonly total: number;
			};
			readonly meta?: {
				/** Only with `compare`, where the earlier days begin before it: the site's first day with data */
				readonly baseline_start?: string;
			};
		};
	};
	/** Traffic by device type, browser and operating system. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. */
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
	/** Traffic by device type. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `devices`. */
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
	/** The pages on which visits ended. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `exit_pages`. */
	"GET /stats/exit-pages": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that holds today is compared with as much of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			readonly sort_by?: "exits" | "exit_rate" | "page_views" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Part of the row's key, in any case */
			readonly search?: string | undefined;
			/** Add the sums over all pages */
			readonly include_totals?: boolean | undefined;
			/** Add to `meta` the SQL that was asked and how long the engine worked */
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
	/** Which values moved a metric. For the viewers of the site and those above them. Keys need the scope `stats:read`. */
	"POST /stats/explain": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `exclude` leaves imported rows out */
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
				/** Share of all movement within the dimension that is in the rows, 0-100 */
				readonly explained: number;
				/** The largest changes first, whichever way they went */
				readonly rows: readonly {
					readonly value: string;
					readonly now: number;
					readonly before: number;
					/** `now` less `before` */
					readonly change: number;
					/** Of the total change, in percent; negative for what went the other way */
					readonly share: number;
				}[];
			}[];
		};
	};
	/** Traffic, events and revenue by source. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. */
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
				/** Number by type, of the 1,000 most frequent types */
				readonly microconversions: Readonly<Record<string, number>>;
				/** Number by type, of the 1,000 most frequent types */
				readonly conversions: Readonly<Record<string, number>>;
				/** Sum by type of conversion */
				readonly revenue: Readonly<Record<string, number>>;
			}[];
			/** Of all rows, listed or not */
			readonly totals: {
				readonly entrances: number;
				readonly page_views: number;
				/** Number by type, of the 1,000 most frequent types */
				readonly microconversions: Readonly<Record<string, number>>;
				/** Number by type, of the 1,000 most frequent types */
				readonly conversions: Readonly<Record<string, number>>;
				/** Sum by type of conversion */
				readonly revenue: Readonly<Record<string, number>>;
			};
			readonly microconversion_types: readonly string[];
			readonly conversion_types: readonly string[];
		};
	};
	/** Sessions that did some steps in order. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. */
	"POST /stats/funnel": {
		path: Nothing;
		query: GetStatsDevicesQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: {
			/** A text that begins with `/` is a page path, with `*` at its end all paths that begin so; any other is a type of microconversion, else of conversion */
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
				/** Sessions that did all steps up to this one, in order */
				readonly count: number;
				/** Share of step 1, 0-100 */
				readonly conversion_rate: number;
				/** Share lost since the step before, 0-100; 0 at step 1 */
				readonly drop_off_rate: number;
			}[];
			readonly total_entries: number;
			readonly total_completions: number;
			readonly overall_conversion_rate: number;
		};
	};
	/** Traffic by country. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `countries`. */
	"GET /stats/geo/countries": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that holds today is compared with as much of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			readonly sort_by?: "entrances" | "engaged_entrances" | "page_views" | "conversions" | "revenue" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Add the sums over all pages */
			readonly include_totals?: boolean | undefined;
			/** Columns and numbers to add; some reports add numbers alone */
			readonly include?: readonly ("device" | "browser" | "os" | "channel_group" | "visitors" | "visit_duration")[] | undefined;
			/** Add to `meta` the SQL that was asked and how long the engine worked */
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
	/** Sessions by landing page. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `landing_pages`. */
	"GET /stats/landing-pages": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that holds today is compared with as much of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			readonly sort_by?: "entrances" | "engaged_entrances" | "microconversions" | "conversions" | "revenue" | "bounce_rate" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Add the sums over all pages */
			readonly include_totals?: boolean | undefined;
			/** Content group; repeat it to allow several values */
			readonly content_grouping?: readonly string[] | undefined;
			/** Part of the path */
			readonly path_filter?: string | undefined;
			/** Columns and numbers to add; some reports add numbers alone */
			readonly include?: readonly ("device" | "browser" | "os" | "channel_group" | "visitors" | "visit_duration")[] | undefined;
			/** Add the five campaign columns */
			readonly include_utm?: boolean | undefined;
			/** Add to `meta` the SQL that was asked and how long the engine worked */
			readonly explain?: boolean | undefined;
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
	/** Sessions by the landing page's content group. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `content_groups`. */
	"GET /stats/landing-pages/by-content-group": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that holds today is compared with as much of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			readonly sort_by?: "entrances" | "engaged_entrances" | "microconversions" | "conversions" | "revenue" | "bounce_rate" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Add to `meta` the SQL that was asked and how long the engine worked */
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
	/** The first landing pages. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `landing_pages`. */
	"GET /stats/landing-pages/top": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that holds today is compared with as much of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			readonly sort_by?: "entrances" | "engaged_entrances" | "microconversions" | "conversions" | "revenue" | "bounce_rate" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Content group; repeat it to allow several values */
			readonly content_grouping?: readonly string[] | undefined;
			/** Columns and numbers to add; some reports add numbers alone */
			readonly include?: readonly ("device" | "browser" | "os" | "channel_group" | "visitors" | "visit_duration")[] | undefined;
			readonly limit?: number | undefined;
			/** Add to `meta` the SQL that was asked and how long the engine worked */
			readonly explain?: boolean | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly {
			readonly landing_page: string;
			readonly content_grouping: string;
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
	/** Visitors and events of a site now. The figures are at most a second old, and hits are in them within two seconds. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. */
	"GET /stats/live": {
		path: Nothing;
		query: GetStatsLiveQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly now: {
				/** Visits with a hit in the window */
				readonly active_visits: number;
				/** How long after its last hit a visit is active */
				readonly window_minutes: number;
			};
			/** The last 30 minutes with the running one, oldest first */
			readonly minutes: readonly {
				readonly at: string;
				readonly page_views: number;
				readonly entrances: number;
			}[];
			/** By active visits */
			readonly pages: readonly {
				/** A visit counts on each page that it saw or sent an event from in the window */
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
	/** Visitors and events of a site, as a stream. At most 5 streams of one user at once. A stream ends with its credential, and when its caller may no longer read the site. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. */
	"GET /stats/live/stream": {
		path: Nothing;
		query: GetStatsLiveQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: Response;
	};
	/** Traffic by medium. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `mediums`. */
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
	/** Microconversions by type. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `microconversions`. */
	"GET /stats/microconversions": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that holds today is compared with as much of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			readonly sort_by?: "count" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Type of the event; repeat it to allow several values */
			readonly conversion_type?: readonly string[] | undefined;
			/** Add to `meta` the SQL that was asked and how long the engine worked */
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
	/** Types of microconversion that happened. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. */
	"GET /stats/microconversions-types": {
		path: Nothing;
		query: GetStatsDevicesQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly string[];
	};
	/** Microconversions one by one, of the last two years. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. */
	"GET /stats/microconversions/raw": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that holds today is compared with as much of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			/** Type of the event; repeat it to allow several values */
			readonly conversion_type?: readonly string[] | undefined;
			/** Landing page; repeat it to allow several values */
			readonly landing_page?: readonly string[] | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			/** Alias of `page_size`; goes before it */
			readonly limit?: number | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				/** Day in the site's time zone */
				readonly date: string;
				readonly hour: number;
				readonly timestamp_utc: string;
				/** The same instant with the site's offset */
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
				/** Rows of the earlier days */
				readonly total: number;
			};
			readonly meta?: {
				/** Only with `compare`, where the earlier days begin before it: the site's first day with data */
				readonly baseline_start?: string;
			};
		};
	};
	/** One type of microconversion. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. */
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
	/** Traffic by operating system. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `systems`. */
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
	/** Headline figures of a site. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links. */
	"GET /stats/overview": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that holds today is compared with as much of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			/** Adds series; `auto`: hourly when the range and the compared one are one day each, else daily; hourly at most 92 days; weeks begin on Monday */
			readonly granularity?: "auto" | "hourly" | "daily" | "weekly" | "monthly" | undefined;
			/** The series wanted; all but the rates without it. Repeat it */
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
	/** Page views by page. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `pages`. */
	"GET /stats/pages": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that holds today is compared with as much of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			readonly sort_by?: "page_views" | "entrances" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Content group; repeat it to allow several values */
			readonly content_grouping?: readonly string[] | undefined;
			/** Part of the path */
			readonly path_filter?: string | undefined;
			/** Columns and numbers to add; some reports add numbers alone */
			readonly include?: readonly ("device" | "browser" | "os" | "channel_group" | "visitors")[] | undefined;
			/** Add the five campaign columns */
			readonly include_utm?: boolean | undefined;
			/** Add to `meta` the SQL that was asked and how long the engine worked */
			readonly explain?: boolean | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly data: readonly {
				readonly path: string;
				readonly content_grouping: string;
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
	/** Page views by content group. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `content_groups`. */
	"GET /stats/pages/content-groups": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that holds today is compared with as much of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			readonly sort_by?: "page_views" | "entrances" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Add to `meta` the SQL that was asked and how long the engine worked */
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
	/** The most viewed pages. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `pages`. */
	"GET /stats/pages/top": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that holds today is compared with as much of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			readonly sort_by?: "page_views" | "entrances" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Columns and numbers to add; some reports add numbers alone */
			readonly include?: readonly ("device" | "browser" | "os" | "channel_group" | "visitors")[] | undefined;
			readonly limit?: number | undefined;
			/** Add to `meta` the SQL that was asked and how long the engine worked */
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
			/** `desktop`, `mobile`, `tablet`, or `unknown` of imported rows */
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
	/** A property's values within each source. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. */
	"GET /stats/properties/breakdown": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that holds today is compared with as much of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			/** Type of the event; repeat it to allow several values */
			readonly conversion_type?: readonly string[] | undefined;
			/** Name of the property */
			readonly property_key: string;
			/** Whose properties; `both`: conversions and microconversions */
			readonly table?: "conversions" | "microconversions" | "conversion_items" | "both" | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: {
			readonly property_key: string;
			/** The 100 most frequent ones */
			readonly property_values: readonly string[];
			/** Events that carry the property, with whatever value */
			readonly total_events: number;
			readonly date_from: string;
			readonly date_to: string;
			/** The 100 sources with most of these events */
			readonly data: readonly {
				readonly utm_source: string;
				readonly utm_medium: string;
				readonly utm_campaign: string;
				readonly total: number;
				/** Number by value, of the listed ones */
				readonly values: Readonly<Record<string, number>>;
			}[];
			/** Number by value, of the listed ones */
			readonly totals: Readonly<Record<string, number>>;
		};
	};
	/** Properties of events by name. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `properties`. */
	"GET /stats/properties/keys": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that holds today is compared with as much of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			/** Type of the event; repeat it to allow several values */
			readonly conversion_type?: readonly string[] | undefined;
			/** Whose properties; `both`: conversions and microconversions */
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
	/** Values of a property by source. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. */
	"GET /stats/properties/values": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that holds today is compared with as much of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			/** Type of the event; repeat it to allow several values */
			readonly conversion_type?: readonly string[] | undefined;
			/** Name of the property */
			readonly property_key: string;
			/** Whose properties; `both`: conversions and microconversions */
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
				/** Rows of the earlier days */
				readonly total: number;
			};
			readonly meta?: {
				/** Only with `compare`, where the earlier days begin before it: the site's first day with data */
				readonly baseline_start?: string;
			};
		};
	};
	/** Any metrics by any dimensions. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to shared links that show `hours`. */
	"POST /stats/query": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			/** Add to `meta` the SQL that was asked and how long the engine worked */
			readonly explain?: boolean | undefined;
		};
		body: PostStatsQueryBody;
		answer: {
			readonly data: readonly PostStatsQueryAnswerData[];
			readonly meta: {
				/** Rows of all pages */
				readonly total_rows: number;
				readonly has_more: boolean;
				readonly granularity: "total" | "daily" | "hourly";
				readonly dimensions: readonly ("date" | "hour" | "day_of_week" | "country" | "utm_source" | "utm_medium" | "utm_campaign" | "utm_term" | "utm_content" | "device_type" | "browser" | "os" | "channel_group" | "path" | "content_grouping" | "landing_page" | "referrer_domain" | "conversion_type")[];
				readonly metrics: readonly ("entrances" | "engaged_entrances" | "page_views" | "microconversions" | "conversions" | "revenue" | "visitors" | "visit_duration" | "average_order_value" | "bounce_rate")[];
				/** Only with `compare`, where the earlier days begin before it: the site's first day with data */
				readonly baseline_start?: string;
				/** The statements, their values as placeholders; several are separated by a semicolon and an empty line */
				readonly sql?: string;
				/** Milliseconds that the engine worked; 0 where it had answered this before */
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
	/** A query as a CSV file. For the viewers of the site and those above them. Keys need the scope `stats:read`. */
	"POST /stats/query/export": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			/** Name of the file; letters, digits, `.`, `_` and `-` */
			readonly filename?: string | undefined;
		};
		body: PostStatsQueryBody;
		answer: Response;
	};
	/** Traffic by referring domain. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `referrers`. */
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
	/** The first referring domains. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `referrers`. */
	"GET /stats/referrers/top": {
		path: Nothing;
		query: GetStatsCampaignsTopQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly GetStatsReferrersAnswerData[];
	};
	/** Traffic by source. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `sources`. */
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
	/** The first sources. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `sources`. */
	"GET /stats/sources/top": {
		path: Nothing;
		query: {
			/** Slug of the site; required, unless `account_id` names it */
			readonly site_id?: string | undefined;
			/** Alias of `site_id` */
			readonly account_id?: string | undefined;
			/** Relative range; overrides the dates */
			readonly period?: "today" | "yesterday" | "7d" | "30d" | "90d" | "12m" | "this_week" | "last_week" | "this_month" | "last_month" | "this_quarter" | "last_quarter" | "this_year" | "last_year" | "wtd" | "mtd" | "qtd" | "ytd" | undefined;
			/** `yoy_weekday`: 364 days before, so that weekdays match; `custom`: `compare_start` to `compare_end`; `true` means `previous`. `meta.baseline_start` is the first day with data where the compared days begin before it */
			readonly compare?: "previous" | "yoy" | "yoy_weekday" | "custom" | "true" | undefined;
			/** First day of `compare=custom` */
			readonly compare_start?: string | undefined;
			/** Last day of `compare=custom` */
			readonly compare_end?: string | undefined;
			/** A range that holds today is compared with as much of the other one, to the hour */
			readonly compare_align?: "elapsed" | undefined;
			/** Id or name of a saved segment */
			readonly segment?: string | undefined;
			/** A segment that is not saved: the JSON of its filters, `{"conditions":[{"field":"country","operator":"in","value":["ES"]}],"groups":[],"not_groups":[]}`, at most 8 KB. Ranks over `segment` */
			readonly segment_filters?: string | undefined;
			/** `field:operator:value` entries separated by commas */
			readonly filters?: string | undefined;
			/** `exclude` leaves imported rows out */
			readonly imports?: "include" | "exclude" | undefined;
			readonly sort_by?: "entrances" | "engaged_entrances" | "page_views" | "conversions" | "revenue" | undefined;
			readonly sort_order?: "asc" | "desc" | undefined;
			/** Landing page; repeat it to allow several values */
			readonly landing_page?: readonly string[] | undefined;
			/** Columns and numbers to add; some reports add numbers alone */
			readonly include?: readonly ("device" | "browser" | "os" | "channel_group" | "visitors" | "visit_duration")[] | undefined;
			readonly limit?: number | undefined;
			/** Add to `meta` the SQL that was asked and how long the engine worked */
			readonly explain?: boolean | undefined;
		} & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly GetStatsSourcesAnswerData[];
	};
	/** Traffic by term. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `terms`. */
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
	/** The first terms. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `terms`. */
	"GET /stats/terms/top": {
		path: Nothing;
		query: GetStatsCampaignsTopQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly GetStatsTermsAnswerData[];
	};
	/** The first channels. For the viewers of the site and those above them. Keys need the scope `stats:read`. Open to connected apps. Open to shared links that show `channels`. */
	"GET /stats/top-channels": {
		path: Nothing;
		query: GetStatsCampaignsTopQuery & GetChannelGroupsStatsChannelsQuery & GetStatsAggregateConversionsQuery;
		body: undefined;
		answer: readonly GetStatsChannelsAnswerData[];
	};
	/** All users, oldest first. For superadmins who are signed in. */
	"GET /users": {
		path: Nothing;
		query: {
			readonly page?: number | undefined;
			readonly page_size?: number | undefined;
			readonly include_inactive?: boolean | undefined;
			/** Only users whose name or address holds this, in any case */
			readonly q?: string | undefined;
		};
		body: undefined;
		answer: {
			readonly users: readonly Post2faVerifyLoginAnswerUser[];
			readonly total: number;
		};
	};
	/** Create a user. For superadmins who are signed in. */
	"POST /users": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly email: string;
			readonly name: string;
			/** 12 to 128 characters, by the password policy */
			readonly password: string;
			readonly role?: "superadmin" | "user";
			/** Sites that the user gets to read */
			readonly account_ids?: readonly string[];
		};
		answer: Post2faVerifyLoginAnswerUser;
	};
	/** Close the caller's account for good, with organizations that are the caller's alone. For whoever is signed in. Closed to superadmins who act as somebody else. */
	"DELETE /users/me": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly password: string;
			/** Of the app, or a backup code; where the second factor is on */
			readonly code?: string;
		};
		answer: {
			readonly message: string;
			/** Slugs of those that were the user's alone */
			readonly organizations_deleted: readonly string[];
		};
	};
	/** The current user. For whoever is signed in, and for keys with the scope `accounts:read`. */
	"GET /users/me": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: Post2faVerifyLoginAnswerUser;
	};
	/** Change the caller's name. For whoever is signed in. */
	"PATCH /users/me": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly name: string;
		};
		answer: Post2faVerifyLoginAnswerUser;
	};
	/** Take a change of the address back that waits. For whoever is signed in. Closed to superadmins who act as somebody else. */
	"DELETE /users/me/email": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly message: string;
		};
	};
	/** The caller's address, and the change of it that waits. For whoever is signed in. Closed to superadmins who act as somebody else. */
	"GET /users/me/email": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			/** The address that holds until both have confirmed */
			readonly email: string;
			readonly pending_change: GetUsersMeEmailAnswerPendingChange | null;
		};
	};
	/** Ask for another address; it holds once both have confirmed it by a mailed link. For whoever is signed in. Closed to superadmins who act as somebody else. At most 5 requests from one address in an hour. */
	"POST /users/me/email": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly new_email: string;
			readonly password: string;
		};
		answer: {
			/** The address that holds until both have confirmed */
			readonly email: string;
			readonly pending_change: GetUsersMeEmailAnswerPendingChange | null;
			readonly message: string;
		};
	};
	/** Replace the caller's password; ends all other sessions. For whoever is signed in. Closed to superadmins who act as somebody else. */
	"POST /users/me/password": {
		path: Nothing;
		query: Nothing;
		body: {
			readonly current_password: string;
			/** Not a common one, and without the e-mail address's local part */
			readonly new_password: string;
		};
		answer: {
			readonly message: string;
			readonly sessions_terminated: number;
		};
	};
	/** How the caller wants the pages. For whoever is signed in. */
	"GET /users/me/preferences": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: GetUsersMePreferencesAnswer;
	};
	/** Change how the caller wants the pages. For whoever is signed in. Closed to superadmins who act as somebody else. */
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
			/** Whether single keys do something */
			readonly shortcuts?: boolean;
		};
		answer: GetUsersMePreferencesAnswer;
	};
	/** Deactivate a user; what the user made stays. For superadmins who are signed in. */
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
	/** One user. For superadmins who are signed in. */
	"GET /users/{user_id}": {
		path: {
			readonly user_id: number;
		};
		query: Nothing;
		body: undefined;
		answer: Post2faVerifyLoginAnswerUser;
	};
	/** Change a user's name, role or activity. For superadmins who are signed in. */
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
	/** Address of the caller. For whoever is signed in. */
	"GET /utils/my-ip": {
		path: Nothing;
		query: Nothing;
		body: undefined;
		answer: {
			readonly ip: string;
		};
	};
	/** Webhook endpoints. For the viewers of the site and those above them. Keys need the scope `accounts:read`. */
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
	/** Add a webhook endpoint; its secret is shown this once. For the editors of the site and those above them. Not for keys. */
	"POST /webhooks": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly name: string;
			/** `https:`, on a public address */
			readonly url: string;
			readonly event_types: readonly ("alert.triggered" | "alert.resolved" | "export.completed" | "export.failed" | "goal.reached")[];
			/** Sent with each call, 20 at most; not `host`, `content-*`, `x-service-*` and `webhook-*` */
			readonly headers?: Readonly<Record<string, string>>;
			readonly description?: string | null;
		};
		answer: {
			readonly id: string;
			readonly account_id: string;
			readonly name: string;
			/** Whole to those who may change it; to others its query reads `[hidden]` */
			readonly url: string;
			readonly event_types: readonly string[];
			/** The values are shown to those who may change them, to others `[hidden]` */
			readonly headers: Readonly<Record<string, string>>;
			readonly description: string | null;
			readonly secret_last_4: string;
			readonly secret_version: number;
			/** Until then the secret before signs too */
			readonly previous_secret_expires_at: string | null;
			readonly is_active: boolean;
			/** A test has succeeded; events are sent either way */
			readonly is_verified: boolean;
			/** Why the service switched it off: its receiver answered 410, or failed for 3 days */
			readonly disabled_reason: "gone" | "failing" | null;
			readonly created_by: number | null;
			readonly created_at: string;
			readonly updated_at: string | null;
			readonly last_delivery_at: string | null;
			readonly last_success_at: string | null;
			readonly last_failure_at: string | null;
			readonly last_failure_reason: string | null;
			/** Shown this once */
			readonly secret: string;
		};
	};
	/** Send the events of several deliveries again. For the editors of the site and those above them. Not for keys. At most 30 requests in an hour. */
	"POST /webhooks/bulk/replay": {
		path: Nothing;
		query: {
			/** Site slug */
			readonly account_id: string;
		};
		body: {
			readonly delivery_ids: readonly string[];
			/** Replays what has succeeded too */
			readonly force?: boolean;
		};
		answer: {
			readonly replayed: number;
			/** Had succeeded, and were not forced */
			readonly skipped: number;
			readonly errors: readonly string[];
		};
	};
	/** Events that a webhook can ask for. For whoever is signed in, and for keys with the scope `accounts:read`. */
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
	/** Remove a webhook endpoint with its delivery log. For the editors of the site and those above them. Not for keys. */
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
	/** One webhook endpoint. For the viewers of the site and those above them. Keys need the scope `accounts:read`. */
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
	/** Change a webhook endpoint, switch it off or on. For the editors of the site and those above them. Not for keys. */
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
			/** `https:`, on a public address */
			readonly url?: string;
			readonly event_types?: readonly ("alert.triggered" | "alert.resolved" | "export.completed" | "export.failed" | "goal.reached")[];
			readonly is_active?: boolean;
			/** Sent with each call, 20 at most; not `host`, `content-*`, `x-service-*` and `webhook-*` */
			readonly headers?: Readonly<Record<string, string>>;
			readonly description?: string | null;
		};
		answer: GetWebhooksAnswerEndpoints;
	};
	/** Deliveries of the last 30 days. For the viewers of the site and those above them. Keys need the scope `accounts:read`. */
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
				/** Attempts made */
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
	/** One delivery with payload and answer. For the viewers of the site and those above them. Keys need the scope `accounts:read`. */
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
			/** Attempts made */
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
			/** As it was sent; without `data` beyond 10 KB, and to keys without `stats:read` `download_url` shows no token */
			readonly payload: Readonly<Record<string, unknown>>;
			readonly response_body: string | null;
		};
	};
	/** Attempts at a delivery. For the viewers of the site and those above them. Keys need the scope `accounts:read`. */
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
	/** Send the event of a delivery again. For the editors of the site and those above them. Not for keys. At most 300 requests in an hour. */
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
			/** Replays what has succeeded too */
			readonly force?: boolean;
		} | undefined;
		answer: {
			readonly success: boolean;
			readonly new_delivery_id: string;
			readonly message: string;
		};
	};
	/** Give an endpoint a new secret; the one before signs too for 24 hours. For the editors of the site and those above them. Not for keys. */
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
			/** Shown this once */
			readonly new_secret: string;
			readonly previous_secret_expires_at: string;
			readonly secret_version: number;
		};
	};
	/** How an endpoint has fared in the last hours. For the viewers of the site and those above them. Keys need the scope `accounts:read`. */
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
				/** Wait for their first or another attempt */
				readonly pending: number;
				/** Of those that have ended, 0 to 100 */
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
	/** Send an endpoint a test event and wait for its answer. For the editors of the site and those above them. Not for keys. At most 30 requests in 10 minutes. */
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
			/** Adds what a real event could tell */
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
