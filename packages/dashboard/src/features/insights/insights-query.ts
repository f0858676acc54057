import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";

/** An insight. */
export type Insight = Answer<"GET /lens/insights">["insights"][number];
export const severities = ["red", "yellow", "green"] as const;
export const types = ["anomaly", "opportunity", "trend", "alert", "health"] as const;

/** Which insights. */
export interface Choice {
	readonly severity?: (typeof severities)[number] | undefined;
	readonly type?: (typeof types)[number] | undefined;
	readonly unread: boolean;
}

/** The insights of a site, the worst first. */
export const insightsQuery = (site: string, { severity, type, unread }: Choice) => {
	const query = {
		account_id: site,
		...(severity && { severity: [severity] }),
		...(type && { insight_type: [type] }),
		...(unread && { unread }),
		page_size: 100,
	};
	return queryOptions({
		queryKey: ["GET /lens/insights", query],
		queryFn: ({ signal }) => call("GET /lens/insights", { query, signal }),
	});
};
