const traffic = (entrances: number, views: number, engaged: number, bounces: number, conversions = 0, revenue = 0) => ({
	entrances,
	page_views: views,
	engaged_entrances: engaged,
	bounce_rate: bounces,
	conversions,
	revenue,
});
const ofGoogle = traffic(1, 2, 1, 0, 1, 12.5);
const ofLetter = traffic(1, 1, 0, 100);
const noCampaign = { utm_campaign: "", utm_term: "", utm_content: "" };
const google = { utm_source: "google", utm_medium: "organic", ...noCampaign };

const metrics = ({ microconversions, ...other }: ReturnType<typeof traffic> & { microconversions: number }) => ({
	...other,
	microconversions,
});
const allOfGoogle = metrics({ ...ofGoogle, microconversions: 1 });
const allOfLetter = metrics({ ...ofLetter, microconversions: 0 });

const euro = { revenue: "EUR" };
/** Unit of a rate. */
export const perCent = "percent, 0-100";
const bounces = { bounce_rate: perCent };

interface Expected {
	/** Arguments beside the dates. */
	readonly given?: Readonly<Record<string, unknown>>;
	readonly units: object;
	/** Rows of a page, or the content of an answer without pages. */
	readonly rows?: readonly object[];
	readonly data?: unknown;
}

/**
 * Answers of each tool about `shop` on 20 November; `query`, `explain_change` and `list_sites` are called separately.
 */
export const mcpAnswers: Readonly<Record<string, Expected>> = {
	get_overview: {
		units: {
			...euro,
			average_order_value: "EUR",
			...bounces,
			conversion_rate: perCent,
			pages_per_session: "page views per entrance",
			visit_duration: "seconds per entrance",
		},
		data: {
			date_range: { start_date: "2026-11-20", end_date: "2026-11-20", days: 1 },
			traffic: {
				...traffic(2, 3, 1, 50, 1, 12.5),
				microconversions: 1,
				pages_per_session: 1.5,
				visitors: 2,
				visit_duration: 0,
			},
			conversions: {
				conversions: 1,
				revenue: 12.5,
				microconversions: 1,
				conversion_rate: 50,
				average_order_value: 12.5,
			},
		},
	},
	get_pages: {
		given: { sort_by: "entrances" },
		units: {},
		rows: [
			{ path: "/", content_grouping: "", page_views: 1, entrances: 1 },
			{ path: "/sale", content_grouping: "", page_views: 1, entrances: 1 },
			{ path: "/cart", content_grouping: "", page_views: 1, entrances: 0 },
		],
	},
	get_landing_pages: {
		given: { path_filter: "sale" },
		units: { ...euro, ...bounces, conversion_rate: perCent },
		rows: [
			{
				landing_page: "/sale",
				content_grouping: "",
				entrances: 1,
				engaged_entrances: 0,
				bounce_rate: 100,
				microconversions: 0,
				conversions: 0,
				conversion_rate: 0,
				revenue: 0,
			},
		],
	},
	get_exit_pages: {
		given: { search: "a" },
		units: { exit_rate: perCent },
		rows: [
			{ path: "/cart", exits: 1, exit_rate: 100, page_views: 1 },
			{ path: "/sale", exits: 1, exit_rate: 100, page_views: 1 },
		],
	},
	get_sources: {
		units: { ...euro, ...bounces },
		rows: [
			{ utm_source: "google", ...ofGoogle },
			{ utm_source: "news", ...ofLetter },
		],
	},
	get_mediums: {
		given: { country: ["ES"] },
		units: { ...euro, ...bounces },
		rows: [{ utm_medium: "organic", ...ofGoogle }],
	},
	get_campaigns: {
		given: { filters: "utm_campaign:eq:launch" },
		units: { ...euro, ...bounces },
		rows: [{ utm_campaign: "launch", ...ofLetter }],
	},
	get_terms: {
		given: { search: "SHOE" },
		units: { ...euro, ...bounces },
		rows: [{ utm_term: "shoes", ...ofLetter }],
	},
	get_contents: {
		given: { segment: "mobile" },
		units: { ...euro, ...bounces },
		rows: [{ utm_content: "", ...ofGoogle }],
	},
	get_referrers: {
		given: { device_type: ["mobile", "tablet"] },
		units: { ...euro, ...bounces },
		rows: [{ referrer_domain: "google.com", referrer: "google.com", ...ofGoogle }],
	},
	get_countries: {
		units: { ...euro, ...bounces },
		rows: [
			{ country: "ES", country_name: "Spain", ...ofGoogle },
			{ country: "PT", country_name: "Portugal", ...ofLetter },
		],
	},
	get_devices: {
		given: { country: ["ES"] },
		units: { ...euro, ...bounces, percentage: perCent },
		data: {
			by_device: [{ device: "mobile", ...allOfGoogle, percentage: 100 }],
			by_browser: [{ browser: "Safari", ...allOfGoogle, percentage: 100 }],
			by_os: [{ os: "iOS", ...allOfGoogle, percentage: 100 }],
		},
	},
	get_channels: {
		units: { ...euro, ...bounces, conversion_rate: perCent },
		rows: [
			{ channel: "Email", bounces: 1, conversion_rate: 0, ...allOfLetter },
			{ channel: "Organic Search", bounces: 0, conversion_rate: 100, ...allOfGoogle },
		],
	},
	get_conversions: {
		units: { ...euro, avg_value: "EUR", percentage: perCent },
		rows: [
			{
				conversion_type: "purchase",
				count: 1,
				revenue: 12.5,
				avg_value: 12.5,
				by_source: [{ ...google, conversions: 1, revenue: 12.5, percentage: 100 }],
				by_country: [{ country: "ES", conversions: 1, revenue: 12.5, percentage: 100 }],
			},
		],
	},
	get_microconversions: {
		units: { percentage: perCent },
		rows: [{ conversion_type: "add", count: 1, by_source: [{ ...google, count: 1, percentage: 100 }] }],
	},
	get_funnel: {
		given: { utm_source: ["google"] },
		units: euro,
		data: {
			account_id: "shop",
			date_from: "2026-11-20",
			date_to: "2026-11-20",
			rows: [
				{
					...google,
					entrances: 1,
					page_views: 2,
					microconversions: { add: 1 },
					conversions: { purchase: 1 },
					revenue: { purchase: 12.5 },
				},
			],
			totals: {
				entrances: 1,
				page_views: 2,
				microconversions: { add: 1 },
				conversions: { purchase: 1 },
				revenue: { purchase: 12.5 },
			},
			microconversion_types: ["add"],
			conversion_types: ["purchase"],
		},
	},
	get_property_keys: {
		units: {},
		data: [
			{ key: "coupon", conversions_count: 1, microconversions_count: 0, total_count: 1 },
			{ key: "size", conversions_count: 0, microconversions_count: 1, total_count: 1 },
		],
	},
	get_property_values: {
		given: { property_key: "coupon" },
		units: euro,
		rows: [
			{
				property_value: "autumn",
				utm_source: "google",
				conversions_count: 1,
				microconversions_count: 0,
				revenue: 12.5,
			},
		],
	},
	get_property_breakdown: {
		given: { property_key: "size", table: "microconversions" },
		units: {},
		data: {
			property_key: "size",
			property_values: ["L"],
			total_events: 1,
			date_from: "2026-11-20",
			date_to: "2026-11-20",
			data: [{ utm_source: "google", utm_medium: "organic", utm_campaign: "", total: 1, values: { L: 1 } }],
			totals: { L: 1 },
		},
	},
};
