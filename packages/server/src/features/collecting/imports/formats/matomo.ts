import { type ColumnVocabulary, dimension, measure } from "./csv-columns.ts";
import { csvReport } from "./csv-report.ts";
import { browserName, countryCode, osName } from "./known-names.ts";

const ignored = { kind: "ignored" } as const;

/** Names of its API, and those that its screens show. `label` is another thing in each report: the file does not say which. */
const vocabulary: ColumnVocabulary = {
	date: { kind: "date" },
	fecha: { kind: "date" },
	nb_visits: measure("entrances"),
	visits: measure("entrances"),
	visitas: measure("entrances"),
	nb_pageviews: measure("page_views"),
	pageviews: measure("page_views"),
	"page views": measure("page_views"),
	// Of the reports on pages; a visit has several of their rows.
	nb_hits: { kind: "measure", name: "page_views", splitsVisits: true },
	nb_actions: measure("page_views"),
	actions: measure("page_views"),
	acciones: measure("page_views"),
	nb_uniq_visitors: measure("visitors"),
	"unique visitors": measure("visitors"),
	"visitantes únicos": measure("visitors"),
	nb_users: ignored,
	users: ignored,
	max_actions: ignored,
	"maximum actions in one visit": ignored,
	nb_actions_per_visit: ignored,
	"actions per visit": ignored,
	nb_visits_converted: ignored,
	nb_conversions: measure("conversions"),
	conversions: measure("conversions"),
	revenue: measure("revenue"),
	bounce_count: { kind: "bounces" },
	bounces: { kind: "bounces" },
	bounce_rate: { kind: "bounce_rate" },
	"bounce rate": { kind: "bounce_rate" },
	sum_visit_length: measure("visit_seconds"),
	"total time spent by visitors (in seconds)": measure("visit_seconds"),
	avg_time_on_site: { kind: "average_seconds" },
	"avg. visit duration": { kind: "average_seconds" },
	"avg. visit duration (in seconds)": { kind: "average_seconds" },
	metadata_code: dimension("country", countryCode),
	country: dimension("country", countryCode),
	browser: dimension("browser", browserName),
	"operating system": dimension("os", osName),
	"device type": dimension("device"),
	"page url": dimension("path", pathOf),
	"entry page url": dimension("landing_path", pathOf),
	// Of pages in one report, and of other sites in another.
	metadata_url: ignored,
	metadata_logo: ignored,
	metadata_idsubdatatable: ignored,
};

/** A path, whether the column has whole addresses or paths. */
function pathOf(text: string): string {
	const path = text.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/, 1)[0] ?? "";
	if (text === "" || path.startsWith("/")) return path;
	return `/${path}`;
}

/** CSV files of Matomo: reports by day over a range of days. */
export const matomo = csvReport({ source: "matomo_csv", vocabulary });
