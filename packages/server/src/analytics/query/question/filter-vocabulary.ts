import { type Dimension, isProperty, type Property, propertyName } from "../../catalog/dimensions.ts";
import type { Operator } from "../../catalog/filters.ts";
import { storedPropertyName } from "../../model/visit-rows.ts";
import { BadQuestion } from "./bad-question.ts";

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

/** A field of filters that has a name of its own. */
export type FilterField = keyof typeof fieldDimensions;

type Names<T> = [keyof T, ...(keyof T)[]];

/** Every field that has a name of its own. */
export const filterFields = Object.keys(fieldDimensions) as Names<typeof fieldDimensions>;

/** Every field, as errors list them. */
export const fieldNames = [...filterFields, "property.<name>"].join(", ");

/** True for a field of filters, properties included. */
export const isFilterField = (name: string): name is FilterField | Property =>
	isProperty(name) || Object.hasOwn(fieldDimensions, name);

/** The dimension of a field. Throws `BadQuestion` for a property that no event can have. */
export function dimensionOfField(field: FilterField | Property): Dimension | Property {
	if (!isProperty(field)) return fieldDimensions[field];
	const name = propertyName(field);
	if (name !== "" && storedPropertyName(name) === name) return field;
	throw new BadQuestion(
		"A property has a name of 1 to 100 characters, without control characters and without blanks at its ends",
	);
}

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
