// Sources of the last 7 days beside those of the 7 days before.
import { reader, site } from "./connect.ts";

const sources = await reader().call("GET /stats/sources", {
	query: { site_id: site, period: "7d", compare: "previous", sort_by: "entrances" },
});
for (const { utm_source, entrances, entrances_prev = 0 } of sources.data) {
	const change = entrances - entrances_prev;
	console.log(`${utm_source}: ${entrances} visits (${change < 0 ? "" : "+"}${change})`);
}
