import type { ShareList } from "../../../access/index.ts";
import type { Dimension } from "../../../analytics/catalog/dimensions.ts";
import {
	type Columns,
	campaigns,
	channels,
	columns,
	contents,
	landingPages,
	type RowShape,
	referrers,
	sources,
	terms,
} from "./reports.ts";

/** A report without pages: its first rows, or all of them. */
export interface TopReport<C extends Columns = Columns> extends RowShape<C> {
	readonly url: string;
	readonly summary: string;
	/** The list of shared links that it belongs to. */
	readonly list: ShareList;
	readonly previous: true;
	/** How many rows; all of them when absent. */
	readonly limit?: { readonly default: number; readonly max: number };
	/** Filters take one value each. */
	readonly singleValues?: boolean;
	/** A field with the number of values that one more dimension has in the row. */
	readonly unique?: { readonly field: string; readonly of: Dimension };
	/** Leaves the row with an empty key out. */
	readonly keyGiven?: boolean;
}

const limit = { default: 10, max: 100 };

const contentGroups = {
	url: "/stats/pages/content-groups",
	summary: "Page views by content group",
	key: { content_grouping: "content_grouping" },
	unique: { field: "unique_pages", of: "path" },
	keyGiven: true,
	columns: columns("page_views", "entrances"),
	previous: true,
	sortBy: ["page_views", "entrances"],
	takes: [],
	list: "content_groups",
} as const satisfies TopReport;

const topPages = {
	url: "/stats/pages/top",
	summary: "Top pages",
	key: { path: "path" },
	columns: columns("page_views", "entrances", "engaged_entrances", "bounce_rate"),
	previous: true,
	sortBy: ["page_views", "entrances"],
	limit,
	singleValues: true,
	takes: ["figures"],
	list: "pages",
} as const satisfies TopReport;

const landingGroups = {
	...landingPages,
	url: "/stats/landing-pages/by-content-group",
	summary: "Sessions by the landing page's content group",
	key: { content_grouping: "landing_content_grouping" },
	unique: { field: "unique_pages", of: "landing_page" },
	keyGiven: true,
	takes: [],
	list: "content_groups",
} as const satisfies TopReport;

/** Every report that is a plain list. */
export const topReports: readonly TopReport[] = [
	topPages,
	contentGroups,
	{ ...sources, url: "/stats/sources/top", summary: "Top sources", limit, takes: ["landingPage", "figures"] },
	{ ...campaigns, url: "/stats/campaigns/top", summary: "Top campaigns", limit, takes: ["figures"] },
	{ ...terms, url: "/stats/terms/top", summary: "Top terms", limit, takes: ["figures"] },
	{ ...contents, url: "/stats/contents/top", summary: "Top contents", limit, takes: ["figures"] },
	{ ...referrers, url: "/stats/referrers/top", summary: "Top referring domains", limit, takes: ["figures"] },
	{
		...landingPages,
		url: "/stats/landing-pages/top",
		summary: "Top landing pages",
		limit,
		takes: ["contentGroup", "figures"],
	},
	landingGroups,
	{
		...channels,
		url: "/stats/top-channels",
		summary: "Top channels",
		limit: { default: 10, max: 50 },
		takes: ["figures"],
	},
];
