import { type Static, Type } from "typebox";
import { countryName } from "../../../analytics/attribution/country-of-zone.ts";
import { campaignDimensions, type Dimension, dimensionOf } from "../../../analytics/catalog/dimensions.ts";
import type { Condition, Filter } from "../../../analytics/catalog/filters.ts";
import { metricsFor } from "../../../analytics/catalog/rates.ts";
import { type FileColumn, figureSql } from "../../../analytics/query/files/file-columns.ts";
import { countFileRows, type FileQuestion } from "../../../analytics/query/files/file-query.ts";
import { parseAdvancedFilters } from "../../../analytics/query/question/advanced-filters.ts";
import { placed } from "../../../analytics/query/question/bad-question.ts";
import { type DateRange, daysIn } from "../../../analytics/query/question/date-range.ts";
import { dimensionFilter } from "../../../analytics/query/question/dimension-filter.ts";
import { mergeConditions, ofEvents, type Reading, readingOf } from "../../../analytics/query/question/reading.ts";
import { readableRange, resolveRange } from "../../../analytics/query/question/resolve-range.ts";
import { OneOf } from "../../../platform/http/schemas.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { SiteRow } from "../../tenancy/sites/index.ts";
import type { ExportDeps } from "./deps.ts";
import {
	type EventsType,
	type ExportFormat,
	type ExportShape,
	type ExportType,
	exportFormats,
	formatNames,
	type GroupedType,
	shapeOf,
} from "./export-types.ts";

const text = (maxLength: number, description: string) => Type.Optional(Type.String({ maxLength, description }));

export const Filters = Type.Object(
	{
		utm_source: text(255, "Source"),
		utm_medium: text(255, "Medium"),
		utm_campaign: text(255, "Campaign"),
		utm_term: text(255, "Term"),
		utm_content: text(255, "Content"),
		country: text(50, "ISO 3166-1 alpha-2 code or `Unknown`"),
		device_type: text(50, "`desktop`, `mobile`, `tablet`, or `unknown` for imported rows"),
		browser: text(100, "Browser"),
		os: text(100, "Operating system"),
		content_grouping: text(255, "Content group of the page; of the landing page for all types except `pages`"),
		conversion_type: text(100, "Type of conversion or microconversion"),
		advanced_filters: text(1000, "`field:operator:value` entries separated by commas"),
		imports: Type.Optional(OneOf(["include", "exclude"], { description: "`exclude` omits imported rows" })),
	},
	{ description: "All conditions must match" },
);

export type Filters = Static<typeof Filters>;

export const filterNames = Object.keys(Filters.properties) as (keyof Filters)[];

export type ExportSite = Pick<SiteRow, "id" | "timezone">;

export interface ExportInput {
	readonly export_type: ExportType;
	readonly format: ExportFormat;
	readonly date_from: string;
	readonly date_to: string;
	readonly filters: Filters;
}

interface ParsedExport {
	readonly type: ExportType;
	readonly shape: ExportShape;
	readonly range: DateRange;
	readonly conditions: readonly Condition[];
}

const plainFilters = [...campaignDimensions, "country", "device_type", "browser", "os", "conversion_type"] as const;

const readingOfShape = (shape: ExportShape): Reading =>
	shape.of === "events" ? ofEvents : readingOf(Object.values(shape.key));

function parameterFilters(filters: Filters, { path }: Reading): Filter[] {
	const group = path === "path" ? "content_grouping" : "landing_content_grouping";
	const given = [...plainFilters.map((name) => [name, name] as const), ["content_grouping", group] as const].map(
		([name, dimension]) => [name, dimension, filters[name]] as const,
	);
	return given.flatMap(([name, dimension, value]) =>
		value === undefined ? [] : [placed(`body.filters.${name}`, () => dimensionFilter(dimension, "eq", [value]))],
	);
}

/** Reads what is asked for. 400 for dates that no report takes, 422 for values that cannot occur. */
export function parseExport(site: ExportSite, clock: Clock, input: Omit<ExportInput, "format">): ParsedExport {
	const { export_type: type, date_from, date_to, filters } = input;
	const shape = shapeOf(type);
	const reading = readingOfShape(shape);
	const advanced = placed("body.filters.advanced_filters", () =>
		parseAdvancedFilters(filters.advanced_filters ?? "", reading),
	);
	return {
		type,
		shape,
		range: placed("body", () => resolveRange({ date_from, date_to }, { timezone: site.timezone, clock })),
		conditions: mergeConditions(
			{ advanced, parameters: parameterFilters(filters, reading), imports: filters.imports },
			reading,
		),
	};
}

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

/** From so many rows on an export is made in the background. */
export const BACKGROUND_ROWS = 10_000;

const ROWS_PER_SECOND = 300_000;

export const ExportEstimate = Type.Object({
	estimated_rows: Type.Integer(),
	estimated_size_bytes: Type.Integer(),
	estimated_size_human: Type.String(),
	recommended_format: OneOf(formatNames),
	will_use_background_job: Type.Boolean(),
	estimated_duration_seconds: Type.Integer(),
});

type Estimate = Static<typeof ExportEstimate>;

export async function countRows(
	deps: Pick<ExportDeps, "eventStore" | "clock">,
	site: ExportSite,
	parsed: ParsedExport,
): Promise<number> {
	const { shape, range } = parsed;
	if (shape.of === "groups" && shape.everyDay) return daysIn(range);
	return countFileRows(deps, questionOf(site, deps.clock, parsed));
}

export function estimateOf(shape: ExportShape, format: ExportFormat, rows: number): Estimate {
	const bytes = Math.round(rows * shape.rowBytes * exportFormats[format].sizeFactor);
	return {
		estimated_rows: rows,
		estimated_size_bytes: bytes,
		estimated_size_human: humanSize(bytes),
		recommended_format: shape.of === "events" ? "json" : "csv",
		will_use_background_job: rows > BACKGROUND_ROWS,
		estimated_duration_seconds: Math.max(1, Math.ceil(rows / ROWS_PER_SECOND)),
	};
}

const units = ["B", "KB", "MB", "GB", "TB"];

/** A size for people, such as `1.5 MB`. */
export function humanSize(bytes: number): string {
	let [value, unit] = [bytes, 0];
	while (value >= 1024 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1];
	return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}
