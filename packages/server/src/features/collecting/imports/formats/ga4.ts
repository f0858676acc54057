import { type ColumnVocabulary, dimension, measure } from "./csv-columns.ts";
import { csvReport } from "./csv-report.ts";
import type { TableRow } from "./csv-table.ts";

/** Names of dimensions and metrics in its reports and explorations, in English and Spanish, and in its data API. */
const vocabulary: ColumnVocabulary = [
	[
		{ kind: "date_hour" },
		"date + hour (yyyymmddhh) | date hour | datehour | fecha + hora (aaaammddhh) | fecha y hora (aaaammddhh) | fecha y hora | fecha hora",
	],
	[{ kind: "date" }, "date | fecha"],
	[{ kind: "nth_day" }, "nth day | nthday | día n | n.º día | día n.º | enésimo día | número de día"],
	[{ kind: "hour" }, "hour | hora"],
	[
		dimension("path"),
		"page path and screen class | page path | pagepath | unifiedpagepathscreen | ruta de página y clase de pantalla | ruta de página",
	],
	[
		dimension("path", withoutQuery),
		"page path + query string | page path + query string and screen class | pagepathplusquerystring | ruta de página + cadena de consulta | ruta de página + cadena de consulta y clase de pantalla | ruta de página y cadena de consulta",
	],
	[dimension("content_group"), "content group | contentgroup | grupo de contenido | grupo de contenidos"],
	[
		dimension("landing_path", withoutQuery),
		"landing page | landingpage | landing page + query string | landingpageplusquerystring | página de destino | página de destino + cadena de consulta | página de destino y cadena de consulta",
	],
	[
		{ kind: "part_of_visit" },
		"page title | pagetitle | page title and screen class | page title and screen name | unifiedscreenname | page location | pagelocation | event name | eventname | item name | itemname | título de página | título de página y clase de pantalla | título de página y nombre de pantalla | ubicación de página | nombre de evento | nombre de artículo | nombre de producto | nombre de elemento",
	],
	...sources(["session ", ""], ["session"], ["", " de sesión"]),
	...sources(["", ""], [], ["", ""]),
	...sources(
		["first user ", ""],
		["firstuser"],
		["", " de primer usuario"],
		["primera ", " de usuario"],
		["primer ", " de usuario"],
		["", " de usuario por primera vez"],
	),
	[dimension("country"), "country | country id | countryid | país | id de país"],
	[
		dimension("device"),
		"device category | devicecategory | device | categoría de dispositivo | categoría de dispositivos | dispositivo",
	],
	[dimension("browser"), "browser | navegador"],
	[dimension("os"), "operating system | operatingsystem | sistema operativo"],
	[measure("entrances"), "sessions | sesiones"],
	[measure("engaged"), "engaged sessions | engagedsessions | sesiones con interacción | sesiones con interacciones"],
	[{ kind: "bounce_rate" }, "bounce rate | bouncerate | porcentaje de rebote | porcentaje de rebotes | tasa de rebote"],
	[
		{ kind: "engagement_rate" },
		"engagement rate | engagementrate | porcentaje de interacción | porcentaje de interacciones | tasa de interacción | tasa de interacciones",
	],
	[
		measure("page_views"),
		"views | screenpageviews | vistas | visualizaciones | vistas de página | vistas de páginas | visualizaciones de página | visualizaciones de páginas",
	],
	[measure("visitors"), "total users | totalusers | usuarios totales | total de usuarios"],
	[measure("visitors"), "active users | activeusers | usuarios activos"],
	[measure("visitors"), "users | usuarios"],
	[measure("conversions"), "key events | keyevents | eventos clave"],
	[measure("conversions"), "conversions | conversiones"],
	[
		measure("conversions"),
		"ecommerce purchases | ecommercepurchases | compras de comercio electrónico | compras comercio electrónico | compras de e-commerce",
	],
	[measure("conversions"), "transactions | transacciones"],
	[measure("revenue"), "total revenue | totalrevenue | ingresos totales | total de ingresos"],
	[measure("revenue"), "purchase revenue | purchaserevenue | ingresos por compras | ingresos por compra"],
	[
		{ kind: "average_seconds" },
		"average session duration | averagesessionduration | duración media de sesión | duración media de sesiones | duración promedio de sesión | duración promedio de sesiones",
	],
	[
		{ kind: "average_seconds" },
		"average engagement time per session | tiempo de interacción medio por sesión | tiempo medio de interacción por sesión | tiempo de interacción promedio por sesión | tiempo promedio de interacción por sesión | duración media de interacción por sesión",
	],
	[{ kind: "ignored" }, "totals | totales"],
];

/** Prefixes and suffixes for the scope of a source: the session, the event, or the first visit of the user. */
function sources(
	[before, after]: readonly [string, string],
	prefixes: readonly string[],
	...spanish: readonly (readonly [string, string])[]
): ColumnVocabulary {
	const columns = [
		[{ kind: "source_medium" }, "source / medium", "sourcemedium", ["fuente/medio"]],
		[dimension("utm_source"), "source", "source", ["fuente"]],
		[dimension("utm_medium"), "medium", "medium", ["medio"]],
		[dimension("utm_campaign", campaign), "campaign", "campaignname", ["campaña"]],
		[dimension("utm_term"), "manual term", "manualterm", ["término manual"]],
		[
			dimension("utm_content"),
			"manual ad content",
			"manualadcontent",
			["contenido de anuncio manual", "contenido manual de anuncio"],
		],
	] as const;
	return columns.map(([role, english, api, names]) => {
		const inSpanish = names.flatMap((name) => spanish.map(([front, back]) => `${front}${name}${back}`));
		return [
			role,
			[`${before}${english}${after}`, ...prefixes.map((prefix) => `${prefix}${api}`), ...inSpanish].join(" | "),
		];
	});
}

function withoutQuery(text: string): string {
	return text.split(/[?#]/, 1)[0] ?? "";
}

/** `(direct)`, `(organic)` and `(referral)` say that there is none. */
function campaign(text: string): string {
	return /^\((direct|organic|referral|none)\)$/i.test(text) ? "" : text;
}

/** Referrals are known here by the domain that sends them, and named by the rules of the site. */
function refine(row: TableRow): TableRow {
	const { utm_source, utm_medium, ...dimensions } = row.dimensions;
	if (utm_medium !== "referral" || utm_source === undefined || !/^[\w-]+(\.[\w-]+)+$/.test(utm_source)) return row;
	return { ...row, dimensions: { ...dimensions, referrer: utm_source } };
}

/** CSV files of Google Analytics 4: of reports, of explorations, and of spreadsheets that its data API filled. */
export const ga4 = csvReport({ source: "ga4_csv", vocabulary, refine });
