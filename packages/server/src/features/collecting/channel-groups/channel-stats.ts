import type { Static } from "typebox";
import { metricNames } from "../../../analytics/catalog/metrics.ts";
import { rates } from "../../../analytics/catalog/rates.ts";
import { runPage } from "../../../analytics/query/engine/run.ts";
import { placed } from "../../../analytics/query/question/bad-question.ts";
import { dimensionFilter } from "../../../analytics/query/question/dimension-filter.ts";
import type { ReportRow } from "../../../analytics/query/question/report-query.ts";
import { resolveRange } from "../../../analytics/query/question/resolve-range.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { ChannelStats, ChannelStatsQuery } from "./schemas.ts";

export interface ChannelStatsDeps {
	readonly eventStore: EventStore;
	readonly clock: Clock;
}

/** The channels of a site by entrances. 400 and 422 as the dates and the countries say. */
export async function channelStats(
	deps: ChannelStatsDeps,
	site: { readonly id: string; readonly timezone: string },
	request: Static<typeof ChannelStatsQuery>,
): Promise<Static<typeof ChannelStats>> {
	const { country, page, page_size: pageSize } = request;
	const { rows, totalRows } = await runPage(
		deps,
		{
			site: site.id,
			range: placed("query", () => resolveRange(request, { timezone: site.timezone, clock: deps.clock })),
			dimensions: ["channel_group"],
			metrics: metricNames,
			conditions:
				country === undefined ? [] : [placed("query.country", () => dimensionFilter("country", "in", country))],
		},
		{
			order: [{ by: "entrances", direction: "desc" }],
			limit: pageSize,
			offset: (page - 1) * pageSize,
			totals: [],
		},
	);
	return { channels: rows.map(presentChannel), total: totalRows };
}

const presentChannel = (row: ReportRow) => ({
	channel: String(row.channel_group ?? ""),
	entrances: row.entrances,
	engaged_entrances: row.engaged_entrances,
	bounces: row.entrances - row.engaged_entrances,
	bounce_rate: rates.bounce_rate.of(row),
	page_views: row.page_views,
	microconversions: row.microconversions,
	conversions: row.conversions,
	conversion_rate: rates.conversion_rate.of(row),
	revenue: row.revenue,
});
