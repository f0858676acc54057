import type { ShareList } from "../../../access/index.ts";
import { countryName } from "../../../analytics/attribution/country-of-zone.ts";
import { campaignDimensions, type Dimension } from "../../../analytics/catalog/dimensions.ts";
import type { Figure } from "../../../analytics/catalog/rates.ts";
import type { ownParameters } from "./parameters.ts";

export type Columns = Readonly<Record<string, Figure>>;

/** Columns of a report's row, and parameters of the report. */
export interface RowShape<C extends Columns = Columns> {
	/** Dimension of a row by field, in the order of the answer; `search` applies to the first. */
	readonly key: Readonly<Record<string, Dimension>>;
	/** A field that names a value of the key for people. */
	readonly named?: { readonly field: string; readonly of: Dimension; readonly name: (value: string) => string };
	readonly columns: C;
	/** Adds `percentage`, the row's share of all entrances. */
	readonly share?: boolean;
	/** Sort orders, the default first. */
	readonly sortBy: readonly [keyof C & string, ...(keyof C & string)[]];
	/** Parameters beyond the common ones. */
	readonly takes?: readonly (keyof typeof ownParameters)[];
}

/** A list inside a row, by its first number; `percentage` is the share of that number in the row. */
export interface NestedList {
	readonly field: string;
	readonly key: Readonly<Record<string, Dimension>>;
	readonly columns: Columns;
}

/** A report of one site; with `compare` each number also comes as `<field>_prev`. */
interface SiteReport<C extends Columns> extends RowShape<C> {
	readonly url: string;
	readonly summary: string;
	/** The list of shared links that it belongs to. */
	readonly list: ShareList;
}

/** A paginated report: one row of the table below. */
export interface ListReport<C extends Columns = Columns> extends SiteReport<C> {
	readonly pageSize: { readonly default: number; readonly max: number };
	/** Numbers of the earlier period under `comparison`; those of the row when absent. */
	readonly comparison?: Columns;
	readonly nested?: readonly NestedList[];
	/** Parts that differ in the same report over several sites; absent where there is none. */
	readonly aggregate?: Partial<AggregateShape>;
}

export interface AggregateShape extends RowShape {
	/** Campaign fields that do not tell rows apart, always null. */
	readonly empty?: readonly string[];
}

/** A report without pages: its first rows, or all of them. */
export interface TopReport<C extends Columns = Columns> extends SiteReport<C> {
	/** How many rows; all of them when absent. */
	readonly limit?: { readonly default: number; readonly max: number };
	/** Filters take one value each. */
	readonly singleValues?: boolean;
	/** A field with the number of values that one more dimension has in the row. */
	readonly unique?: { readonly field: string; readonly of: Dimension };
	/** Leaves the row with an empty key out. */
	readonly keyGiven?: boolean;
}

/** Keys and columns whose fields have the names of the catalog. */
export function same<F extends Dimension | Figure>(...names: readonly F[]): { readonly [Name in F]: Name } {
	return Object.fromEntries(names.map((name) => [name, name])) as { [Name in F]: Name };
}

/** The figure that a field of a report shows. */
export function figureNamed(shape: RowShape, field: string): Figure {
	const figure = shape.columns[field];
	if (figure === undefined) throw new Error(`No such column: ${field}`);
	return figure;
}

const traffic = {
	columns: same("entrances", "page_views", "engaged_entrances", "bounce_rate", "conversions", "revenue"),
	sortBy: ["entrances", "engaged_entrances", "page_views", "conversions", "revenue"],
	pageSize: { default: 50, max: 100 },
	takes: ["search", "totals", "figures"],
} as const satisfies Partial<ListReport>;

export const metricColumns = same(
	"entrances",
	"engaged_entrances",
	"page_views",
	"microconversions",
	"conversions",
	"revenue",
	"bounce_rate",
);

export const aggregateTraffic = {
	columns: { ...same("conversion_rate"), ...metricColumns },
	sortBy: ["entrances", "engaged_entrances", "page_views", "microconversions", "conversions", "revenue", "bounce_rate"],
} as const satisfies Partial<AggregateShape>;

const breakdown = { ...traffic, columns: metricColumns, share: true, takes: ["figures"] } as const;

/** Traffic by one part of the campaign. */
const campaignReport = <const Part extends (typeof campaignDimensions)[number], const List extends ShareList>(
	part: Part,
	list: List,
) =>
	({
		...traffic,
		url: `/stats/${list}`,
		summary: `Traffic by ${part.replace("utm_", "")}`,
		key: same(part),
		list,
	}) as const satisfies ListReport;
/** The same over several sites, where the other fields of a campaign tell no rows apart. */
const campaignAggregate = (part: (typeof campaignDimensions)[number], ...empty: readonly string[]) => ({
	...aggregateTraffic,
	key: { name: part, [part]: part },
	empty,
});

const sources = {
	...campaignReport("utm_source", "sources"),
	aggregate: campaignAggregate("utm_source", "utm_medium", "utm_campaign"),
};
const campaigns = campaignReport("utm_campaign", "campaigns");
const terms = campaignReport("utm_term", "terms");
const contents = campaignReport("utm_content", "contents");
const referrers = {
	...traffic,
	url: "/stats/referrers",
	summary: "Traffic by referring domain",
	key: { referrer_domain: "referrer_domain", referrer: "referrer_domain" },
	list: "referrers",
} as const satisfies ListReport;
const landingPages = {
	url: "/stats/landing-pages",
	summary: "Sessions by landing page",
	key: { landing_page: "landing_page", content_grouping: "landing_content_grouping" },
	columns: same(
		"entrances",
		"engaged_entrances",
		"bounce_rate",
		"microconversions",
		"conversions",
		"conversion_rate",
		"revenue",
	),
	sortBy: ["entrances", "engaged_entrances", "microconversions", "conversions", "revenue", "bounce_rate"],
	pageSize: { default: 50, max: 1000 },
	takes: ["totals", "contentGroup", "pathFilter", "columns"],
	list: "landing_pages",
	aggregate: {},
} as const satisfies ListReport;

