export interface RouteName {
	readonly method: "GET" | "POST";
	readonly url: string;
}

export interface ReportTool {
	readonly name: string;
	readonly title: string;
	readonly description: string;
	/** Route whose parameters the tool takes. */
	readonly route: RouteName;
	/** A route that is asked in its place when this argument is given. */
	readonly instead?: { readonly given: string; readonly route: RouteName };
	/** Parameters that the route takes, but that change nothing in its answer. */
	readonly idle?: readonly string[];
}

/** A tool that asks a route by GET. */
const get = (
	url: string,
	name: string,
	title: string,
	description: string,
	more: Pick<ReportTool, "instead" | "idle"> = {},
): ReportTool => ({ name, title, description, route: { method: "GET", url }, ...more });
const idle = ["compare", "compare_start", "compare_end", "compare_align"];

export const reportTools: readonly ReportTool[] = [
	get(
		"/stats/overview",
		"get_overview",
		"Overview",
		"Headline figures; series over time with `granularity`. With `compare`, `traffic_change` and `conversions_change` hold the earlier period's figures, not differences.",
	),
	get("/stats/pages", "get_pages", "Pages", "Page views and entrances by page."),
	get(
		"/stats/landing-pages",
		"get_landing_pages",
		"Landing pages",
		"Visits by the page they began on, with conversions and bounce rate.",
	),
	get(
		"/stats/exit-pages",
		"get_exit_pages",
		"Exit pages",
		"Visits by the page they ended on, and the share of its page views that were the last.",
	),
	get("/stats/sources", "get_sources", "Sources", "Traffic by source (utm_source)."),
	get("/stats/mediums", "get_mediums", "Mediums", "Traffic by medium (utm_medium)."),
	get("/stats/campaigns", "get_campaigns", "Campaigns", "Traffic by campaign (utm_campaign)."),
	get("/stats/terms", "get_terms", "Terms", "Traffic by search term (utm_term)."),
	get("/stats/contents", "get_contents", "Contents", "Traffic by ad or link content (utm_content)."),
	get("/stats/referrers", "get_referrers", "Referrers", "Traffic by referring domain."),
	get("/stats/geo/countries", "get_countries", "Countries", "Traffic by country."),
	get("/stats/devices", "get_devices", "Devices", "Traffic by device type, browser and operating system."),
	get("/stats/channels", "get_channels", "Channels", "Traffic by channel, such as Organic Search or Paid Social."),
	get(
		"/stats/conversions",
		"get_conversions",
		"Conversions",
		"Conversions and revenue by type, each with its sources and countries.",
	),
	get(
		"/stats/microconversions",
		"get_microconversions",
		"Microconversions",
		"Microconversions (events without revenue) by type, each with its sources.",
	),
	get(
		"/stats/funnel",
		"get_funnel",
		"Funnel",
		"Visits, events and revenue by source; with `steps` the visits that did these steps in order.",
		{ instead: { given: "steps", route: { method: "POST", url: "/stats/funnel" } }, idle },
	),
	get(
		"/stats/properties/keys",
		"get_property_keys",
		"Property names",
		"Names of the custom properties that events carry.",
		{ idle },
	),
	get(
		"/stats/properties/values",
		"get_property_values",
		"Property values",
		"Values of one custom property with counts and revenue, by source.",
		{ idle },
	),
	get(
		"/stats/properties/breakdown",
		"get_property_breakdown",
		"Property breakdown",
		"How often each value of one custom property occurs within each source.",
		{ idle },
	),
	{
		name: "explain_change",
		title: "Explain a change",
		description:
			"Why a metric rose or fell: the ten values of each dimension that moved most between two ranges of days, those that appeared or vanished too.",
		route: { method: "POST", url: "/stats/explain" },
	},
	{
		name: "query",
		title: "Query",
		description: "Any metrics by any dimensions, also per day or hour; for questions that no other tool answers.",
		route: { method: "POST", url: "/stats/query" },
	},
];
