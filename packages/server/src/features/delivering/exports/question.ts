import { countryName } from "../../../analytics/attribution/country-of-zone.ts";
import { type Dimension, dimensionOf } from "../../../analytics/catalog/dimensions.ts";
import type { Condition } from "../../../analytics/catalog/filters.ts";
import { metricsFor } from "../../../analytics/catalog/rates.ts";
import { type FileColumn, figureSql } from "../../../analytics/query/files/file-columns.ts";
import type { FileQuestion } from "../../../analytics/query/files/file-query.ts";
import { readableRange } from "../../../analytics/query/question/readable-range.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { EventsType, GroupedType } from "./export-types.ts";
import type { ExportSite, ParsedExport } from "./parse.ts";

/** No row. */
const never: Condition = { any: [] };

const letters = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];
let countries: { codes: string[]; names: string[] } | undefined;

/** Every code that has a name; asked for once. */
function countryTable() {
	const codes = letters.flatMap((first) => letters.map((second) => first + second));
	const named = codes.filter((code) => countryName(code) !== code);
	countries ??= { codes: named, names: named.map(countryName) };
	return countries;
}

export function questionOf(site: ExportSite, clock: Clock, parsed: ParsedExport): FileQuestion {
	const { shape } = parsed;
	return shape.of === "groups" ? groups(site, parsed, shape) : events(site, clock, parsed, shape);
}

function groups(site: ExportSite, { range, conditions }: ParsedExport, shape: GroupedType): FileQuestion {
	const { figures, order, everyDay } = shape;
	const { codes, names } = countryTable();
	const named: FileColumn = {
		name: "country_name",
		sql: "transform(country, {codes:Array(String)}, {names:Array(String)}, country)",
		type: "text",
	};
	const keys = Object.entries(shape.key);
	return {
		of: "groups",
		query: {
			site: site.id,
			range,
			conditions,
			dimensions: keys.map(([, dimension]) => dimension),
			metrics: metricsFor(figures),
		},
		order: order === undefined ? [] : [{ by: order, direction: "desc" }],
		columns: [
			...keys.map(([name, dimension]) => keyColumn(name, dimension)),
			...(shape.namesCountry ? [named] : []),
			...figures.map((figure): FileColumn => ({ name: figure, sql: figureSql(figure), type: "number" })),
		],
		...(everyDay && { everyDay }),
		...(shape.namesCountry && { params: { codes, names } }),
	};
}

const keyColumn = (name: string, dimension: Dimension): FileColumn => ({
	name,
	sql: dimension,
	type: dimension === "date" ? "date" : dimensionOf(dimension).isPath ? "path" : "text",
});

function events(site: ExportSite, clock: Clock, { range, conditions }: ParsedExport, shape: EventsType): FileQuestion {
	const left = shape.isRetained ? readableRange(range, site.timezone, clock) : range;
	return {
		of: "events",
		kind: shape.kind,
		isSingle: true,
		scope: { site: site.id, range: left ?? range, conditions: left === undefined ? [never] : conditions },
		columns: [
			{ name: "date", sql: "date", type: "date" },
			{ name: "conversion_type", sql: "event_type", type: "text" },
			...(shape.hasAmount ? [{ name: "amount", sql: "amount", type: "number" } as const] : []),
			{ name: "properties", sql: "properties", type: "map" },
		],
	};
}
