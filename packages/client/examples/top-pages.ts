// Every page of the last 30 days, the most viewed first, as CSV. The pages of the list are fetched one after the other.
import { reader, site } from "./connect.ts";

const rows = reader().rows("GET /stats/pages", {
	query: { site_id: site, period: "30d", sort_by: "page_views", page_size: 2 },
});
const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

console.log("path,page_views,entrances");
for await (const { path, page_views, entrances } of rows) console.log(`${quoted(path)},${page_views},${entrances}`);
