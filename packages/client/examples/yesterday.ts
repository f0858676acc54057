// Yesterday's traffic in a line.
import { reader, site } from "./connect.ts";

const { date_range, traffic } = await reader().call("GET /stats/overview", {
	query: { site_id: site, period: "yesterday" },
});
console.log(
	`${date_range.start_date}: ${traffic.visitors} visitors, ${traffic.entrances} visits, ${traffic.page_views} page views`,
);
