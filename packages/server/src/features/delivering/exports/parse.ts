import { campaignDimensions } from "../../../analytics/catalog/dimensions.ts";
import { type Condition, type Filter, withoutImports } from "../../../analytics/catalog/filters.ts";
import { parseAdvancedFilters } from "../../../analytics/query/question/advanced-filters.ts";
import { placed } from "../../../analytics/query/question/bad-question.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { dimensionFilter } from "../../../analytics/query/question/dimension-filter.ts";
import { mergeConditions } from "../../../analytics/query/question/merge-conditions.ts";
import { ofEvents, type Reading, readingOf } from "../../../analytics/query/question/reading.ts";
import { resolveRange } from "../../../analytics/query/question/resolve-range.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { type ExportFormat, type ExportShape, type ExportType, shapeOf } from "./export-types.ts";
import type { Filters } from "./schemas.ts";

export interface ExportSite {
	readonly id: string;
	readonly timezone: string;
}

export interface ExportInput {
	readonly export_type: ExportType;
	readonly format: ExportFormat;
	readonly date_from: string;
	readonly date_to: string;
	readonly filters: Filters;
}

/** An export that can be made as it is. */
export interface ParsedExport {
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
		conditions: [
			...mergeConditions({ advanced, parameters: parameterFilters(filters, reading), segments: [] }),
			...(filters.imports === "exclude" ? [withoutImports] : []),
		],
	};
}
