import type { Dimension } from "../../catalog/dimensions.ts";
import type { Operator } from "../../catalog/filters.ts";

/** Fields of filters and segments with their dimensions; `reading.ts` says of which hit. */
export const fieldDimensions = {
	path: "path",
	content_grouping: "content_grouping",
	landing_page: "landing_page",
	referrer: "referrer_domain",
	referrer_domain: "referrer_domain",
	utm_source: "utm_source",
	utm_medium: "utm_medium",
	utm_campaign: "utm_campaign",
	utm_term: "utm_term",
	utm_content: "utm_content",
	country: "country",
	device_type: "device_type",
	browser: "browser",
	os: "os",
	channel: "channel_group",
	channel_group: "channel_group",
	conversion_type: "conversion_type",
	hour: "hour",
	day_of_week: "day_of_week",
} as const satisfies Record<string, Dimension>;

/** A field of filters. */
export type FilterField = keyof typeof fieldDimensions;

type Names<T> = [keyof T, ...(keyof T)[]];

/** Every field. */
export const filterFields = Object.keys(fieldDimensions) as Names<typeof fieldDimensions>;

/** Operators that look for a part of a value. */
export const partOperators = {
	contains: "contains",
	not_contains: "not_contains",
	starts_with: "starts_with",
	ends_with: "ends_with",
	regex: "regex",
	not_regex: "not_regex",
} as const satisfies Record<string, Operator>;

const listOperators = { in: "in", not_in: "not_in" } as const satisfies Record<string, Operator>;

/** Operators of filters in the catalog. */
export const filterOperators = {
	eq: "eq",
	ne: "ne",
	neq: "ne",
	...partOperators,
	...listOperators,
} as const satisfies Record<string, Operator>;

/** Operators of a segment in the catalog; equality ignores case. */
export const segmentOperators = {
	eq: "is",
	neq: "is_not",
	...partOperators,
	...listOperators,
} as const satisfies Record<string, Operator>;

/** The names of operators. */
export const operatorNames = <T extends Record<string, Operator>>(operators: T) => Object.keys(operators) as Names<T>;
