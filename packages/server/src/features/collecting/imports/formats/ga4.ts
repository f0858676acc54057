import { type ColumnVocabulary, dimension, measure } from "./csv-columns.ts";
import { csvReport } from "./csv-report.ts";
import type { TableRow } from "./csv-table.ts";
import { browserName, countryCode, osName } from "./known-names.ts";

const date = { kind: "date" } as const;
const partOfVisit = { kind: "part_of_visit" } as const;

/** Names of dimensions and metrics in its reports, its explorations and its data API. */
const vocabulary: ColumnVocabulary = {
	date,
	fecha: date,
	"nth day": { kind: "nth_day" },
	"día n": { kind: "nth_day" },
	hour: { kind: "hour" },
	hora: { kind: "hour" },
	"date + hour (yyyymmddhh)": { kind: "date_hour" },
	"date hour": { kind: "date_hour" },
	datehour: { kind: "date_hour" },
	"page path": dimension("path"),
	pagepath: dimension("path"),
	"page path and screen class": dimension("path"),
	"page path + query string": dimension("path", withoutQuery),
	"page path + query string and screen class": dimension("path", withoutQuery),
	"ruta de página": dimension("path"),
	"ruta de página y clase de pantalla": dimension("path"),
	"content group": dimension("content_group"),
	"landing page": dimension("landing_path", withoutQuery),
	landingpage: dimension("landing_path", withoutQuery),
	"landing page + query string": dimension("landing_path", withoutQuery),
	"página de destino": dimension("landing_path", withoutQuery),
	"page title": partOfVisit,
	"page title and screen class": partOfVisit,
	"page title and screen name": partOfVisit,
	"page location": partOfVisit,
	"event name": partOfVisit,
	"nombre del evento": partOfVisit,
	"item name": partOfVisit,
	...sources("session "),
	...sources("first user "),
	...sources(""),
	sessionsourcemedium: { kind: "source_medium" },
	sessionsource: dimension("utm_source"),
	sessionmedium: dimension("utm_medium"),
	sessioncampaignname: dimension("utm_campaign", campaign),
	"fuente/medio de la sesión": { kind: "source_medium" },
	country: dimension("country", countryCode),
	"country id": dimension("country", countryCode),
	país: dimension("country", countryCode),
	device: dimension("device"),
	"device category": dimension("device"),
	devicecategory: dimension("device"),
	"categoría de dispositivo": dimension("device"),
	browser: dimension("browser", browserName),
	navegador: dimension("browser", browserName),
	"operating system": dimension("os", osName),
	operatingsystem: dimension("os", osName),
	"sistema operativo": dimension("os", osName),
	sessions: measure("entrances"),
	sesiones: measure("entrances"),
	"engaged sessions": measure("engaged"),
	engagedsessions: measure("engaged"),
	"sesiones con interacción": measure("engaged"),
	"bounce rate": { kind: "bounce_rate" },
	bouncerate: { kind: "bounce_rate" },
	"engagement rate": { kind: "engagement_rate" },
	views: measure("page_views"),
	vistas: measure("page_views"),
	screenpageviews: measure("page_views"),
	"total users": measure("visitors"),
	totalusers: measure("visitors"),
	"usuarios totales": measure("visitors"),
	"active users": measure("visitors"),
	users: measure("visitors"),
	"key events": measure("conversions"),
	keyevents: measure("conversions"),
	"eventos clave": measure("conversions"),
	conversions: measure("conversions"),
	"ecommerce purchases": measure("conversions"),
	transactions: measure("conversions"),
	"total revenue": measure("revenue"),
	totalrevenue: measure("revenue"),
	"ingresos totales": measure("revenue"),
	"purchase revenue": measure("revenue"),
	"average session duration": { kind: "average_seconds" },
	averagesessionduration: { kind: "average_seconds" },
	"average engagement time per session": { kind: "average_seconds" },
	totals: { kind: "ignored" },
};

function sources(of: string): ColumnVocabulary {
	return {
		[`${of}source / medium`]: { kind: "source_medium" },
		[`${of}source`]: dimension("utm_source"),
		[`${of}medium`]: dimension("utm_medium"),
		[`${of}campaign`]: dimension("utm_campaign", campaign),
		[`${of}manual term`]: dimension("utm_term"),
		[`${of}manual ad content`]: dimension("utm_content"),
	};
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
