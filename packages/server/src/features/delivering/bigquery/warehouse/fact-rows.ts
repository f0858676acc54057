import { countryName } from "../../../../analytics/attribution/country-of-zone.ts";
import { type FileColumn, figureSql } from "../../../../analytics/query/files/file-columns.ts";
import { type FileQuestion, fileContent } from "../../../../analytics/query/files/file-query.ts";
import { type DateRange, eachDay } from "../../../../analytics/query/question/date-range.ts";
import { readableRange, todayIn } from "../../../../analytics/query/question/resolve-range.ts";
import type { EventStore } from "../../../../platform/event-store/event-store.ts";
import type { Clock } from "../../../../platform/lib/clock.ts";
import type { SiteRow } from "../../../tenancy/sites/index.ts";
import type { FactTable } from "./warehouse-tables.ts";

/** Countries (ISO 3166-1 alpha-2) by continent and region, as the United Nations group them (M49). */
const regions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
	Africa: {
		"Northern Africa": "DZ EG EH LY MA SD TN",
		"Western Africa": "BF BJ CI CV GH GM GN GW LR ML MR NE NG SH SL SN TG",
		"Middle Africa": "AO CD CF CG CM GA GQ ST TD",
		"Eastern Africa": "BI DJ ER ET IO KE KM MG MU MW MZ RE RW SC SO SS TF TZ UG YT ZM ZW",
		"Southern Africa": "BW LS NA SZ ZA",
	},
	Antarctica: { Antarctica: "AQ" },
	Asia: {
		"Central Asia": "KG KZ TJ TM UZ",
		"Eastern Asia": "CN HK JP KP KR MN MO TW",
		"South-eastern Asia": "BN ID KH LA MM MY PH SG TH TL VN",
		"Southern Asia": "AF BD BT IN IR LK MV NP PK",
		"Western Asia": "AE AM AZ BH CY GE IL IQ JO KW LB OM PS QA SA SY TR YE",
	},
	Europe: {
		"Eastern Europe": "BG BY CZ HU MD PL RO RU SK UA",
		"Northern Europe": "AX DK EE FI FO GB GG IE IM IS JE LT LV NO SE SJ",
		"Southern Europe": "AD AL BA ES GI GR HR IT ME MK MT PT RS SI SM VA XK",
		"Western Europe": "AT BE CH DE FR LI LU MC NL",
	},
	"North America": {
		Caribbean: "AG AI AW BB BL BQ BS CU CW DM DO GD GP HT JM KN KY LC MF MQ MS PR SX TC TT VC VG VI",
		"Central America": "BZ CR GT HN MX NI PA SV",
		"Northern America": "BM CA GL PM US",
	},
	Oceania: {
		"Australia and New Zealand": "AU CC CX HM NF NZ",
		Melanesia: "FJ NC PG SB VU",
		Micronesia: "FM GU KI MH MP NR PW UM",
		Polynesia: "AS CK NU PF PN TK TO TV WF WS",
	},
	"South America": { "South America": "AR BO BR BV CL CO EC FK GF GS GY PE PY SR UY VE" },
};

/** Every country that a visit may be of, and `Unknown`. */
export const countryRows: readonly {
	readonly country_code: string;
	readonly country_name: string;
	readonly continent: string | null;
	readonly region: string | null;
}[] = [
	...Object.entries(regions).flatMap(([continent, parts]) =>
		Object.entries(parts).flatMap(([region, codes]) =>
			codes.split(" ").map((code) => ({ country_code: code, country_name: countryName(code), continent, region })),
		),
	),
	{ country_code: "Unknown", country_name: "Unknown", continent: null, region: null },
];

export type FactSite = Pick<SiteRow, "id" | "timezone">;

const calculated: Readonly<Record<string, string>> = { day_of_week: "toDayOfWeek(date)" };

function question({ columns, fact }: FactTable, site: string, range: DateRange): FileQuestion {
	const fileColumns = (sqlOf: (name: string) => string): FileColumn[] =>
		columns.map(({ name, written }) => ({ name, sql: sqlOf(name), type: written }));
	if (fact.of === "events") {
		const { kind, values } = fact;
		const scope = { site, range, conditions: [] };
		return { of: "events", kind, scope, columns: fileColumns((name) => values[name] ?? name) };
	}
	const { key, metrics } = fact;
	const sqlOf = (name: string): string => {
		if (name === "revenue") return "toString(revenue)";
		const metric = metrics.find((one) => one === name);
		return metric !== undefined ? figureSql(metric) : (key[name] ?? calculated[name] ?? name);
	};
	const query = { site, range, conditions: [], dimensions: Object.values(key), metrics };
	return { of: "groups", query, order: [], columns: fileColumns(sqlOf) };
}

/** The days of a range that a table may hold; undefined when there is none. */
export function heldDays(table: FactTable, site: FactSite, clock: Clock, range: DateRange): DateRange | undefined {
	const { fact, expirationDays } = table;
	if (fact.of === "events" && fact.kind === "microconversion") return readableRange(range, site.timezone, clock);
	if (expirationDays === undefined) return range;
	const oldest = todayIn(site.timezone, clock).subtract({ days: expirationDays - 1 });
	if (Temporal.PlainDate.compare(range.end, oldest) < 0) return undefined;
	return Temporal.PlainDate.compare(range.start, oldest) < 0 ? { ...range, start: oldest } : range;
}

/**
 * The rows of a table for some days, an object of JSON a line, as the engine makes them. A day at a time: the groups of a day
 * fit in the engine's memory where those of a year do not.
 */
export async function* factRows(
	deps: { readonly eventStore: EventStore },
	table: FactTable,
	site: string,
	range: DateRange,
	signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
	for (const day of eachDay(range)) {
		yield* fileContent(deps, question(table, site, { start: day, end: day }), "ndjson", signal);
	}
}
