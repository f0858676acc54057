import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api/client.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { t } from "./texts.ts";

/** Names of the groups of insights, in their order. */
export const groupsQuery = (site: string) =>
	queryOptions({
		queryKey: ["GET /lens/insights/grouped", { site }],
		queryFn: ({ signal }) => call("GET /lens/insights/grouped", { query: { account_id: site }, signal }),
	});

const stale = ["GET /lens/insights", "GET /lens/insights/grouped"] as const;

/** Actions on insights. */
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
