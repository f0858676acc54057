import type { EventColumn } from "../../model/event-columns.ts";
import type { DateRange } from "../question/date-range.ts";
import type { FileColumn } from "./file-columns.ts";
import type { FileQuestion } from "./file-query.ts";

const as = (type: FileColumn["type"], names: Readonly<Record<string, string>>): FileColumn[] =>
	Object.entries(names).map(([name, sql]) => ({ name, sql, type }));

const measures: readonly EventColumn[] = [
	"bot_score",
	"entrance",
	"rejoined",
	"engaged",
	"page_view",
	"conversion",
	"microconversion",
	"visit_seconds",
	"visitor",
];

/** The columns of a stored event under the names that answers use. */
const columns: readonly FileColumn[] = [
	...as("moment", { timestamp: "ts" }),
	...as("date", { date: "date" }),
	...as("hour", { hour: "hour" }),
	...as("text", {
		// Beyond what a number of JSON holds.
		session: "toString(session)",
		kind: "toString(kind)",
		path: "path",
		content_grouping: "content_group",
		referrer_domain: "referrer",
		landing_page: "landing_path",
		landing_content_grouping: "landing_group",
		utm_source: "utm_source",
		utm_medium: "utm_medium",
		utm_campaign: "utm_campaign",
		utm_term: "utm_term",
		utm_content: "utm_content",
		country: "country",
		device_type: "device",
		browser: "browser",
		os: "os",
		channel_group: "channel",
		clid: "clid",
		conversion_type: "event_type",
	}),
	...as("map", { properties: "properties" }),
	...as("number", {
		amount: "amount",
		revenue: "revenue",
		...Object.fromEntries(measures.map((name) => [name, name])),
	}),
];

/** Every stored event of a site, oldest first. */
export const siteEvents = (site: string, range: DateRange): FileQuestion => ({
	of: "events",
	scope: { site, range, conditions: [] },
	columns,
});
