import type { Property } from "../../../analytics/catalog/dimensions.ts";
import type { Condition, Filter, Operator } from "../../../analytics/catalog/filters.ts";
import { metricsFor } from "../../../analytics/catalog/rates.ts";
import { placed } from "../../../analytics/query/question/bad-question.ts";
import type { DateRange } from "../../../analytics/query/question/date-range.ts";
import { dimensionFilter } from "../../../analytics/query/question/dimension-filter.ts";
import {
	dimensionOfField,
	type FilterField,
	fieldNames,
	filterFields,
	partOperators,
} from "../../../analytics/query/question/filter-vocabulary.ts";
import { mergeConditions, type Reading, readFilter, readingOf } from "../../../analytics/query/question/reading.ts";
import type { PageRequest, ReportQuery } from "../../../analytics/query/question/report-query.ts";
import {
	type ComparisonName,
	comparisonNames,
	resolveComparison,
} from "../../../analytics/query/question/resolve-comparison.ts";
import { type DateContext, resolveRange } from "../../../analytics/query/question/resolve-range.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { type EventsQuery, type StatsDeps, type StatsSite, segmentsOf, withinShare } from "../stats/index.ts";
import {
	type Filters,
	type Granularity,
	parseDimensions,
	parseMetrics,
	type QueryBody,
	type QueryDimension,
	type QueryMetric,
	textFields,
} from "./schemas.ts";

/** Bound values travel in an address, which servers limit. */
const MAX_CHARACTERS = 32_000;
/** Each one looks for the events of visits by itself. */
const MAX_PROPERTIES = 20;

interface Meaning {
	readonly field: FilterField | Property;
	readonly operator: Operator;
}

/** Suffixes of a field that is compared otherwise than by the values that it may have. */
const operatorOf: ReadonlyMap<string, Operator> = new Map([
	["_not", "not_in"],
	...Object.values(partOperators).map((operator): [string, Operator] => [`_${operator}`, operator]),
]);

/** Names of filters, but for those of properties: a field, or a field and how it is compared. */
const meanings: ReadonlyMap<string, Meaning> = new Map([
	...filterFields.map((field): [string, Meaning] => [field, { field, operator: "in" }]),
	...textFields.flatMap((field) =>
		[...operatorOf].map(([suffix, operator]): [string, Meaning] => [field + suffix, { field, operator }]),
	),
]);

/** The operator precedes the name of a property, which may end like an operator. */
function propertiesIn(filters: Filters): [string, Meaning][] {
	return Object.keys(filters).flatMap((name): [string, Meaning][] => {
		const [, suffix = "", property] = /^property(.*?)\.(.*)$/s.exec(name) ?? [];
		const operator = suffix === "" ? "in" : operatorOf.get(suffix);
		if (property === undefined || operator === undefined) return [];
		return [[name, { field: `property.${property}`, operator }]];
	});
}

const whatThereIs = `Not a filter; there are ${fieldNames}, those of texts also with ${[...operatorOf.keys()].join(", ")}, as in property_not.<name>`;

/** The filters of a query, all of which hold. 422 for an unknown name, a value that cannot occur and for too much text. */
function parseFilters(filters: Filters, reading: Reading): Filter[] {
	const properties = propertiesIn(filters);
	const named = new Map([...meanings, ...properties]);
	const unknown = Object.keys(filters).find((name) => !named.has(name));
	if (unknown !== undefined) throw fieldError(`body.filters.${unknown.slice(0, 64)}`, whatThereIs, "unknown");
	if (JSON.stringify(filters).length > MAX_CHARACTERS) {
		throw fieldError("body.filters", `All filters together must not exceed ${MAX_CHARACTERS} characters`, "maxLength");
	}
	if (properties.length > MAX_PROPERTIES) {
		throw fieldError("body.filters", `Must not name more than ${MAX_PROPERTIES} properties`, "maxProperties");
	}
	const given: Readonly<Record<string, unknown>> = filters;
	return [...named].flatMap(([name, { field, operator }]) => {
		const value = given[name] ?? undefined;
		if (value === undefined) return [];
		const values = [value].flat().map(String);
		const filter = placed(`body.filters.${name}`, () => dimensionFilter(dimensionOfField(field), operator, values));
		return [readFilter(filter, reading)];
	});
}

export type Column = QueryMetric | "bounce_rate";

/** The days that a query is compared with, and the word that meant them. */
export interface Comparison {
	readonly mode: ComparisonName;
	readonly range: DateRange;
}

/** A query that can be run as it is. */
export interface OpenQuery {
	readonly question: ReportQuery;
	readonly page: PageRequest;
	readonly comparison: Comparison | undefined;
	/** Each row is compared with itself. */
	readonly isJoined: boolean;
	readonly granularity: Granularity;
	/** Columns of the answer in their order. */
	readonly dimensions: readonly QueryDimension[];
	readonly columns: readonly Column[];
}