const channels = {
	...traffic,
	url: "/stats/channels",
	summary: "Traffic by channel",
	key: { channel: "channel_group" },
	columns: { ...same("bounces", "conversion_rate"), ...metricColumns },
	list: "channels",
} as const satisfies ListReport;

/** Every paginated report over additive metrics. */
export const listReports: readonly ListReport[] = [
	{
		url: "/stats/pages",
		summary: "Page views by page",
		key: same("path", "content_grouping"),
		columns: same("page_views", "entrances"),
		sortBy: ["page_views", "entrances"],
		pageSize: { default: 50, max: 1000 },
		comparison: same("entrances", "engaged_entrances", "page_views", "conversions", "revenue"),
		takes: ["contentGroup", "pathFilter", "columns"],
		list: "pages",
		aggregate: {
			columns: same("entrances", "engaged_entrances", "page_views", "conversions", "bounce_rate"),
			sortBy: ["entrances", "engaged_entrances", "page_views", "conversions", "bounce_rate"],
		},
	},
	{
		...campaignReport("utm_medium", "mediums"),
		aggregate: campaignAggregate("utm_medium", "utm_source", "utm_campaign"),
	},
	sources,
	campaigns,
	terms,
	contents,
	referrers,
	{
		...traffic,
		url: "/stats/geo/countries",
		summary: "Traffic by country",
		key: same("country"),
		named: { field: "country_name", of: "country", name: countryName },
		pageSize: { default: 50, max: 1000 },
		takes: ["totals", "figures"],
		list: "countries",
		aggregate: { ...aggregateTraffic, columns: metricColumns },
	},
	landingPages,
	channels,
	{
		...breakdown,
		url: "/stats/devices/types",
		summary: "Traffic by device type",
		key: { device_type: "device_type", device: "device_type" },
		list: "devices",
	},
	{ ...breakdown, url: "/stats/browsers", summary: "Traffic by browser", key: same("browser"), list: "browsers" },
	{
		...breakdown,
		url: "/stats/operating-systems",
		summary: "Traffic by operating system",
		key: same("os"),
		list: "systems",
	},
	{
		url: "/stats/conversions",
		summary: "Conversions by type",
		key: same("conversion_type"),
		columns: { count: "conversions", revenue: "revenue", avg_value: "average_order_value" },
		sortBy: ["count", "revenue", "avg_value"],
		pageSize: { default: 20, max: 100 },
		takes: ["conversionType"],
		list: "conversions",
		nested: [
			{ field: "by_source", key: same(...campaignDimensions), columns: same("conversions", "revenue") },
			{ field: "by_country", key: same("country"), columns: same("conversions", "revenue") },
		],
		aggregate: {},
	},
	{
		url: "/stats/microconversions",
		summary: "Microconversions by type",
		key: same("conversion_type"),
		columns: { count: "microconversions" },
		sortBy: ["count"],
		pageSize: { default: 50, max: 100 },
		takes: ["conversionType"],
		list: "microconversions",
		nested: [{ field: "by_source", key: same(...campaignDimensions), columns: { count: "microconversions" } }],
	},
];

const limit = { default: 10, max: 100 };

const top = { limit, takes: ["figures"] } as const;

/** Every report that is a plain list. */
export const topReports: readonly TopReport[] = [
	{
		url: "/stats/pages/top",
		summary: "Top pages",
		key: same("path"),
		columns: same("page_views", "entrances", "engaged_entrances", "bounce_rate"),
		sortBy: ["page_views", "entrances"],
		limit,
		singleValues: true,
		takes: ["figures"],
		list: "pages",
	},
	{
		url: "/stats/pages/content-groups",
		summary: "Page views by content group",
		key: same("content_grouping"),
		unique: { field: "unique_pages", of: "path" },
		keyGiven: true,
		columns: same("page_views", "entrances"),
		sortBy: ["page_views", "entrances"],
		list: "content_groups",
	},
	{ ...sources, ...top, url: "/stats/sources/top", summary: "Top sources", takes: ["landingPage", "figures"] },
	{ ...campaigns, ...top, url: "/stats/campaigns/top", summary: "Top campaigns" },
	{ ...terms, ...top, url: "/stats/terms/top", summary: "Top terms" },
	{ ...contents, ...top, url: "/stats/contents/top", summary: "Top contents" },
	{ ...referrers, ...top, url: "/stats/referrers/top", summary: "Top referring domains" },
	{
		...landingPages,
		...top,
		url: "/stats/landing-pages/top",
		summary: "Top landing pages",
		takes: ["contentGroup", "figures"],
	},
	{
		...landingPages,
		url: "/stats/landing-pages/by-content-group",
		summary: "Sessions by the landing page's content group",
		key: { content_grouping: "landing_content_grouping" },
		unique: { field: "unique_pages", of: "landing_page" },
		keyGiven: true,
		takes: [],
		list: "content_groups",
	},
	{ ...channels, ...top, url: "/stats/top-channels", summary: "Top channels", limit: { default: 10, max: 50 } },
];
