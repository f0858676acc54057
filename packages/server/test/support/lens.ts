import type { EventRow } from "../../src/analytics/model/event-row.ts";
import { pageviewRow } from "./event-rows.ts";
import { DAY, type WatchedSites } from "./watched-sites.ts";

/** So many visits on each of some days before a moment, half of them with a second page: one row a day. */
export const visitsOn = (
	site: string,
	until: string,
	days: number,
	each: number,
	values: Partial<EventRow> = {},
): EventRow[] =>
	Array.from({ length: days }, (_, index) =>
		pageviewRow({
			site,
			ts: Date.parse(until) - (index + 1) * DAY,
			entrance: each,
			engaged: each / 2,
			page_view: each * 2,
			...values,
		}),
	);

/** Lets the sites whose morning has come be looked at, as at a moment. */
export async function lookAt({ app }: Pick<WatchedSites, "app">, moment: string): Promise<void> {
	app.clock.set(moment);
	await app.jobs.enqueue(app.metadata, { kind: "lens-mornings" });
	await app.jobs.runDue();
}

/** Insights of a site, as the API tells them. */
export const insightsOf = async (watched: Pick<WatchedSites, "call">, site: string, query = "") =>
	(await watched.call("GET", `/lens/insights?account_id=${site}${query}`)).insights;
