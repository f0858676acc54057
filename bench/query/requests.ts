/** A question to the API; `{site}` is not in it, the site is added to its query. */
export interface BenchRequest {
	readonly name: string;
	readonly path: string;
	/** A POST with this body; else a GET. */
	readonly body?: object;
}

const PERIODS = ["30d", "12m"] as const;

/** Every list and breakdown, and some of them with the filters and options that cost most. */
const reports = [
	"/stats/overview",
	"/stats/overview?compare=previous",
	"/stats/pages",
	"/stats/pages?device_type=mobile&include_utm=true",
	"/stats/pages/top",
	"/stats/pages/content-groups",
	"/stats/mediums",
	"/stats/sources",
	"/stats/sources?country=ES&include_totals=true",
	"/stats/sources/top",
	"/stats/campaigns",
	"/stats/campaigns/top",
	"/stats/terms",
	"/stats/contents",
	"/stats/referrers",
	"/stats/geo/countries",
	"/stats/geo/countries?compare=previous",
	"/stats/devices",
	"/stats/devices?compare=previous",
	"/stats/devices/types",
	"/stats/browsers",
	"/stats/operating-systems",
	"/stats/landing-pages",
	"/stats/landing-pages?include_totals=true",
	"/stats/landing-pages?compare=yoy&include_totals=true",
	"/stats/landing-pages/by-content-group",
	"/stats/channels",
	"/stats/channels?compare=previous",
	"/stats/top-channels",
	"/stats/conversions",
	"/stats/microconversions",
	"/stats/microconversions-types",
	"/stats/properties/keys",
	"/stats/properties/values?property_key=sku&table=conversion_items",
	"/stats/properties/breakdown?property_key=sku&table=conversion_items",
	"/stats/funnel",
];

const withPeriod = (path: string, period: string) => `${path}${path.includes("?") ? "&" : "?"}period=${period}`;

/** The reports of one period. */
export function reportRequests(period: (typeof PERIODS)[number]): BenchRequest[] {
	return reports.map((path) => ({ name: withPeriod(path, period), path: withPeriod(path, period) }));
}

/** The name of the same report without comparison. */
export const withoutComparison = (name: string): string =>
	name.replace(/([?&])compare=\w+&?/, "$1").replace(/[?&]$/, "");

/** Pages with campaigns under a filter: the list that reads and groups the most. */
export const widest = withPeriod("/stats/pages?device_type=mobile&include_utm=true", "12m");
/** The name of the batch. */
export const batch = "POST /batch, 50 queries, 30d";

/** Rows one by one, for which 31 days are the most. */
export const rawRequests: readonly BenchRequest[] = [
	"/stats/conversions/raw",
	"/stats/microconversions/raw",
	"/stats/conversion-items/raw",
].map((path) => ({ name: `${path}?period=30d`, path: withPeriod(path, "30d") }));

const steps = ["/", "/*", "add_to_cart", "/*", "newsletter_open", "/*", "/*", "add_to_cart", "/*", "purchase"];

const dimensions = [
	"date",
	"country",
	"device_type",
	"browser",
	"os",
	"channel_group",
	"utm_source",
	"utm_medium",
	"utm_campaign",
	"utm_content",
];

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

/** The questions that read the most: all on twelve months, and fifty reports at once. */
export function heavyRequests(siteId: string): BenchRequest[] {
	const range = { date_from: day(364), date_to: day(0) };
	const queries = Array.from({ length: 50 }, (_, index) => ({
		id: `q${index}`,
		endpoint: (reports[index % reports.length] ?? "").split("?", 1)[0],
		params: { site_id: siteId, period: "30d", property_key: "sku" },
	}));
	return [
		{ name: "POST /stats/funnel, 10 steps, 12m", path: "/stats/funnel?period=12m", body: { steps } },
		{
			name: "POST /stats/query, 3 dimensions, 12m",
			path: "/stats/query",
			body: { ...range, dimensions: dimensions.slice(4, 7) },
		},
		{ name: "POST /stats/query, 10 dimensions, 12m", path: "/stats/query", body: { ...range, dimensions } },
		{ name: batch, path: "/batch", body: { queries, options: { parallel_limit: 10 } } },
	];
}
