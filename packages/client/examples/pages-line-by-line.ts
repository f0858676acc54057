// A file of at most 10,000 rows without a detour: one object a line, each as it arrives.
import { reader, site } from "./connect.ts";

interface PageLine {
	readonly path: string;
	readonly page_views: number;
}
const lines = reader().lines<PageLine>("POST /exports/stream", {
	query: { account_id: site },
	body: { export_type: "pages", date_from: "2026-11-01", date_to: "2026-11-30" },
});
for await (const { path, page_views } of lines) console.log(`${page_views} ${path}`);
