/** A route of the API, without its prefix. */
export interface RouteName {
	readonly method: "GET" | "POST";
	readonly url: string;
}

/** A tool that asks one report of one site. */
export interface ReportTool {
	readonly name: string;
	readonly title: string;
	/** One line for the model. */
	readonly description: string;
	/** Route whose parameters the tool takes. */
	readonly route: RouteName;
	/** A route that is asked in its place when this argument is given. */
	readonly instead?: { readonly given: string; readonly route: RouteName };
	/** Parameters that the route takes, but that change nothing in its answer. */
	readonly idle?: readonly string[];
}

const get = (url: string): RouteName => ({ method: "GET", url });
const idle = ["compare", "compare_start", "compare_end", "compare_align"];

/** Every report tool. */
export const reportTools: readonly ReportTool[] = [
	{
		name: "get_overview",
		title: "Overview",
		description:
			"Headline figures; series over time with `granularity`. With `compare`, `traffic_change` and `conversions_change` hold the earlier period's figures, not differences.",
		route: get("/stats/overview"),
	},
	{
		name: "get_pages",
		title: "Pages",
		description: "Page views and entrances by page.",
		route: get("/stats/pages"),
	},
	{
		name: "get_landing_pages",
		title: "Landing pages",
		description: "Visits by the page they began on, with conversions and bounce rate.",
		route: get("/stats/landing-pages"),
	},
	{
		name: "get_exit_pages",
		title: "Exit pages",
		description: "Visits by the page they ended on, and the share of its page views that were the last.",
		route: get("/stats/exit-pages"),
	},
	{
		name: "get_sources",
		title: "Sources",
		description: "Traffic by source (utm_source).",
		route: get("/stats/sources"),
	},
	{
		name: "get_mediums",
		title: "Mediums",
		description: "Traffic by medium (utm_medium).",
		route: get("/stats/mediums"),
	},
	{
		name: "get_campaigns",
		title: "Campaigns",
		description: "Traffic by campaign (utm_campaign).",
		route: get("/stats/campaigns"),
	},
	{
		name: "get_terms",
		title: "Terms",
		description: "Traffic by search term (utm_term).",
		route: get("/stats/terms"),
	},
	{
		name: "get_contents",
		title: "Contents",
		description: "Traffic by ad or link content (utm_content).",
		route: get("/stats/contents"),
	},
	{
		name: "get_referrers",
		title: "Referrers",
		description: "Traffic by referring domain.",
		route: get("/stats/referrers"),
	},
	{
		name: "get_countries",
		title: "Countries",
		description: "Traffic by country.",
		route: get("/stats/geo/countries"),
	},
	{
		name: "get_devices",
		title: "Devices",
		description: "Traffic by device type, browser and operating system.",
		route: get("/stats/devices"),
	},
	{
		name: "get_channels",
		title: "Channels",
		description: "Traffic by channel, such as Organic Search or Paid Social.",
		route: get("/stats/channels"),
	},
	{
		name: "get_conversions",
		title: "Conversions",
		description: "Conversions and revenue by type, each with its sources and countries.",
		route: get("/stats/conversions"),
	},
	{
		name: "get_microconversions",
		title: "Microconversions",
		description: "Microconversions (events without revenue) by type, each with its sources.",
		route: get("/stats/microconversions"),
	},
	{
		name: "get_funnel",
		title: "Funnel",
		description: "Visits, events and revenue by source; with `steps` the visits that did these steps in order.",
		route: get("/stats/funnel"),
		instead: { given: "steps", route: { method: "POST", url: "/stats/funnel" } },
		idle,
	},
	{
		name: "get_property_keys",
		title: "Property names",
		description: "Names of the custom properties that events carry.",
		route: get("/stats/properties/keys"),
		idle,
	},
	{
		name: "get_property_values",
		title: "Property values",
		description: "Values of one custom property with counts and revenue, by source.",
		route: get("/stats/properties/values"),
		idle,
	},
	{
		name: "get_property_breakdown",
		title: "Property breakdown",
		description: "How often each value of one custom property occurs within each source.",
		route: get("/stats/properties/breakdown"),
		idle,
	},
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
