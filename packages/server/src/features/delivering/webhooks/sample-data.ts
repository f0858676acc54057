import type { EventData, EventType } from "../domain-events/index.ts";

/** What each event could tell at a moment, for tests of a receiver. */
const samples: { readonly [Type in EventType]: (at: string) => EventData[Type] } = {
	"alert.triggered": (at) => ({
		alert_id: 1,
		rule_name: "Sample: traffic drop",
		severity: "warning",
		message: "pageviews are 62 % below what is usual at this time",
		metric: "pageviews",
		current_value: 380,
		expected_value: 1000,
		threshold_percent: 50,
		triggered_at: at,
	}),
	"alert.resolved": (at) => ({
		alert_id: 1,
		rule_name: "Sample: traffic drop",
		severity: "warning",
		metric: "pageviews",
		current_value: 980,
		expected_value: 1000,
		triggered_at: at,
		resolved_at: at,
	}),
	"export.completed": (at) => ({
		export_id: "00000000-0000-4000-8000-000000000000",
		export_type: "pages",
		row_count: 1234,
		file_size_bytes: 56_789,
		download_url: "https://stats.example/api/v1/exports/download/sample",
		expires_at: at,
	}),
	"export.failed": (at) => ({
		export_id: "00000000-0000-4000-8000-000000000000",
		export_type: "pages",
		error_message: "Sample: the export took too long",
		failed_at: at,
	}),
	"goal.reached": (at) => ({
		goal_id: 1,
		goal_name: "Sample: 100 sign-ups a week",
		metric: "conversions",
		conversion_type: "signup",
		target_value: 100,
		current_value: 100,
		period_start: at,
		reached_at: at,
	}),
};

/** What a test tells: that it is one, and on request how a real event would look. */
export const testData = (type: EventType, { withSample, nowMs }: { withSample: boolean; nowMs: number }): object => ({
	test: true,
	...(withSample && samples[type](new Date(nowMs).toISOString())),
});
