import { HOUR_MS } from "../../../../platform/lib/durations.ts";
import { timestamp } from "../../../../platform/lib/timestamp.ts";
import type { EventData, EventType } from "../../domain-events/index.ts";

/** Moments that a sample names. */
interface Moments {
	readonly now: string;
	readonly hourAgo: string;
	readonly dayAgo: string;
	readonly tomorrow: string;
}

/** Sample data of each event, for tests of a receiver. */
const samples: { readonly [Type in EventType]: (at: Moments) => EventData[Type] } = {
	"alert.triggered": (at) => ({
		alert_id: 1,
		rule_name: "Sample: traffic drop",
		severity: "warning",
		message: "Page views: 380 in the last hour, 1000 expected (-62 %)",
		metric: "pageviews",
		current_value: 380,
		expected_value: 1000,
		threshold_percent: 50,
		triggered_at: at.now,
	}),
	"alert.resolved": (at) => ({
		alert_id: 1,
		rule_name: "Sample: traffic drop",
		severity: "warning",
		metric: "pageviews",
		current_value: 980,
		expected_value: 1000,
		triggered_at: at.hourAgo,
		resolved_at: at.now,
	}),
	"export.completed": (at) => ({
		export_id: "00000000-0000-4000-8000-000000000000",
		export_type: "pages",
		row_count: 1234,
		file_size_bytes: 56_789,
		download_url: "https://stats.example/api/v1/exports/download/sample",
		expires_at: at.tomorrow,
	}),
	"export.failed": (at) => ({
		export_id: "00000000-0000-4000-8000-000000000000",
		export_type: "pages",
		error_message: "Sample: the export took too long",
		failed_at: at.now,
	}),
	"goal.reached": (at) => ({
		goal_id: 1,
		goal_name: "Sample: 100 sign-ups a week",
		metric: "conversions",
		conversion_type: "signup",
		target_value: 100,
		current_value: 100,
		period_start: at.dayAgo,
		reached_at: at.now,
	}),
};

function momentsAt(nowMs: number): Moments {
	const at = (hours: number) => timestamp(nowMs + hours * HOUR_MS);
	return { now: at(0), hourAgo: at(-1), dayAgo: at(-24), tomorrow: at(24) };
}

/** Data of a test: a mark that it is one, and on request the sample of a real event. */
export const testData = (type: EventType, { withSample, nowMs }: { withSample: boolean; nowMs: number }): object => ({
	test: true,
	...(withSample && samples[type](momentsAt(nowMs))),
});
