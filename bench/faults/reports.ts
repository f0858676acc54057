import { type BenchSite, readReport } from "../support/site.ts";
import type { SourceSums, Sums } from "./naive.ts";

const DAY_MS = 86_400_000;
const PAGE = 10_000;
const dayOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);

/** Two days around today: a day may end while a drill runs, and clocks may be set. */
const days = () => ({ from: dayOf(Date.now() - 2 * DAY_MS), to: dayOf(Date.now() + 2 * DAY_MS) });

/** The sums of all hits, as the report of a site shows them. */
export async function readSums(url: string, site: BenchSite): Promise<Sums> {
	const { from, to } = days();
	const { data } = await readReport<{ data: Record<"traffic" | "conversions", Record<string, number>> }>(
		url,
		site,
		`/stats/overview?start_date=${from}&end_date=${to}`,
	);
	const { traffic, conversions } = data;
	return {
		pageViews: traffic.page_views ?? Number.NaN,
		entrances: traffic.entrances ?? Number.NaN,
		conversions: conversions.conversions ?? Number.NaN,
		revenue: conversions.revenue ?? Number.NaN,
	};
}

/** Page views by path and day, as `path day`; all of them. */
export async function readViews(url: string, site: BenchSite): Promise<Map<string, number>> {
	const { from, to } = days();
	const views = new Map<string, number>();
	for (let offset = 0; ; offset += PAGE) {
		const body = {
			date_from: from,
			date_to: to,
			dimensions: ["path", "date"],
			metrics: ["page_views"],
			order_by: [{ field: "path", direction: "asc" }],
			limit: PAGE,
			offset,
		};
		const answer = await readReport<{
			data: { path: string; date: string; page_views: number }[];
			meta: { has_more: boolean };
		}>(url, site, "/stats/query", body);
		for (const { path, date, page_views } of answer.data)
			if (page_views > 0) views.set(`${path} ${date}`, (views.get(`${path} ${date}`) ?? 0) + page_views);
		if (!answer.meta.has_more) return views;
	}
}

/** Page views, conversions and revenue by source. */
export async function readSources(url: string, site: BenchSite): Promise<Map<string, SourceSums>> {
	const { from, to } = days();
	const body = {
		date_from: from,
		date_to: to,
		dimensions: ["utm_source"],
		metrics: ["page_views", "conversions", "revenue"],
	};
	type Row = { utm_source: string; page_views: number; conversions: number; revenue: number };
	const { data } = await readReport<{ data: Row[] }>(url, site, "/stats/query", body);
	return new Map(
		data.map((row) => [
			row.utm_source,
			{ pageViews: row.page_views, conversions: row.conversions, revenue: row.revenue },
		]),
	);
}
