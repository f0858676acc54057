import { campaignDimensions, type GroupKey } from "../../catalog/dimensions.ts";
import type { Metric } from "../../catalog/metrics.ts";
import { CAMPAIGN_SEPARATOR } from "../../model/event-columns.ts";
import type { GroupQuery, Labels, Order, ReportQuery } from "../question/report-query.ts";
import { readsRows } from "./compile.ts";

const isCampaign = (name: string): boolean => (campaignDimensions as readonly string[]).includes(name);

/**
 * The query with `campaign` for the five campaign dimensions, where that answers the same and saves the engine work: it
 * reads rows, not a projection, and neither skips, reorders nor sorts by one of the five. The query itself otherwise.
 */
export function foldCampaign<M extends Metric>(query: ReportQuery<M>, order: readonly Order[]): GroupQuery<M> {
	const at = query.dimensions.indexOf("utm_source");
	const stand = query.dimensions.slice(at, at + campaignDimensions.length);
	if (at < 0 || campaignDimensions.some((name, index) => stand[index] !== name)) return query;
	if (order.some(({ by }) => isCampaign(by))) return query;
	if (!readsRows(query)) return query;
	const dimensions: GroupKey[] = query.dimensions.filter((name) => !isCampaign(name));
	dimensions.splice(at, 0, "campaign");
	return { ...query, dimensions };
}

/** A row of a folded query that has the five campaign dimensions as well. */
export function unfoldCampaign<Row extends Labels>(row: Row): Row {
	const values = String(row.campaign).split(CAMPAIGN_SEPARATOR);
	return { ...row, ...Object.fromEntries(campaignDimensions.map((name, index) => [name, values[index] ?? ""])) };
}