const granularityDimensions = {
	total: [],
	daily: ["date"],
	hourly: ["date", "hour"],
} as const satisfies Record<Granularity, readonly QueryDimension[]>;

function parseMode(compare: string | undefined): ComparisonName | undefined {
	if (compare === undefined || compare === "true") return compare && "previous";
	const mode = comparisonNames.find((name) => name === compare);
	const message = `compare must be one of ${comparisonNames.join(", ")}`;
	if (mode === undefined) throw new ServiceError("bad_request", message);
	return mode;
}

function parseComparison(body: QueryBody, range: DateRange, context: DateContext): Comparison | undefined {
	const mode = parseMode(body.compare);
	const compared = placed("body", () => resolveComparison({ ...body, compare: mode }, range, context));
	return mode && compared && { mode, range: compared };
}

type Field = QueryDimension | Column;

function parseOrder(orders: QueryBody["order_by"], fields: readonly Field[], byDefault: Field): PageRequest["order"] {
	const asked = orders.map(({ field, direction = "desc" }, at) => {
		const by = fields.find((candidate) => candidate === field);
		if (by === undefined) throw fieldError(`body.order_by.${at}.field`, `Must be one of ${fields.join(", ")}`, "enum");
		return { by, direction };
	});
	if (asked.length === 0) return [{ by: byDefault, direction: "desc" }];
	// A column sorts where it is first named.
	return [...Map.groupBy(asked, ({ by }) => by).values()].flatMap(([one]) => one ?? []);
}

function parseJoined({ compare_rows: rows, compare }: QueryBody, dimensions: readonly QueryDimension[]): boolean {
	if (rows === undefined) return false;
	if (compare === undefined) throw fieldError("body.compare_rows", "Only with compare", "value_error");
	if (!dimensions.includes("date")) return true;
	const message = "No day is in both periods: leave compare_rows out, or group by hour or day_of_week instead of date";
	throw fieldError("body.compare_rows", message, "value_error");
}

/** The parameters that choose among the rows, beside the filters of a body. */
export type ChoosingParameters = Pick<EventsQuery, "segment" | "segment_filters" | "imports">;

/** The conditions of a question: filters override conditions of segments, given highest rank first, on the same field. 422 as the filters say. */
export function parseConditions(
	filters: Filters = {},
	segments: readonly Condition[],
	{ imports }: ChoosingParameters,
	reading: Reading,
): readonly Condition[] {
	return mergeConditions({ parameters: parseFilters(filters, reading), segments, imports }, reading);
}

/** Dimensions of the list `hours` of a shared link. */
const times: ReadonlySet<QueryDimension> = new Set(["date", "hour", "day_of_week"] as const);

function refuseOtherThanTimes(dimensions: readonly QueryDimension[]): void {
	const other = dimensions.find((name) => !times.has(name));
	if (other === undefined) return;
	throw new ServiceError("forbidden", `The shared link does not show ${other}`);
}

/**
 * The query that a request asks, within its segments. 400 and 422 as the parts and the segments say; 404 for an unknown
 * segment, 403 for what a shared link does not admit.
 */
export async function readQuery(
	deps: StatsDeps,
	site: StatsSite,
	{ query, body }: { readonly query: ChoosingParameters; readonly body: QueryBody },
): Promise<OpenQuery> {
	const segments = await segmentsOf(deps, site, query);
	const added: readonly QueryDimension[] = granularityDimensions[body.granularity];
	const asked = parseDimensions(body.dimensions);
	const dimensions = [...added, ...asked.filter((name) => !added.includes(name))];
	const figures = parseMetrics(body.metrics, dimensions);
	const hasRate = figures.includes("entrances") && figures.includes("engaged_entrances");
	const columns: Column[] = hasRate ? [...figures, "bounce_rate"] : figures;
	const [first = "entrances"] = figures;
	const byDefault = figures.includes("entrances") ? "entrances" : first;
	const { date_from, date_to } = body;
	const context = { timezone: site.timezone, clock: deps.clock };
	const range = placed("body", () => resolveRange({ date_from, date_to }, context));
	const reading = readingOf(dimensions);
	const conditions = parseConditions(body.filters, segments, query, reading);
	const parsed = {
		page: {
			order: parseOrder(body.order_by, [...dimensions, ...columns], byDefault),
			limit: body.limit,
			offset: body.offset,
		},
		comparison: parseComparison(body, range, context),
		isJoined: parseJoined(body, dimensions),
		granularity: body.granularity,
		dimensions,
		columns,
	};
	if (site.share !== null) refuseOtherThanTimes(dimensions);
	return {
		...parsed,
		question: {
			site: site.id,
			range,
			dimensions,
			metrics: metricsFor(figures),
			shown: figures,
			conditions: await withinShare(deps, site, conditions, reading),
		},
	};
}
