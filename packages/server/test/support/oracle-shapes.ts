import type { Label } from "./oracle-facts.ts";

/** A list inside a row: its key and, by field, its numbers. */
export interface OracleList {
	readonly key: Readonly<Record<string, Label>>;
	readonly columns: Readonly<Record<string, string>>;
}

/** How a report reads, written down apart from the code that answers it. */
export interface OracleShape {
	readonly url: string;
	/** `page`: paginated; `top`: the first rows; `all`: every row. */
	readonly form: "page" | "top" | "all";
	readonly key: Readonly<Record<string, Label>>;
	/** Field to figure. */
	readonly columns: Readonly<Record<string, string>>;
	readonly sorts: readonly string[];
	readonly path: "path" | "landing_page";
	readonly takes: readonly (
		| "search"
		| "totals"
		| "group"
		| "pathFilter"
		| "columns"
		| "figures"
		| "landingPage"
		| "type"
	)[];
	readonly comparison?: readonly string[];
	readonly share?: true;
	readonly lists?: Readonly<Record<string, OracleList>>;
	/** Field with the number of values of a label. */
	readonly unique?: readonly [string, Label];
	readonly singleValues?: true;
}

const same = <T extends string>(...names: readonly T[]) =>
	Object.fromEntries(names.map((name) => [name, name])) as Record<T, T>;

const trafficColumns = same("entrances", "page_views", "engaged_entrances", "bounce_rate", "conversions", "revenue");
const allColumns = same(
	"entrances",
	"engaged_entrances",
	"page_views",
	"microconversions",
	"conversions",
	"revenue",
	"bounce_rate",
);
const landingColumns = same(
	"entrances",
	"engaged_entrances",
	"bounce_rate",
	"microconversions",
	"conversions",
	"conversion_rate",
	"revenue",
);
const trafficSorts = ["entrances", "engaged_entrances", "page_views", "conversions", "revenue"];
const landingSorts = ["entrances", "engaged_entrances", "microconversions", "conversions", "revenue", "bounce_rate"];
const utm = same("utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content");
const channelColumns = { bounces: "bounces", conversion_rate: "conversion_rate", ...allColumns };

const traffic = (url: string, key: Record<string, Label>): OracleShape => ({
	url,
	key,
	form: "page",
	columns: trafficColumns,
	sorts: trafficSorts,
	path: "landing_page",
	takes: ["search", "totals", "figures"],
});

const top = (shape: OracleShape, url: string, takes: OracleShape["takes"] = ["figures"]): OracleShape => ({
	...shape,
	url,
	form: "top",
	takes,
});

const breakdown = (url: string, key: Record<string, Label>): OracleShape => ({
	...traffic(url, key),
	columns: allColumns,
	share: true,
	takes: ["figures"],
});

const sources = traffic("/stats/sources", same("utm_source"));
const campaigns = traffic("/stats/campaigns", same("utm_campaign"));
const terms = traffic("/stats/terms", same("utm_term"));
const contents = traffic("/stats/contents", same("utm_content"));
const referrers = traffic("/stats/referrers", { referrer_domain: "referrer_domain", referrer: "referrer_domain" });

const pages: OracleShape = {
	url: "/stats/pages",
	form: "page",
	key: same("path", "content_grouping"),
	columns: same("page_views", "entrances"),
	comparison: ["entrances", "engaged_entrances", "page_views", "conversions", "revenue"],
	sorts: ["page_views", "entrances"],
	path: "path",
	takes: ["group", "pathFilter", "columns"],
};

const landingRows: OracleShape = {
	url: "/stats/landing-pages",
	form: "page",
	key: { landing_page: "landing_page", content_grouping: "landing_content_grouping" },
	columns: landingColumns,
	sorts: landingSorts,
	path: "landing_page",
	takes: ["totals", "group", "pathFilter", "columns"],
};

const landingPages: OracleShape = landingRows;

const channels: OracleShape = {
	...traffic("/stats/channels", { channel: "channel_group" }),
	columns: channelColumns,
};

const perConversion = same("conversions", "revenue");

/** Every report that is a list of rows. */
export const oracleShapes = {
	pages,
	topPages: {
		url: "/stats/pages/top",
		form: "top",
		key: same("path"),
		columns: same("page_views", "entrances", "engaged_entrances", "bounce_rate"),
		sorts: pages.sorts,
		path: "path",
		takes: ["figures"],
		singleValues: true,
	},
	contentGroups: {
		...pages,
		url: "/stats/pages/content-groups",
		form: "all",
		key: same("content_grouping"),
		unique: ["unique_pages", "path"],
		takes: [],
	},
	mediums: traffic("/stats/mediums", same("utm_medium")),
	sources,
	campaigns,
	terms,
	contents,
	referrers,
	topSources: top(sources, "/stats/sources/top", ["landingPage", "figures"]),
	topCampaigns: top(campaigns, "/stats/campaigns/top"),
	topTerms: top(terms, "/stats/terms/top"),
	topContents: top(contents, "/stats/contents/top"),
	topReferrers: top(referrers, "/stats/referrers/top"),
	countries: { ...traffic("/stats/geo/countries", same("country")), takes: ["totals", "figures"] },
	deviceTypes: breakdown("/stats/devices/types", { device_type: "device_type", device: "device_type" }),
	browsers: breakdown("/stats/browsers", same("browser")),
	systems: breakdown("/stats/operating-systems", same("os")),
	landingPages,
	topLandingPages: top(landingPages, "/stats/landing-pages/top", ["group", "figures"]),
	landingGroups: {
		...landingRows,
		url: "/stats/landing-pages/by-content-group",
		form: "all",
		key: { content_grouping: "landing_content_grouping" },
		unique: ["unique_pages", "landing_page"],
		takes: [],
	},
	channels,
	topChannels: top(channels, "/stats/top-channels"),
	conversions: {
		...traffic("/stats/conversions", same("conversion_type")),
		columns: { count: "conversions", revenue: "revenue", avg_value: "average_order_value" },
		sorts: ["count", "revenue", "avg_value"],
		takes: [],
		lists: {
			by_source: { key: utm, columns: perConversion },
			by_country: { key: same("country"), columns: perConversion },
		},
	},
	microconversions: {
		...traffic("/stats/microconversions", same("conversion_type")),
		columns: { count: "microconversions" },
		sorts: ["count"],
		takes: ["type"],
		lists: { by_source: { key: utm, columns: { count: "microconversions" } } },
	},
} as const satisfies Record<string, OracleShape>;

/** Name of a report that is a list of rows. */
export type ListName = keyof typeof oracleShapes;

/** Every name of such a report. */
export const listNames = Object.keys(oracleShapes) as ListName[];

/** The shape of a report, with its optional parts. */
export function shapeOf(name: ListName): OracleShape {
	return oracleShapes[name];
}
