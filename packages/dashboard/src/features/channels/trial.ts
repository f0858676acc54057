import { queryOptions } from "@tanstack/react-query";
import { ask } from "../../api/batch.ts";
import { call } from "../../api/client.ts";
import { todayIn } from "../../lib/days.ts";
import { daysOf, type Site } from "../site/index.ts";
import { movesOf, type Touch } from "./moves.ts";
import type { RuleFields } from "./use-rules.ts";

/** As many as one question to the rules may hold. */
const most = 1_000;

/** A rule that is tried; without an id it is a new one. */
export type Tried = Omit<RuleFields, "is_active"> & { readonly id?: number };

/** By what the visits of the last 30 days came, the most visits first. */
export const touchesQuery = ({ id, timezone }: Site) => {
	const { from, to } = daysOf({ period: "30d" }, todayIn(timezone));
	return queryOptions({
		queryKey: ["POST /stats/query", "touches", id, from, to],
		queryFn: async ({ signal }) => {
			const { data, meta } = await ask(
				"POST /stats/query",
				{
					site_id: id,
					date_from: from,
					date_to: to,
					dimensions: ["utm_source", "utm_medium", "utm_campaign"],
					metrics: ["entrances"],
					order_by: [{ field: "entrances", direction: "desc" }],
					limit: most,
				},
				signal,
			);
			const touches = data.map(
				({
					utm_source: source = "",
					utm_medium: medium = "",
					utm_campaign: campaign = "",
					entrances: visits = 0,
				}): Touch => ({
					...{ source, medium, campaign, visits },
				}),
			);
			return { touches, leftOut: meta.total_rows - touches.length };
		},
		staleTime: 300_000,
	});
};

const visitsOf = (touches: readonly Touch[]) =>
	touches.map(({ source, medium, campaign }) => ({ source, medium, campaign }));

/** Channels of these visits by the rules as they are now. */
const channelsNow = async (site: string, touches: readonly Touch[], rule?: Tried, signal?: AbortSignal) => {
	const { channels = [] } = await call("POST /channel-groups/test", {
		query: { account_id: site },
		body: { visits: visitsOf(touches), ...(rule && { rule }) },
		signal,
	});
	return channels;
};

/**
 * Effect of a rule if it were active. Both sides are evaluated with the current rules, as stored visits may carry the
 * channel of older ones.
 */
export const trialQuery = (site: string, touches: readonly Touch[], rule: Tried) =>
	queryOptions({
		queryKey: ["POST /channel-groups/test", site, touches, rule],
		queryFn: async ({ signal }) => {
			const [before, after] = await Promise.all([
				channelsNow(site, touches, undefined, signal),
				channelsNow(site, touches, rule, signal),
			]);
			return movesOf(touches, before, after);
		},
		retry: false,
	});
