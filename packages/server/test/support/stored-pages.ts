import type { TestApp } from "./test-app.ts";

/** Pages of a site with hits, each with the number of times that its page views are stored. */
export async function storedPages(app: TestApp, site: string): Promise<Map<string, number>> {
	await app.collector?.flush();
	const rows = await app.eventStore.query<{ path: string; views: number }>({
		sql: "SELECT path, sum(page_view) AS views FROM events WHERE site = {site:String} GROUP BY path",
		params: { site },
	});
	return new Map(rows.map(({ path, views }) => [path, views]));
}
