import type { ShareList } from "../../../access/index.ts";
import { countryName } from "../../../analytics/attribution/country-of-zone.ts";
import { campaignDimensions, type Dimension } from "../../../analytics/catalog/dimensions.ts";
import type { Figure } from "../../../analytics/catalog/rates.ts";
import type { ownParameters } from "./parameters.ts";

/** Numbers of an answer by field. */
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
	/** With `compare` each number also comes as `<field>_prev`. */
	readonly previous?: boolean;
	/** Sort orders, the default first. */
	readonly sortBy: readonly [keyof C & string, ...(keyof C & string)[]];
	/** Parameters beyond the common ones. */
	readonly takes: readonly (keyof typeof ownParameters)[];
}

/** A list inside a row, by its first number; `percentage` is the share of that number in the row. */
export interface NestedList {
	readonly field: string;
	readonly key: Readonly<Record<string, Dimension>>;
	readonly columns: Columns;
}

/** A paginated report: one row of the table below. */
export interface ListReport<C extends Columns = Columns> extends RowShape<C> {
	readonly url: string;
	readonly summary: string;
	/** The list of shared links that it belongs to. */
	readonly list: ShareList;
	readonly previous: true;
	readonly pageSize: { readonly default: number; readonly max: number };
	/** Numbers of the earlier period under `comparison`; those of the row when absent. */
	readonly comparison?: Columns;
	readonly nested?: readonly NestedList[];
}

/** Columns whose fields have the names of the catalog. */
export function columns<F extends Figure>(...names: readonly F[]): { readonly [Name in F]: Name } {
	return Object.fromEntries(names.map((name) => [name, name])) as { [Name in F]: Name };
}

/** The figure that a field of a report shows. */
export function figureNamed(shape: RowShape, field: string): Figure {
	const figure = shape.columns[field];
	if (figure === undefined) throw new Error(`No such column: ${field}`);
	return figure;
}

const named = <D extends Dimension>(...names: readonly D[]) =>
	Object.fromEntries(names.map((name) => [name, name])) as { readonly [Name in D]: Name };

const traffic = {
	columns: columns("entrances", "page_views", "engaged_entrances", "bounce_rate", "conversions", "revenue"),
	sortBy: ["entrances", "engaged_entrances", "page_views", "conversions", "revenue"],
	pageSize: { default: 50, max: 100 },
	takes: ["search", "totals", "figures"],
	previous: true,
} as const satisfies Partial<ListReport>;

/** All metrics and the bounce rate. */
export const metricColumns = columns(
	"entrances",
	"engaged_entrances",
	"page_views",
	"microconversions",
	"conversions",
	"revenue",
	"bounce_rate",
);

const breakdown = { ...traffic, columns: metricColumns, share: true, takes: ["figures"] } as const;

/** Reports that have a list of their first rows too. */
export const sources = {
	...traffic,
	url: "/stats/sources",
	summary: "Traffic by source",
	key: named("utm_source"),
	list: "sources",
} as const satisfies ListReport;
export const campaigns = {
	...traffic,
	url: "/stats/campaigns",
	summary: "Traffic by campaign",
	key: named("utm_campaign"),
	list: "campaigns",
} as const satisfies ListReport;
export const terms = {
	...traffic,
	url: "/stats/terms",
	summary: "Traffic by term",
	key: named("utm_term"),
	list: "terms",
} as const satisfies ListReport;
export const contents = {
	...traffic,
	url: "/stats/contents",
	summary: "Traffic by content",
	key: named("utm_content"),
	list: "contents",
} as const satisfies ListReport;
export const referrers = {
	...traffic,
	url: "/stats/referrers",
	summary: "Traffic by referring domain",
	key: { referrer_domain: "referrer_domain", referrer: "referrer_domain" },
	list: "referrers",
} as const satisfies ListReport;

export const landingPages = {
	url: "/stats/landing-pages",
	summary: "Sessions by landing page",
	key: { landing_page: "landing_page", content_grouping: "landing_content_grouping" },
	columns: columns(
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
	previous: true,
} as const satisfies ListReport;

export const channels = {
	...traffic,
	url: "/stats/channels",
	summary: "Traffic by channel",
	key: { channel: "channel_group" },
	columns: { ...columns("bounces", "conversion_rate"), ...metricColumns },
	list: "channels",
} as const satisfies ListReport;

const pages = {
	url: "/stats/pages",
	summary: "Page views by page",
	key: named("path", "content_grouping"),
	columns: columns("page_views", "entrances"),
	sortBy: ["page_views", "entrances"],
	pageSize: { default: 50, max: 1000 },
	comparison: columns("entrances", "engaged_entrances", "page_views", "conversions", "revenue"),
	takes: ["contentGroup", "pathFilter", "columns"],
	list: "pages",
	previous: true,
} as const satisfies ListReport;

const conversions = {
	url: "/stats/conversions",
	summary: "Conversions by type",
	key: named("conversion_type"),
	columns: { count: "conversions", revenue: "revenue", avg_value: "average_order_value" },
	sortBy: ["count", "revenue", "avg_value"],
	pageSize: { default: 20, max: 100 },
	takes: ["conversionType"],
	list: "conversions",
	previous: true,
	nested: [
		{ field: "by_source", key: named(...campaignDimensions), columns: columns("conversions", "revenue") },
		{ field: "by_country", key: named("country"), columns: columns("conversions", "revenue") },
	],
} as const satisfies ListReport;

const microconversions = {
	url: "/stats/microconversions",
	summary: "Microconversions by type",
	key: named("conversion_type"),
	columns: { count: "microconversions" },
	sortBy: ["count"],
	pageSize: { default: 50, max: 100 },
	takes: ["conversionType"],
	list: "microconversions",
	previous: true,
	nested: [{ field: "by_source", key: named(...campaignDimensions), columns: { count: "microconversions" } }],
} as const satisfies ListReport;

/** Every paginated report over additive metrics. */
export const listReports: readonly ListReport[] = [
	pages,
	{ ...traffic, url: "/stats/mediums", summary: "Traffic by medium", key: named("utm_medium"), list: "mediums" },
	sources,
	campaigns,
	terms,
	contents,
	referrers,
	{
		...traffic,
		url: "/stats/geo/countries",
		summary: "Traffic by country",
		key: named("country"),
		named: { field: "country_name", of: "country", name: countryName },
		pageSize: { default: 50, max: 1000 },
		takes: ["totals", "figures"],
		list: "countries",
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
	{ ...breakdown, url: "/stats/browsers", summary: "Traffic by browser", key: named("browser"), list: "browsers" },
	{
		...breakdown,
		url: "/stats/operating-systems",
		summary: "Traffic by operating system",
		key: named("os"),
		list: "systems",
	},
	conversions,
	microconversions,
];
