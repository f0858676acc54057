import { queryOptions } from "@tanstack/react-query";
import { call } from "../../api/client.ts";

/** The rules of a site, of which some are goals; those that are switched off too. */
export const rulesQuery = (site: string) =>
	queryOptions({
		queryKey: ["GET /alerts/rules", { account_id: site }],
		queryFn: ({ signal }) => call("GET /alerts/rules", { query: { account_id: site, include_inactive: true }, signal }),
	});

/** The goals of a site with what is reached of them. */
export const goalsQuery = (site: string) =>
	queryOptions({
		queryKey: ["GET /alerts/rules", { account_id: site, include_progress: true }],
		queryFn: ({ signal }) =>
			call("GET /alerts/rules", {
				query: { account_id: site, include_inactive: true, include_progress: true },
				signal,
			}),
		select: ({ rules }) => rules.filter(({ alert_type: type }) => type === "goal_reached"),
	});

/** Current value of a rule; sends no notification. */
export const ruleValueQuery = (site: string, id: number) =>
	queryOptions({
		queryKey: ["POST /alerts/rules/{id}/test", { id, site }],
		queryFn: ({ signal }) =>
			call("POST /alerts/rules/{id}/test", {
				path: { id },
				query: { account_id: site },
				body: { send_notification: false },
				signal,
			}),
		staleTime: 60_000,
	});
