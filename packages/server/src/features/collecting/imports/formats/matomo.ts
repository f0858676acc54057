import { type ColumnVocabulary, dimension, measure } from "./csv-columns.ts";
import { csvReport } from "./csv-report.ts";

/** Names of its API and of its screens in English and Spanish. `label` is another thing in each report: the file does not say which. */
const vocabulary: ColumnVocabulary = [
	[{ kind: "date" }, "date | fecha"],
	[measure("entrances"), "nb_visits | visits | visitas"],
	[
		measure("page_views"),
		"nb_pageviews | pageviews | page views | páginas vistas | vistas de página | visualizaciones de página | visualizaciones de páginas",
	],
	// Of the reports on pages; a visit has several of their rows.
	[{ kind: "measure", name: "page_views", splitsVisits: true }, "nb_hits"],
	// Downloads and outlinks are actions too.
	[measure("page_views"), "nb_actions | actions | acciones"],
	[measure("visitors"), "nb_uniq_visitors | unique visitors | visitantes únicos"],
	[measure("conversions"), "nb_conversions | conversions | conversiones"],
	[measure("revenue"), "revenue | ingresos"],
	[{ kind: "bounces" }, "bounce_count | bounces | rebotes"],
	[
		{ kind: "bounce_rate" },
		"bounce_rate | bounce rate | porcentaje de rebote | porcentaje de rebotes | tasa de rebote",
	],
	[
		measure("visit_seconds"),
		"sum_visit_length | total time spent by visitors (in seconds) | tiempo total gastado por visitantes (en segundos) | tiempo total empleado por visitantes (en segundos)",
	],
	[
		{ kind: "average_seconds" },
		"avg_time_on_site | avg. visit duration | avg. visit duration (in seconds) | duración media de visita | duración media de visita (en segundos) | duración promedio de visita | duración promedio de visita (en segundos) | promedio de duración de visita | promedio de duración de visita (en segundos)",
	],
	[dimension("country"), "metadata_code | country | país"],
	[dimension("browser"), "browser | navegador"],
	[dimension("os"), "operating system | sistema operativo"],
	[dimension("device"), "device type | tipo de dispositivo"],
	[dimension("path", pathOf), "page url | url de página"],
	[dimension("landing_path", pathOf), "entry page url | url de página de entrada"],
	// `metadata_url` is of pages in one report, and of other sites in another.
	[
		{ kind: "ignored" },
		"nb_users | users | usuarios | max_actions | maximum actions in one visit | máximo de acciones en una visita | nb_actions_per_visit | actions per visit | acciones por visita | nb_visits_converted | metadata_url | metadata_logo | metadata_idsubdatatable",
	],
];

/** A path, whether the column has whole addresses or paths. */
function pathOf(text: string): string {
	const path = text.replace(/^https?:\/\/[^/?#]*/i, "").split(/[?#]/, 1)[0] ?? "";
	if (text === "" || path.startsWith("/")) return path;
	return `/${path}`;
}

/** CSV files of Matomo: reports by day over a range of days. */
export const matomo = csvReport({ source: "matomo_csv", vocabulary });
