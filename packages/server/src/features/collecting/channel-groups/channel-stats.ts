import { metricNames } from "../../../analytics/catalog/metrics.ts";
import { type ReportPage, runPage } from "../../../analytics/query/engine/run.ts";
import { placed } from "../../../analytics/query/question/bad-question.ts";
import { dimensionFilter } from "../../../analytics/query/question/dimension-filter.ts";
import { type DateInput, resolveRange } from "../../../analytics/query/question/resolve-range.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../platform/lib/clock.ts";

/** Dependencies of the channel figures. */
export interface ChannelStatsDeps {
	readonly eventStore: EventStore;
	readonly clock: Clock;
}

interface ChannelStatsRequest extends DateInput {
	readonly country?: readonly string[];
	readonly page: number;
	readonly page_size: number;
}

/** The channels of a site by entrances. 400 and 422 as the dates and the countries say. */
export function channelStats(
	deps: ChannelStatsDeps,
	site: { readonly id: string; readonly timezone: string },
	request: ChannelStatsRequest,
): Promise<ReportPage> {
	const { country, page, page_size: pageSize } = request;
	return runPage(
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
}
