import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { t } from "./texts.ts";

/** What a rule found. */
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

/** What rules call their insights together, and in which order they come. */
export const groupsQuery = (site: string) =>
	queryOptions({
		queryKey: ["GET /lens/insights/grouped", { site }],
		queryFn: ({ signal }) => call("GET /lens/insights/grouped", { query: { account_id: site }, signal }),
	});

const stale = ["GET /lens/insights", "GET /lens/insights/grouped"] as const;

/** What one does with insights. */
export function useInsights(site: string) {
	const query = { account_id: site };
	const of = (id: string) => ({ path: { id }, query });
	return {
		read: useChange({ run: (id: string) => call("PATCH /lens/insights/{id}/read", of(id)), stale }),
		unread: useChange({ run: (id: string) => call("PATCH /lens/insights/{id}/unread", of(id)), stale }),
		dismiss: useChange({
			run: (id: string) => call("PATCH /lens/insights/{id}/dismiss", of(id)),
			stale,
			done: () => t.dismissed,
		}),
		feedback: useChange({
			run: ({ id, type }: { readonly id: string; readonly type: "helpful" | "not_helpful" }) =>
				call("POST /lens/insights/{id}/feedback", { ...of(id), body: { feedback_type: type } }),
			stale: [],
			done: () => t.thanks,
		}),
	};
}
