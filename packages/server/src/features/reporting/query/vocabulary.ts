import { campaignDimensions, type Dimension } from "../../../analytics/catalog/dimensions.ts";
import { metricNames } from "../../../analytics/catalog/metrics.ts";
import type { Figure } from "../../../analytics/catalog/rates.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";

/** What rows can be filtered by, with values and with values to leave out. */
export const filterDimensions = [
	...campaignDimensions,
	"country",
	"device_type",
	"browser",
	"os",
	"channel_group",
] as const satisfies readonly Dimension[];

/** What rows can be filtered by, with numbers in these bounds. */
export const numberFilters = {
	hour: { minimum: 0, maximum: 23 },
	day_of_week: { minimum: 1, maximum: 7 },
} as const satisfies Partial<Record<Dimension, object>>;

/** What a query can group by. */
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
] as const satisfies readonly Dimension[];

/** A dimension of a query. */
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
		throw fieldError(field, "Dimensions are written in small letters, such as utm_source", "enum");
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

/** What a query can count. */
export const queryMetrics = [...metricNames, "visitors", "visit_duration"] as const satisfies readonly Figure[];

/** A metric of a query. */
export type QueryMetric = (typeof queryMetrics)[number];

/** The metrics asked for, each once; the additive ones when none is named. 400 for an unknown one. */
export function parseMetrics(names: readonly string[]): QueryMetric[] {
	if (names.length === 0) return [...metricNames];
	const found = names.map((name) => {
		const known = queryMetrics.find((candidate) => candidate === name);
		if (known !== undefined) return known;
		const rate = name === "bounce_rate" ? "; bounce_rate comes with entrances and engaged_entrances" : "";
		throw badRequest(`Unknown metric ${name.slice(0, MAX_QUOTED)}; there are ${queryMetrics.join(", ")}${rate}`);
	});
	return [...new Set(found)];
}
