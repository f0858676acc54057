import type { Label } from "./oracle-facts.ts";
import { words } from "./words.ts";

/** A list inside a row: its key and, by field, its numbers. */
export interface OracleList {
	readonly key: Readonly<Record<string, Label>>;
	readonly columns: Readonly<Record<string, string>>;
}

type Taken = "search" | "totals" | "group" | "pathFilter" | "columns" | "figures" | "landingPage" | "type";

/** How a report reads, written down apart from the code that answers it. */
export interface OracleShape extends OracleList {
	readonly url: string;
	/** `page`: paginated; `top`: the first rows; `all`: every row. */
	readonly form: "page" | "top" | "all";
	readonly sorts: readonly string[];
	readonly path: "path" | "landing_page";
	readonly takes: readonly Taken[];
	/** Figures of the comparison, where these are not the columns. */
	readonly comparison?: readonly string[];
	readonly share?: true;
	readonly lists?: Readonly<Record<string, OracleList>>;
	/** Field with the number of values of a label. */
	readonly unique?: readonly [string, Label];
	readonly singleValues?: true;
}

const same = <T extends string>(...names: readonly T[]) =>
	Object.fromEntries(names.map((name) => [name, name])) as Record<T, T>;
/** Fields that are named as their figures are. */
const columns = (names: string) => same(...names.split(" "));

const counted = "entrances engaged_entrances page_views microconversions conversions revenue";
const utm = same("utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content");

const traffic = (url: string, key: Record<string, Label>) => ({
	url: `/stats/${url}`,
	key,
	form: "page" as const,
	columns: columns("entrances page_views engaged_entrances bounce_rate conversions revenue"),
	sorts: ["entrances", "engaged_entrances", "page_views", "conversions", "revenue"],
	path: "landing_page" as const,
	takes: ["search", "totals", "figures"] as Taken[],
});

const top = (shape: OracleShape, takes: Taken[] = ["figures"]): OracleShape => ({
	...shape,
	url: shape.url === "/stats/channels" ? "/stats/top-channels" : `${shape.url}/top`,
	form: "top",
	takes,
});

const breakdown = (url: string, key: Record<string, Label>): OracleShape => ({
	...traffic(url, key),
	columns: columns(`${counted} bounce_rate`),
	share: true,
	takes: ["figures"],
});

const sources = traffic("sources", same("utm_source"));
const campaigns = traffic("campaigns", same("utm_campaign"));
const terms = traffic("terms", same("utm_term"));
const contents = traffic("contents", same("utm_content"));
const referrers = traffic("referrers", { referrer_domain: "referrer_domain", referrer: "referrer_domain" });
const channels: OracleShape = {
	...traffic("channels", { channel: "channel_group" }),
	columns: columns(`${counted} bounces bounce_rate conversion_rate`),
};
const pages: OracleShape = {
	...traffic("pages", same("path", "content_grouping")),
	columns: columns("page_views entrances"),
	comparison: ["entrances", "engaged_entrances", "page_views", "conversions", "revenue"],
	sorts: ["page_views", "entrances"],
	path: "path",
	takes: ["group", "pathFilter", "columns"],
};
const landingPages: OracleShape = {
	...traffic("landing-pages", { landing_page: "landing_page", content_grouping: "landing_content_grouping" }),
	columns: columns("entrances engaged_entrances bounce_rate microconversions conversions conversion_rate revenue"),
	sorts: ["entrances", "engaged_entrances", "microconversions", "conversions", "revenue", "bounce_rate"],
	takes: ["totals", "group", "pathFilter", "columns"],
};
const perConversion = columns("conversions revenue");

export const oracleShapes = {
	pages,
	topPages: {
		...traffic("pages/top", same("path")),
		form: "top",
		columns: columns("page_views entrances engaged_entrances bounce_rate"),
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
	mediums: traffic("mediums", same("utm_medium")),
	sources,
	campaigns,
	terms,
	contents,
	referrers,
	topSources: top(sources, ["landingPage", "figures"]),
	topCampaigns: top(campaigns),
	topTerms: top(terms),
	topContents: top(contents),
	topReferrers: top(referrers),
	countries: { ...traffic("geo/countries", same("country")), takes: ["totals", "figures"] },
	deviceTypes: breakdown("devices/types", { device_type: "device_type", device: "device_type" }),
	browsers: breakdown("browsers", same("browser")),
	systems: breakdown("operating-systems", same("os")),
	landingPages,
	topLandingPages: top(landingPages, ["group", "figures"]),
	landingGroups: {
		...landingPages,
		url: "/stats/landing-pages/by-content-group",
		form: "all",
		key: { content_grouping: "landing_content_grouping" },
		unique: ["unique_pages", "landing_page"],
		takes: [],
	},
	channels,
	topChannels: top(channels),
	conversions: {
		...traffic("conversions", same("conversion_type")),
		columns: { count: "conversions", revenue: "revenue", avg_value: "average_order_value" },
		sorts: ["count", "revenue", "avg_value"],
		takes: [],
		lists: {
			by_source: { key: utm, columns: perConversion },
			by_country: { key: same("country"), columns: perConversion },
		},
	},
	microconversions: {
		...traffic("microconversions", same("conversion_type")),
		columns: { count: "microconversions" },
		sorts: ["count"],
		takes: ["type"],
		lists: { by_source: { key: utm, columns: { count: "microconversions" } } },
	},
} as const satisfies Record<string, OracleShape>;

export type ListName = keyof typeof oracleShapes;

export const listNames = Object.keys(oracleShapes) as ListName[];

export const isList = (report: string): report is ListName => report in oracleShapes;

export const shapeOf = (name: ListName): OracleShape => oracleShapes[name];

/** The metrics that come as series when none are named. */
export const seriesNames = words(
	"entrances engaged_entrances page_views conversions microconversions revenue visitors",
);
