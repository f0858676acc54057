import { timestamp, timestampOrNull } from "../../../../platform/lib/timestamp.ts";
import type { Reader } from "../insights/present.ts";
import { keyMetricsOf } from "./key-metrics.ts";
import { periodLabel } from "./period-label.ts";
import { presentAudience } from "./present-audience.ts";
import { presentChannels } from "./present-channels.ts";
import { presentFunnel } from "./present-funnel.ts";
import { presentActions, presentTopInsights } from "./present-insights.ts";
import type { ReportContent } from "./report-content.ts";
import type { ReportRow } from "./reports-store.ts";
import { summarize } from "./summarize.ts";

const contentOf = ({ content }: ReportRow): ReportContent | undefined =>
	content === null ? undefined : (JSON.parse(content) as ReportContent);

/** A report in a list. */
export function presentListed(row: ReportRow, { language }: Reader) {
	const content = contentOf(row);
	const metrics = content && keyMetricsOf(content);
	return {
		id: row.id,
		report_type: row.report_type,
		period_start: row.period_start,
		period_end: row.period_end,
		period_label: periodLabel(row, language),
		status: row.status,
		created_at: timestamp(row.created_at),
		view_count: row.view_count,
		revenue: metrics?.revenue.current ?? null,
		revenue_change: metrics?.revenue.change_pct ?? null,
		conversions: metrics?.conversions.current ?? null,
		insight_count: content?.insights.length ?? 0,
	};
}

/** A report on the wire. */
export function presentReport(row: ReportRow, reader: Reader) {
	const content = contentOf(row);
	const told = content && summarize(content, reader);
	return {
		id: row.id,
		account_id: row.site_id,
		report_type: row.report_type,
		period_start: row.period_start,
		period_end: row.period_end,
		period_label: periodLabel(row, reader.language),
		status: row.status,
		generation_started_at: timestampOrNull(row.generation_started_at),
		generation_completed_at: timestampOrNull(row.generation_completed_at),
		error_message: row.error_message,
		executive_summary: told?.summary ?? null,
		key_takeaways: told?.takeaways ?? [],
		key_metrics: content ? keyMetricsOf(content) : null,
		channel_performance: content ? presentChannels(content, reader.language) : null,
		funnel_health: content ? presentFunnel(content, reader.language) : null,
		audience_insights: content ? presentAudience(content, reader.language) : null,
		top_insights: content ? presentTopInsights(content, reader) : null,
		action_items: content ? presentActions(content, reader) : [],
		created_at: timestamp(row.created_at),
		updated_at: timestamp(row.updated_at),
		view_count: row.view_count,
	};
}
