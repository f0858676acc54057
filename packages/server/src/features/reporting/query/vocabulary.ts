import { campaignDimensions, type Dimension } from "../../../analytics/catalog/dimensions.ts";
import { metricNames } from "../../../analytics/catalog/metrics.ts";
import type { Figure } from "../../../analytics/catalog/rates.ts";
import { type FilterField, filterFields } from "../../../analytics/query/question/filter-vocabulary.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";

/** Fields that are numbers, in these bounds. */
export const numberFields = {
	hour: { minimum: 0, maximum: 23 },
	day_of_week: { minimum: 1, maximum: 7 },
} as const satisfies Partial<Record<FilterField, object>>;

export type NumberField = keyof typeof numberFields;

export type TextField = Exclude<FilterField, NumberField>;

export const textFields = filterFields.filter((name): name is TextField => !(name in numberFields));

export const queryDimensions = [
	"date",
	"hour",
	"day_of_week",
	"country",
	...campaignDimensions,
	"device_type",
	"browser",
	"os",
	"channel_group",
	"path",
	"content_grouping",
	"landing_page",
	"referrer_domain",
	"conversion_type",
] as const satisfies readonly Dimension[];

export type QueryDimension = (typeof queryDimensions)[number];

const MAX_DIMENSIONS = 10;
/** Characters of an unknown name that an error repeats. */
const MAX_QUOTED = 64;
/** Names of reports in the interface before this one; there they were capitalized. */
const formerNames: readonly string[] = ["source", "medium", "campaign", "term", "content"];

const badRequest = (message: string) => new ServiceError("bad_request", { message });

function dimensionNamed(name: string, field: string): QueryDimension {
	const known = queryDimensions.find((candidate) => candidate === name);
	if (known !== undefined) return known;
	const small = name.toLowerCase();
	if (small !== name && [...formerNames, ...queryDimensions].includes(small)) {
		throw fieldError(field, "Dimensions are lower-case, such as utm_source", "enum");
	}
	throw badRequest(`Unknown dimension ${name.slice(0, MAX_QUOTED)}; there are ${queryDimensions.join(", ")}`);
}

/** The dimensions asked for. 400 for unknown and repeated ones and for more than ten, 422 for a name in other case. */
export function parseDimensions(names: readonly string[]): QueryDimension[] {
	if (names.length > MAX_DIMENSIONS) throw badRequest(`At most ${MAX_DIMENSIONS} dimensions`);
	const found = names.map((name, at) => dimensionNamed(name, `body.dimensions.${at}`));
	const repeated = found.find((name, at) => found.indexOf(name) < at);
	if (repeated !== undefined) throw badRequest(`The dimension ${repeated} is repeated`);
	return found;
}

export const queryMetrics = [
	...metricNames,
	"visitors",
	"visit_duration",
	"average_order_value",
] as const satisfies readonly Figure[];

export type QueryMetric = (typeof queryMetrics)[number];

/** Metrics of events, which alone have a type. */
const eventSums = ["conversions", "microconversions", "revenue"] as const satisfies readonly QueryMetric[];
const eventMetrics: readonly QueryMetric[] = [...eventSums, "average_order_value"];

/** Why a metric means nothing by some dimensions; undefined where it does. */
function objection(metric: QueryMetric, dimensions: readonly QueryDimension[]): string | undefined {
	if (dimensions.includes("conversion_type") && !eventMetrics.includes(metric)) {
		return `Only events have a conversion_type: by it there are ${eventMetrics.join(", ")}. For visits with an event, filter by conversion_type instead`;
	}
	const page = dimensions.find((name) => name === "path" || name === "content_grouping");
	if (page === undefined || metric !== "visit_duration") return undefined;
	return `Visits last, pages do not: there is no visit_duration by ${page}. Group by landing_page instead`;
}

/**
 * The metrics asked for, each once; when none is named, the additive ones that the dimensions know. 400 for an unknown one,
 * 422 for one that means nothing by these dimensions.
 */
export function parseMetrics(names: readonly string[], dimensions: readonly QueryDimension[]): QueryMetric[] {
	if (names.length === 0) return dimensions.includes("conversion_type") ? [...eventSums] : [...metricNames];
	const found = names.map((name, at) => {
		const known = queryMetrics.find((candidate) => candidate === name);
		const rate = name === "bounce_rate" ? "; bounce_rate comes with entrances and engaged_entrances" : "";
		if (known === undefined) {
			throw badRequest(`Unknown metric ${name.slice(0, MAX_QUOTED)}; there are ${queryMetrics.join(", ")}${rate}`);
		}
		const fault = objection(known, dimensions);
		if (fault !== undefined) throw fieldError(`body.metrics.${at}`, fault, "value_error");
		return known;
	});
	return [...new Set(found)];
}
