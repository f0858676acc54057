import type { Report } from "../../api/batch.ts";
import type { FilterField } from "../site/index.ts";

/** A figure of a row, by the API's name. */
export type Column =
	| "entrances"
	| "visitors"
	| "page_views"
	| "engaged_entrances"
	| "bounce_rate"
	| "visit_duration"
	| "microconversions"
	| "conversions"
	| "conversion_rate"
	| "revenue"
	| "exits"
	| "exit_rate"
	| "count"
	| "avg_value"
	| "unique_pages"
	| "total_count"
	| "conversions_count"
	| "microconversions_count";

/** A report that lists values with their figures. */
export interface List {
	readonly key: ListKey;
	readonly route: Report;
	/** The column that names the row. */
	readonly value: string;
	/** Figures of a row in their order; the first of `sorts` is what a card shows. */
	readonly columns: readonly Column[];
	/** Figures that the rows can be ordered by. */
	readonly sorts: readonly [Column, ...Column[]];
	/** The filter that a click on a row makes. */
	readonly field?: FilterField;
	/** The parameter that searches; without one the rows that are there are searched. */
	readonly search?: "search" | "path_filter";
	/** The most rows that one answer holds; a list without it answers all of its rows, in its own order. */
	readonly largest?: 100 | 1000;
	readonly hasTotals?: true;
	/** Visitors, and the time of visits where there is a column for it, are returned on request. */
	readonly hasVisitors?: true;
	/** Most visits have no such value: cards leave their row out. */
	readonly isRare?: true;
	/** The route does not tell by which SQL it answered. */
	readonly hidesSql?: true;
}

type Shape = Omit<List, "key">;

const visits = ["entrances", "page_views", "conversions", "revenue", "engaged_entrances"] as const;
const ofSource: readonly Column[] = [
	"entrances",
	"visitors",
	"page_views",
	"bounce_rate",
	"visit_duration",
	"conversions",
	"revenue",
];
const ofDevice: readonly Column[] = [...ofSource.slice(0, 5), "microconversions", "conversions", "revenue"];

const source = (route: Report, value: string, field: FilterField, more: Partial<Shape> = {}): Shape => ({
	route,
	value,
	columns: ofSource,
	sorts: visits,
	field,
	search: "search",
	largest: 100,
	hasTotals: true,
	hasVisitors: true,
	...more,
});
const device = (route: Report, value: "device_type" | "browser" | "os"): Shape => ({
	route,
	value,
	columns: ofDevice,
	sorts: visits,
	field: value,
	largest: 100,
	hasVisitors: true,
});

const shapes = {
	channels: source("GET /stats/channels", "channel", "channel_group", {
		columns: [...ofDevice.slice(0, 7), "conversion_rate", "revenue"],
	}),
	sources: source("GET /stats/sources", "utm_source", "utm_source"),
	mediums: source("GET /stats/mediums", "utm_medium", "utm_medium"),
	campaigns: source("GET /stats/campaigns", "utm_campaign", "utm_campaign", { isRare: true }),
	terms: source("GET /stats/terms", "utm_term", "utm_term", { isRare: true }),
	contents: source("GET /stats/contents", "utm_content", "utm_content", { isRare: true }),
	referrers: source("GET /stats/referrers", "referrer_domain", "referrer_domain"),
	pages: {
		route: "GET /stats/pages",
		value: "path",
		columns: ["page_views", "entrances", "visitors"],
		sorts: ["page_views", "entrances"],
		field: "path",
		search: "path_filter",
		largest: 1000,
		hasVisitors: true,
	},
	"landing-pages": {
		route: "GET /stats/landing-pages",
		value: "landing_page",
		columns: [
			...(["entrances", "visitors", "bounce_rate", "visit_duration", "microconversions"] as const),
			...(["conversions", "conversion_rate", "revenue"] as const),
		],
		sorts: ["entrances", "conversions", "revenue", "microconversions", "bounce_rate", "engaged_entrances"],
		field: "landing_page",
		search: "path_filter",
		largest: 1000,
		hasTotals: true,
		hasVisitors: true,
	},
	"exit-pages": {
		route: "GET /stats/exit-pages",
		value: "path",
		columns: ["exits", "exit_rate", "page_views"],
		sorts: ["exits", "exit_rate", "page_views"],
		field: "path",
		search: "search",
		largest: 1000,
		hasTotals: true,
	},
	"content-groups": {
		route: "GET /stats/pages/content-groups",
		value: "content_grouping",
		columns: ["page_views", "entrances", "unique_pages"],
		sorts: ["page_views", "entrances"],
		field: "content_grouping",
		isRare: true,
	},
	countries: {
		route: "GET /stats/geo/countries",
		value: "country",
		columns: ofSource,
		sorts: visits,
		field: "country",
		largest: 1000,
		hasTotals: true,
		hasVisitors: true,
	},
	devices: device("GET /stats/devices/types", "device_type"),
	browsers: device("GET /stats/browsers", "browser"),
	systems: device("GET /stats/operating-systems", "os"),
	conversions: {
		route: "GET /stats/conversions",
		value: "conversion_type",
		columns: ["count", "revenue", "avg_value"],
		sorts: ["count", "revenue", "avg_value"],
		field: "conversion_type",
		largest: 100,
	},
	microconversions: {
		route: "GET /stats/microconversions",
		value: "conversion_type",
		columns: ["count"],
		sorts: ["count"],
		field: "conversion_type",
		largest: 100,
	},
	properties: {
		route: "GET /stats/properties/keys",
		value: "key",
		columns: ["total_count", "conversions_count", "microconversions_count"],
		sorts: ["total_count", "conversions_count", "microconversions_count"],
		hidesSql: true,
	},
} as const satisfies Record<string, Shape>;

/** The name of a list, as it stands in addresses. */
export type ListKey = keyof typeof shapes;

/** Names of all lists. */
export const listKeys = Object.keys(shapes) as ListKey[];

/** All lists by their names. */
export const lists = Object.fromEntries(listKeys.map((key) => [key, { key, ...shapes[key] }])) as unknown as Readonly<
	Record<ListKey, List>
>;

/** The list of a name from an address. */
export function listOf(name: string | undefined): List | undefined {
	const key = listKeys.find((one) => one === name);
	return key && lists[key];
}

/** The list that tells the values of a field. */
export const listOfField = (field: FilterField): List | undefined =>
	listKeys.map((key) => lists[key]).find((list) => list.field === field);
