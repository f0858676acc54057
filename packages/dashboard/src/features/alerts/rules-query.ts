import { queryOptions } from "@tanstack/react-query";
import { read } from "../../api/read.ts";

/** The rules of a site, of which some are goals; those that are switched off too. */
export const rulesQuery = (site: string) =>
	read("GET /alerts/rules", { query: { account_id: site, include_inactive: true } });

/** The goals of a site with what is reached of them. */
export const goalsQuery = (site: string) =>
	queryOptions({
		...read("GET /alerts/rules", { query: { account_id: site, include_inactive: true, include_progress: true } }),
		select: ({ rules }) => rules.filter(({ alert_type: type }) => type === "goal_reached"),
	});

/** Current value of a rule; sends no notification. */
export const ruleValueQuery = (site: string, id: number) =>
	queryOptions({
		...read("POST /alerts/rules/{id}/test", {
			path: { id },
			query: { account_id: site },
			body: { send_notification: false },
		}),
		staleTime: 60_000,
	});
