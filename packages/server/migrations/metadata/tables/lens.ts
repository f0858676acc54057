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
